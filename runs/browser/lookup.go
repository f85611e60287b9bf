package browser

import (
	"fmt"
	"strings"

	"github.com/drover-go/drover/errtypes"
)

// Lookup returns the element with a role and a name that can be acted on: the one
// whose name is exactly this, or without one the one whose name differs in upper and
// lower case only. An empty role stands for every role, an empty name for every name.
// Error kinds: NotFound where there is none, which says what there is; Conflict where
// there are several.
func (s Snapshot) Lookup(role, name string) (Element, error) {
	found := s.matching(role, func(n string) bool { return name == "" || n == name })
	if len(found) == 0 {
		found = s.matching(role, func(n string) bool { return strings.EqualFold(n, name) })
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Element{}, errtypes.New(errtypes.NotFound, "there is no %s on the page; there %s", wanted(role, name), s.offered(role))
	}
	return Element{}, errtypes.New(errtypes.Conflict, "the page has %d times %s: %s", len(found), wanted(role, name), quoted(found))
}

// Find is Lookup for the argument of a verb: session.Click(ctx, snap.Find("button",
// "Sign in")). Where Lookup fails, the verb does, with that error as the text of a
// [StaleError], and nothing is done.
func (s Snapshot) Find(role, name string) Ref {
	e, err := s.Lookup(role, name)
	if err != nil {
		return noElement + Ref(err.Error())
	}
	return e.Ref
}

// FindAll returns the elements of a role, those included that cannot be acted on, in
// the order of the page. An empty role stands for every role.
func (s Snapshot) FindAll(role string) []Element {
	var all []Element
	for _, e := range s.Elements {
		if role == "" || e.Role == role {
			all = append(all, e)
		}
	}
	return all
}

// noElement begins the Ref of no element; why that is stands behind it.
const noElement Ref = "?"

// missing is why a Ref is that of no element; false for one of a snapshot.
func (r Ref) missing() (why string, ok bool) {
	return strings.CutPrefix(string(r), string(noElement))
}

func (s Snapshot) matching(role string, name func(string) bool) []Element {
	var found []Element
	for _, e := range s.FindAll(role) {
		if e.Ref != "" && name(e.Name) {
			found = append(found, e)
		}
	}
	return found
}

func wanted(role, name string) string {
	if role == "" {
		role = "element"
	}
	if name == "" {
		return role
	}
	return fmt.Sprintf("%s %.200q", role, name)
}

// offered says what could have been meant: elements of the role, or of any.
func (s Snapshot) offered(role string) string {
	for _, of := range []string{role, ""} {
		if there := s.matching(of, func(string) bool { return true }); len(there) > 0 {
			return "are " + quoted(there)
		}
	}
	return "is nothing that can be acted on"
}

// maxOffered is how many elements an error names.
const maxOffered = 20

func quoted(all []Element) string {
	var each []string
	for _, e := range all[:min(len(all), maxOffered)] {
		each = append(each, fmt.Sprintf("%s %.80q [%s]", e.Role, e.Name, e.Ref))
	}
	if more := len(all) - len(each); more > 0 {
		each = append(each, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(each, ", ")
}
