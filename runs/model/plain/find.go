package plain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
)

func isField(l outline.Line) bool { return isRole("field", l.Role) }

// scored is an element with how well it fits; more is better.
type scored struct {
	line      outline.Line
	at, score int
	part      bool // only a part of its name was given
}

const (
	enough    = 50 // the least score of an element that is meant
	wholeName = 80 // the least score of a name that was given as a whole
	kindBonus = 20 // for the kind of element that the task names
	nearly    = 9  // how much less makes no difference where several are counted
)

// found is what came of looking for an element.
type found struct {
	line outline.Line
	at   int
	ok   bool
	why  string // there are elements of that name, but it is not said which is meant
}

func (c scored) found() found { return found{line: c.line, at: c.at, ok: true} }

// find looks for the element that the step means; after is the field that was
// filled last, or -1. Where several may be meant none is: but for the one of the
// likelier kind, and of buttons the one of the field's row or the first behind it.
func find(v outline.View, s step, after int) found {
	all := candidates(v, s)
	if s.target.region != nil {
		all = within(v, all, s.target.region)
	}
	if len(all) == 0 {
		return found{}
	}
	best := slices.MaxFunc(all, func(a, b scored) int { return cmp.Compare(a.score, b.score) }).score
	least := func(score int) []scored {
		return slices.DeleteFunc(slices.Clone(all), func(c scored) bool { return c.score < score })
	}
	rivals, top := least(best-nearly), least(best)
	if slices.ContainsFunc(top, func(c scored) bool { return c.part }) { // by a part of its name all may be meant
		rivals, top = all, all
	}
	switch {
	case s.target.near != "":
		return inRow(v, rivals, s.target)
	case s.target.nth < 0 && !v.Whole():
		return found{why: "the page is too long to be seen to its end"}
	case s.target.nth != 0:
		return nth(least(best-nearly), s.target.nth)
	}
	if behind := ofForm(v, rivals, after); len(behind) > 0 && s.points() && behind[0].score >= best-nearly {
		return behind[0].found()
	}
	return only(top, fmt.Sprintf("there are %d elements %q on the page and it is not said which is meant; write the first, or in the row …", len(top), s.target.name))
}

// ofForm are the elements behind a field, or the one in its row where that is in
// one.
func ofForm(v outline.View, all []scored, field int) []scored {
	if field < 0 {
		return nil
	}
	row := slices.IndexFunc(items(v, field), func(i int) bool { return isRole("row", v.Lines[i].Role) })
	if row < 0 {
		return between(all, field, len(v.Lines))
	}
	item := items(v, field)[row]
	if inside := between(all, item, v.End(item)); len(inside) == 1 {
		return inside
	}
	return nil
}

// only takes the one element of several, which may be there twice as a link.
func only(all []scored, why string) found {
	for _, c := range all[1:] {
		if c.line.URL == "" || c.line.URL != all[0].line.URL {
			return found{why: why}
		}
	}
	return all[0].found()
}

func nth(all []scored, n int) found {
	if n < 0 {
		n = len(all)
	}
	if n > len(all) {
		return found{}
	}
	return all[n-1].found()
}

// candidates are the elements that may be meant.
func candidates(v outline.View, s step) []scored {
	var all []scored
	for i, l := range v.Lines {
		if l.Ref == "" || !fits(l, s) {
			continue
		}
		kind := bonus(l, s)
		name := nameScore(l, s.target)
		score := name + kind
		if s.target.name == "" {
			if score = enough + kind; s.points() && s.target.role != "" && kind < kindBonus {
				continue
			}
		}
		if label := labelBefore(v, i); score < enough && label != "" && isField(l) {
			name = nameScore(outline.Line{Element: browser.Element{Name: label}}, s.target)
			score = name - 20
		}
		if l.Disabled {
			score -= nearly
		}
		if score >= enough {
			all = append(all, scored{v.Lines[i], i, score, s.target.name != "" && name < wholeName})
		}
	}
	return all
}

// fits reports whether the step can be done with an element of that role.
func fits(l outline.Line, s step) bool {
	switch t := s.target; {
	case s.verb == checkVerb || s.verb == uncheckVerb:
		return isRole("check", l.Role)
	case s.verb == selectVerb:
		return isRole("choice", l.Role)
	case s.verb != typeVerb && s.verb != submitVerb:
		return true
	case s.verb == typeVerb && t.name == "" && (l.Role == "searchbox" || t.role == "search"):
		return l.Role == "searchbox" || isField(l) && slices.Contains(stems(l.Name+" "+l.Placeholder), "search")
	default:
		return isField(l) && (t.name != "" || l.Role != "slider" && l.Type != "password")
	}
}

