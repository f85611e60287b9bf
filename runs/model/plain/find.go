package plain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/runs/internal/outline"
)

// The roles of elements by what is done with them.
var (
	fieldRoles  = []string{"textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox"}
	choiceRoles = []string{"combobox", "listbox"}
	checkRoles  = []string{"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"}
)

// scored is an element with how well it fits; more is better.
type scored struct {
	line  outline.Line
	at    int
	score int
	// part says that only a part of its name was given.
	part bool
}

// enough is the least score of an element that is meant.
const enough = 50

// found is what came of looking for an element.
type found struct {
	line outline.Line
	at   int
	ok   bool
	// why says that there are elements of that name, but not which is meant.
	why string
}

// find looks for the element that the step means. Where several may be meant
// none is.
func find(v outline.View, s step, after int) found {
	all := candidates(v, s)
	if s.target.region != nil {
		all = within(v, all, s.target.region)
	}
	if len(all) == 0 {
		return found{}
	}
	best := slices.MaxFunc(all, func(a, b scored) int { return cmp.Compare(a.score, b.score) }).score
	if s.target.near != "" {
		return inRow(v, rivals(all, best), s.target)
	}
	if s.target.nth < 0 && !v.Whole() {
		return found{why: "the page is too long to be seen to its end"}
	}
	if s.target.nth != 0 {
		// Those that fit nearly as well are counted, too.
		return nth(slices.DeleteFunc(all, func(c scored) bool { return c.score < best-9 }), s.target.nth)
	}
	return theOne(v, rivals(all, best), best, after, s)
}

// wholeName is the least score of a name that was given as a whole.
const wholeName = 80

// byPart reports whether the best of the elements is meant by a part of its
// name only.
func byPart(all []scored, best int) bool {
	return slices.ContainsFunc(all, func(c scored) bool { return c.score == best && c.part })
}

// rivals are the elements that are called as well as the best: by the whole
// name, or by a part of it.
func rivals(all []scored, best int) []scored {
	if byPart(all, best) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(c scored) bool { return c.score < best-9 })
}

// theOne is the element that is meant: the only one, the one of the likelier
// kind, or the first behind the field that was filled last.
func theOne(v outline.View, all []scored, best, after int, s step) found {
	if c, ok := ofForm(v, all, after); ok && s.verb == clickVerb && c.score >= best-9 {
		return found{line: c.line, at: c.at, ok: true}
	}
	top := all
	if !byPart(all, best) {
		top = slices.DeleteFunc(slices.Clone(all), func(c scored) bool { return c.score < best })
	}
	return only(top, fmt.Sprintf("there are %d elements %q on the page and it is not said which is meant; write the first, or in the row …", len(top), s.target.name))
}

// ofForm is the element in the row of a field, or where the field is in none
// the first one behind it.
func ofForm(v outline.View, all []scored, field int) (c scored, ok bool) {
	if field < 0 {
		return c, false
	}
	for _, item := range items(v, field) {
		if role := v.Lines[item].Role; role == "row" || role == "listitem" || role == "article" {
			if inside := between(all, item, end(v, item)); len(inside) == 1 {
				return inside[0], true
			}
			return c, false
		}
	}
	i := slices.IndexFunc(all, func(c scored) bool { return c.at > field })
	if i < 0 {
		return c, false
	}
	return all[i], true
}

// only takes the one element of several, which may be there twice as a link.
func only(all []scored, why string) found {
	for _, c := range all[1:] {
		if c.line.URL == "" || c.line.URL != all[0].line.URL {
			return found{why: why}
		}
	}
	return found{line: all[0].line, at: all[0].at, ok: true}
}

func nth(all []scored, n int) found {
	if n < 0 {
		n = len(all)
	}
	if n > len(all) {
		return found{}
	}
	return found{line: all[n-1].line, at: all[n-1].at, ok: true}
}

// candidates are the elements that may be meant.
func candidates(v outline.View, s step) []scored {
	var all []scored
	for i, l := range v.Lines {
		if l.Ref == "" || !fits(l, s) {
			continue
		}
		name := nameScore(l, s.target)
		score := name + bonus(l, s)
		if s.target.name == "" {
			if score = enough + bonus(l, s); s.verb == clickVerb && s.target.role != "" && score < enough+kindBonus {
				continue
			}
		}
		if label := labelBefore(v, i); score < enough && label != "" && isField(l) {
			name = nameScore(outline.Line{Element: named(label)}, s.target)
			score = name - 20
		}
		if l.Disabled {
			score -= 9
		}
		if score >= enough {
			all = append(all, scored{l, i, score, s.target.name != "" && name < wholeName})
		}
	}
	return all
}

func isField(l outline.Line) bool { return slices.Contains(fieldRoles, l.Role) }

// fits reports whether the step can be done with an element of that role.
func fits(l outline.Line, s step) bool {
	switch {
	case s.verb == checkVerb || s.verb == uncheckVerb:
		return slices.Contains(checkRoles, l.Role)
	case s.verb == selectVerb:
		return slices.Contains(choiceRoles, l.Role)
	case s.verb == typeVerb && s.target.name == "" && l.Role == "searchbox":
		return true
	case s.verb == typeVerb && s.target.role == "search" && s.target.name == "":
		return isField(l) && slices.Contains(stems(l.Name+" "+l.Placeholder), "search")
	case s.verb == typeVerb || s.verb == submitVerb:
		return isField(l) && (s.target.name != "" || l.Role != "slider" && l.Type != "password")
	}
	return true
}

