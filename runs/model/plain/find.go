package plain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
}

// enough is the least score of an element that is meant.
const enough = 50

// find returns the element that the step means.
func find(v outline.View, s step, after int) (line outline.Line, at int, ok bool) {
	all := candidates(v, s)
	if len(all) == 0 {
		return outline.Line{}, 0, false
	}
	best := slices.MaxFunc(all, func(a, b scored) int { return cmp.Compare(a.score, b.score) }).score
	// Those that fit nearly as well are told apart by what else is known.
	tied := slices.DeleteFunc(all, func(c scored) bool { return c.score < best-9 })
	if s.target.nth != 0 {
		return nth(tied, s.target.nth)
	}
	if s.target.near != "" {
		return nearest(v, tied, s.target.near)
	}
	slices.SortStableFunc(tied, func(a, b scored) int { return cmp.Compare(b.score+behind(b, after), a.score+behind(a, after)) })
	return tied[0].line, tied[0].at, true
}

// behind prefers what follows the field that was filled last: the button of
// its form, not the link of that name in the menu above.
func behind(c scored, after int) int {
	if after < 0 || c.at < after {
		return 0
	}
	return max(8-(c.at-after)/4, 1)
}

func nth(all []scored, n int) (outline.Line, int, bool) {
	if n < 0 {
		n = len(all)
	}
	if n > len(all) {
		return outline.Line{}, 0, false
	}
	return all[n-1].line, all[n-1].at, true
}

// nearest returns the candidate that stands closest to a text, preferably
// behind it.
func nearest(v outline.View, all []scored, text string) (outline.Line, int, bool) {
	best, distance := scored{}, 0
	for i, l := range v.Lines {
		if !strings.Contains(normal(l.Name), normal(text)) {
			continue
		}
		for _, c := range all {
			d := 2 * (c.at - i)
			if d < 0 {
				d = -d + 1
			}
			if best.line.Ref == "" || d < distance {
				best, distance = c, d
			}
		}
	}
	return best.line, best.at, best.line.Ref != ""
}

// candidates are the elements that may be meant.
func candidates(v outline.View, s step) []scored {
	var all []scored
	for i, l := range v.Lines {
		if l.Ref == "" || !fits(l, s) {
			continue
		}
		score := nameScore(l, s.target) + bonus(l, s)
		if s.target.name == "" {
			score = enough + bonus(l, s)
		}
		if label := labelBefore(v, i); score < enough && label != "" && isField(l) {
			score = nameScore(outline.Line{Element: named(label)}, s.target) - 20
		}
		if l.Disabled {
			score -= 9
		}
		if score >= enough {
			all = append(all, scored{l, i, score})
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
		return isField(l) && similarity("search", l.Name+" "+l.Placeholder) > 0
	case s.verb == typeVerb || s.verb == submitVerb:
		return isField(l) && (s.target.name != "" || l.Role != "slider" && l.Type != "password")
	}
	return true
}

// bonus tells elements of the same name apart by their kind.
func bonus(l outline.Line, s step) int {
	switch {
	case s.target.role != "" && (l.Role == s.target.role || s.target.role == "field" && isField(l)):
		return 20
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
	case isPhraseOf(want, name):
		return 75 - min(len(name)-len(want), 20)
	case isPhraseOf(want, normal(l.Placeholder)):
		return 55
	case !t.exact && similarity(want, name) > 0.6:
		return 60
	case !t.exact && l.Type == "password" && strings.Contains(want, "password"):
		return 60
	case !t.exact && l.Type == "email" && strings.Contains(want, "mail"):
		return 60
	}
	return 0
}

// isPhraseOf reports whether the words of part stand together in whole.
func isPhraseOf(part, whole string) bool {
	return strings.Contains(" "+whole+" ", " "+part+" ")
}

// labelBefore is the text before a field that has no name of its own.
func labelBefore(v outline.View, i int) string {
	if v.Lines[i].Name != "" {
		return ""
	}
	for j := i - 1; j >= max(i-2, 0); j-- {
		if l := v.Lines[j]; l.Ref == "" && l.Name != "" {
			return l.Name
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