// bonus tells elements of the same name apart by their kind.
func bonus(l outline.Line, s step) int {
	switch {
	case s.target.role != "" && (l.Role == s.target.role || s.target.role == "field" && isField(l)):
		return kindBonus
	case !s.points():
		return 0
	case l.Role == "button":
		return 4
	case isRole("link", l.Role):
		return 3
	}
	return 0
}

// nameScore says how well an element is called what the task calls it.
func nameScore(l outline.Line, t target) int {
	want, name := normal(t.name), normal(l.Name)
	loose := !t.exact && t.nth == 0
	for _, is := range []struct {
		score int
		so    bool
	}{
		{101, l.Name == t.name},
		{100, name == want},
		{90, normal(l.Placeholder) == want},
		{60, t.exact && isField(l) && normal(l.Value) == want && name == ""},
		{75 - min(max(len(name)-len(want), 0), 20), isPhraseOf(want, name) && (t.exact || t.nth == 0) && mayBeCut(l, want, name)},
		{55, isPhraseOf(want, normal(l.Placeholder))},
		{90, loose && sameName(t.name, l)},
		{60, !t.exact && l.Type == "password" && (want == "password" || want == "passphrase")},
		{60, !t.exact && l.Type == "email" && (want == "email" || want == "e-mail" || want == "mail")},
	} {
		if is.so && want != "" {
			return is.score
		}
	}
	return 0
}

// mayBeCut reports whether a part of an element's name is enough to mean it.
// Figures and marks may be missing ("Basket" of "Basket 3"). Words may be at
// fields, and of what shows a name of several words among others; never of
// buttons: "Delete" is not "Delete all".
func mayBeCut(l outline.Line, want, name string) bool {
	rest := strings.Replace(" "+name+" ", " "+want+" ", " ", 1)
	return !strings.ContainsFunc(rest, unicode.IsLetter) || isField(l) || !isRole("button", l.Role) && strings.Contains(want, " ")
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
	for j := i - 1; j >= max(i-2, 0) && v.Lines[i].Name == ""; j-- {
		l := v.Lines[j]
		if l.Ref == "" && l.Name != "" {
			return l.Name
		}
		if isField(l) { // the text is that one's label
			break
		}
	}
	return ""
}

// notFound says what there is instead of what was looked for.
func notFound(v outline.View, s step) string {
	t := s.target
	what := cmp.Or(map[verb]string{typeVerb: "field", selectVerb: "field", submitVerb: "field", checkVerb: "check box", uncheckVerb: "check box"}[s.verb], t.role, "element")
	text := fmt.Sprintf("there is no %s %q", what, t.name)
	switch {
	case t.region != nil:
		return text + " in that part of the page"
	case t.near != "":
		text += fmt.Sprintf(" beside %q", t.near)
	case t.name == "":
		text = "there is no such " + what
	}
	text += " on the page"
	if near := nearNames(v, s); len(near) > 0 {
		text += "; there are " + strings.Join(near, ", ")
	}
	return text
}

const shownNames = 5

// nearNames are the names that look most like the one asked for.
func nearNames(v outline.View, s step) (names []string) {
	all := slices.DeleteFunc(slices.Clone(v.Lines), func(l outline.Line) bool { return l.Ref == "" || l.Name == "" || !fits(l, s) })
	slices.SortStableFunc(all, func(a, b outline.Line) int {
		return cmp.Compare(alike(b.Name, s.target.name), alike(a.Name, s.target.name))
	})
	for _, l := range all {
		name := fmt.Sprintf("%s %q", l.Role, excerpt(l.Name, 60))
		if !slices.Contains(names, name) && len(names) < shownNames {
			names = append(names, name)
		}
	}
	return names
}

// radioIn is the radio button that a step selects where the list is a group of
// them: "Large" of the group "Size". n is how many there are.
func radioIn(v outline.View, s step) (button outline.Line, n int) {
	for i, l := range v.Lines {
		if l.Ref != "" && l.Role == "radio" && normal(l.Name) == normal(s.input.text("text")) && slices.ContainsFunc(v.Around(i), func(at int) bool {
			group := v.Lines[at]
			return (group.Role == "group" || group.Role == "radiogroup") && normal(group.Name) == normal(s.target.name)
		}) {
			button = l
			n++
		}
	}
	return button, n
}