// kindBonus is for the kind of element that the task names.
const kindBonus = 20

// bonus tells elements of the same name apart by their kind.
func bonus(l outline.Line, s step) int {
	switch {
	case s.target.role != "" && (l.Role == s.target.role || s.target.role == "field" && isField(l)):
		return kindBonus
	case s.verb != clickVerb:
		return 0
	case l.Role == "button":
		return 4
	case slices.Contains([]string{"link", "tab", "menuitem", "option", "radio", "checkbox", "switch"}, l.Role):
		return 3
	}
	return 0
}

// nameScore says how well an element is called what the task calls it.
func nameScore(l outline.Line, t target) int {
	want, name := normal(t.name), normal(l.Name)
	switch {
	case want == "":
		return 0
	case l.Name == t.name:
		return 101
	case name == want:
		return 100
	case normal(l.Placeholder) == want:
		return 90
	case t.exact && isField(l) && normal(l.Value) == want && name == "":
		return 60
	case isPhraseOf(want, name) && (t.exact || t.nth == 0) && mayBeCut(l, want, name):
		return 75 - min(len(name)-len(want), 20)
	case isPhraseOf(want, normal(l.Placeholder)):
		return 55
	case !t.exact && t.nth == 0 && sameName(t.name, l):
		return 90
	case !t.exact && l.Type == "password" && slices.Contains([]string{"password", "passphrase"}, want):
		return 60
	case !t.exact && l.Type == "email" && slices.Contains([]string{"email", "e-mail", "mail"}, want):
		return 60
	}
	return 0
}

// mayBeCut reports whether a part of an element's name is enough to mean it.
// Figures and marks may be missing ("Basket" of "Basket 3"). Words may be at
// fields, and of what shows a name of several words among others; never of
// buttons: "Delete" is not "Delete all".
func mayBeCut(l outline.Line, want, name string) bool {
	rest := strings.Replace(" "+name+" ", " "+want+" ", " ", 1)
	if !strings.ContainsFunc(rest, unicode.IsLetter) || isField(l) {
		return true
	}
	return !slices.Contains([]string{"button", "menuitem", "tab", "switch", "option"}, l.Role) && strings.Contains(want, " ")
}

// sameName reports whether an element's name has the same words, or if it is a
// field's, says the same.
func sameName(name string, l outline.Line) bool {
	x, y := stems(name), stems(l.Name)
	if isField(l) {
		x, y = senses(name), senses(l.Name)
	}
	slices.Sort(x)
	slices.Sort(y)
	return len(x) > 0 && slices.Equal(x, y)
}

// isPhraseOf reports whether the words of part stand together in whole.
func isPhraseOf(part, whole string) bool {
	return part != "" && strings.Contains(" "+whole+" ", " "+part+" ")
}

// labelBefore is the text before a field that has no name of its own.
func labelBefore(v outline.View, i int) string {
	if v.Lines[i].Name != "" {
		return ""
	}
	for j := i - 1; j >= max(i-2, 0); j-- {
		l := v.Lines[j]
		if l.Ref == "" && l.Name != "" {
			return l.Name
		}
		if isField(l) { // the text is that one's label
			return ""
		}
	}
	return ""
}

// notFound says what there is instead of what was looked for.
func notFound(v outline.View, s step) string {
	what := "element"
	switch {
	case s.verb == typeVerb || s.verb == selectVerb || s.verb == submitVerb:
		what = "field"
	case s.verb == checkVerb || s.verb == uncheckVerb:
		what = "check box"
	case s.target.role != "":
		what = s.target.role
	}
	if s.target.region != nil {
		return fmt.Sprintf("there is no %s %q in that part of the page", what, s.target.name)
	}
	text := fmt.Sprintf("there is no %s %q on the page", what, s.target.name)
	if s.target.name == "" {
		text = fmt.Sprintf("there is no such %s on the page", what)
	}
	if s.target.near != "" {
		text = fmt.Sprintf("there is no %s %q beside %q on the page", what, s.target.name, s.target.near)
	}
	if near := nearNames(v, s); len(near) > 0 {
		text += "; there are " + strings.Join(near, ", ")
	}
	return text
}

// radioIn is the radio button that a step selects where the list is a group of
// them: "Large" of the group "Size". n is how many there are.
func radioIn(v outline.View, s step) (button outline.Line, n int) {
	for i, l := range v.Lines {
		isIt := l.Ref != "" && l.Role == "radio" && normal(l.Name) == normal(s.text)
		if isIt && slices.ContainsFunc(ancestors(v, i), func(at int) bool {
			group := v.Lines[at]
			return (group.Role == "group" || group.Role == "radiogroup") && normal(group.Name) == normal(s.target.name)
		}) {
			button = l
			n++
		}
	}
	return button, n
}

const shownNames = 5

// nearNames are the names that look most like the one asked for.
func nearNames(v outline.View, s step) []string {
	var all []outline.Line
	for _, l := range v.Lines {
		if l.Ref != "" && l.Name != "" && fits(l, s) {
			all = append(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, b outline.Line) int {
		return cmp.Compare(alike(b.Name, s.target.name), alike(a.Name, s.target.name))
	})
	var names []string
	for _, l := range all {
		name := fmt.Sprintf("%s %q", l.Role, shorten(l.Name, 60))
		if !slices.Contains(names, name) && len(names) < shownNames {
			names = append(names, name)
		}
	}
	return names
}
