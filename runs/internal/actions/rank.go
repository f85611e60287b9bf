package actions

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Rank keeps the actions that have words of the instruction in them, those with
// most first; else those of the kind that it asks for. Without an instruction all
// stay as they are.
func Rank(all []Action, instruction string) []Action {
	want := wantOf(instruction)
	if len(want.words) == 0 && want.kind == nil {
		return all
	}
	var ranked []scored
	best := 0
	for _, a := range all {
		s := scored{a, want.score(a), want.isKind(a)}
		best = max(best, s.score)
		if s.score > 0 || s.kind {
			ranked = append(ranked, s)
		}
	}
	if best > 0 {
		ranked = slices.DeleteFunc(ranked, func(s scored) bool { return s.score == 0 })
	}
	slices.SortStableFunc(ranked, func(a, b scored) int { return cmp.Compare(b.total(), a.total()) })
	kept := make([]Action, len(ranked))
	for i := range ranked {
		kept[i] = ranked[i].Action
	}
	return kept
}

type scored struct {
	Action
	score int
	kind  bool
}

// total counts the kind for less than a word.
func (s scored) total() int {
	if s.kind {
		return 2*s.score + 1
	}
	return 2 * s.score
}

// wanted is what an instruction asks for.
type wanted struct {
	words  []string
	joined string
	kind   []string // roles; nil for any
}

// kinds are the roles that words of an instruction ask for.
var kinds = map[string][]string{
	"button": {"button"}, "link": {"link"}, "tab": {"tab"}, "radio": {"radio"}, "follow": {"link"},
	"field": fields, "fields": fields, "input": fields, "box": fields, "type": fields, "enter": fields, "fill": fields, "write": fields,
	"checkbox": checks, "check": checks, "uncheck": checks, "tick": checks, "toggle": checks, "switch": checks,
	"select": choices, "choose": choices, "pick": choices, "list": choices, "dropdown": choices, "option": choices,
}

var (
	fields  = []string{"textbox", "searchbox", "spinbutton", "slider", "combobox"}
	checks  = []string{"checkbox", "switch", "menuitemcheckbox"}
	choices = []string{"combobox", "listbox", "radio", "option"}
)

// empty words say nothing about which element is meant.
var empty = strings.Fields("a an the this that these those my your our its it of in on at to into from for with and or as is are be can could " +
	"what which where how i me you we do does find get show tell give all any every please page website site element elements click press tap go open using use")

func wantOf(instruction string) (w wanted) {
	for _, s := range wordsOf(instruction) {
		roles, isKind := kinds[s]
		switch {
		case isKind:
			w.kind = append(w.kind, roles...)
		case !slices.Contains(empty, s):
			w.words = append(w.words, singular(s))
		}
	}
	w.joined = strings.Join(wordsOf(instruction), "")
	return w
}

func (w wanted) isKind(a Action) bool { return slices.Contains(w.kind, a.line.Role) }

// score is how many words of the instruction an action has in its name, and less
// in what it stands in.
func (w wanted) score(a Action) (n int) {
	own := nameOf(a.line) + " " + a.Text
	n = 2*w.common(own) + w.common(a.place)
	// "log in" and "login", and languages that write no spaces.
	if name := strings.Join(wordsOf(nameOf(a.line)), ""); n == 0 && isLong(name) && strings.Contains(w.joined, name) {
		n = 2
	}
	return n
}

func (w wanted) common(text string) (n int) {
	has := wordsOf(text)
	for i := range has {
		has[i] = singular(has[i])
	}
	for _, s := range w.words {
		if slices.Contains(has, s) {
			n++
		}
	}
	return n
}

// isLong reports whether a name found among other letters is hardly there by
// chance.
func isLong(name string) bool {
	n := utf8.RuneCountInString(name)
	return n >= 4 || n >= 2 && len(name) > n
}

// wordsOf are the words of a text in lower case; "e-mail" is one.
func wordsOf(text string) []string {
	text = strings.NewReplacer("-", "", "'", "", "’", "").Replace(strings.ToLower(text))
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func singular(w string) string {
	if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
		return w[:len(w)-1]
	}
	return w
}
