package projects

import "strings"

// NameIn returns the name in a reference of v2 to a thing of the project, such as
// "acme~my-task", "acme/my-task" or "~my-task"; false for a reference by id, and for
// one to a thing of somebody else.
func (p Project) NameIn(ref string) (name string, ok bool) {
	i := strings.IndexAny(ref, "~/")
	if i < 0 {
		return "", false
	}
	owner, name := ref[:i], ref[i+1:]
	return name, name != "" && (owner == "" || strings.EqualFold(owner, p.Username) || owner == p.UserID)
}
