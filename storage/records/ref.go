package records

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/projects"
)

// ref names a store of a project: by id, or by name.
type ref struct {
	project projects.Project
	kind    Kind
	column  string // that value is found in
	value   string
}

// refOf reads "id", "~name" or "username~name". What has no such form names
// nothing: it is no mistake, clients try names as ids.
func refOf(p projects.Project, kind Kind, text string) (ref, error) {
	name, own := p.NameIn(text)
	switch {
	case !own && strings.Contains(text, "~"):
		return ref{}, notFound(kind)
	case !own:
		return ref{p, kind, "id", text}, nil
	}
	return ref{p, kind, "name_key", nameKey(name)}, nil
}

// where is the condition that finds it, with the parameters $1 to $3.
func (r ref) where() string {
	return ` WHERE project_id = $1 AND kind = $2 AND ` + r.column + ` = $3 AND deleted_at IS NULL`
}

// args are the values of where, followed by others.
func (r ref) args(more ...any) []any {
	return append([]any{r.project.ID, string(r.kind), r.value}, more...)
}

func notFound(kind Kind) error {
	return errtypes.OfType(errtypes.TypeRecordNotFound, "%s was not found", kind.label())
}

var nameForm = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9-]{1,61}[a-zA-Z0-9]$`)

// nameKey is what is the same of names that differ in the case of letters, of
// which they have only those of ASCII.
func nameKey(name string) string { return strings.ToLower(name) }

func checkName(name string) error {
	if !nameForm.MatchString(name) {
		return errtypes.Field("name", "must be 3 to 63 letters, digits and hyphens, and begin and end with a letter or digit")
	}
	return nil
}

// maxText is the longest title, and the longest id of others, in characters.
const maxText = 255

func checkText(field, s string) error {
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxText {
		return errtypes.Field(field, "must be at most %d characters of valid UTF-8", maxText)
	}
	return nil
}
