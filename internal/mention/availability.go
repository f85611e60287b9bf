package mention

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

// wholeStates are the states of texts that say nothing else, by key.
var wholeStates = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for _, e := range lexicon.Read(files, "availability") {
		if state, how, _ := strings.Cut(e.Name, " "); how != "opens" && unicode.IsUpper(rune(state[0])) {
			for _, w := range e.Words {
				m[Key(w)] = state
			}
		}
	}
	return m
})

// Availability returns the name that schema.org has for whether a thing can be
// had, of a text that says nothing else: "Auf Lager" is InStock.
func Availability(text string) (string, bool) {
	name := keyIn(wholeStates, text)
	return name, name != ""
}

// maxState is the length of a text that opens with whether a thing can be had, in
// bytes, and maxBehindState how much of it stands behind.
const (
	maxState       = 60
	maxBehindState = 30
)

// stateOpenings are the phrases for whether a thing can be had, and before these
// what only says that it is so now.
var stateOpenings = openingsOf("now opens", "OutOfStock", "OutOfStock opens", "InStock", "InStock opens", "gone opens")

// Stock returns InStock or OutOfStock for what people read on a page: a short text
// that opens with words for it, "Sorry, sold out"; else "".
func Stock(s string) string {
	if len(s) < 4 || len(s) > maxState {
		return ""
	}
	s = strings.Trim(s, " .!:*✓✔●•-–()")
	if state := stockCounted(s); state != "" {
		return state
	}
	if s == "" || s[0] < utf8.RuneSelf && stateOpenings()[s[0]] == nil {
		return ""
	}
	for s = strings.ToLower(s); s != ""; {
		list, rest := stateOpening(s)
		switch {
		case list == "gone" && rest == "":
			return "OutOfStock"
		case list == "gone":
			return ""
		case list != "now":
			return list
		}
		s = strings.TrimLeft(rest, ", ")
	}
	return ""
}

// pieces is a text that says how many there are: what stands before the last ones, the
// number, and that they can be had.
var pieces = sync.OnceValue(func() *regexp.Regexp {
	oneOf := func(lists ...string) string {
		var all []string
		for _, list := range lists {
			for _, w := range offers()[list] {
				all = append(all, regexp.QuoteMeta(w))
			}
		}
		return `(?:` + strings.Join(all, "|") + `)`
	}
	return regexp.MustCompile(`^¡?(?:(` + oneOf("last", "InStock") + `|stock)|` + oneOf("only") + `)?[ :]*(\d{1,5})\+? ?(?:` + oneOf("piece") + `\.? ?)?((?:` + oneOf("left", "InStock") + ` ?)*)(?: ?(?:[;!(]|[–-] |[.,] )\D*)?$`)
})

// stockCounted returns the state of a text that says how many there are, or are left:
// "0 in stock", "Only 3 left", "Quedan 3 unidades"; else "".
func stockCounted(s string) string {
	if !HasDigit(s) {
		return ""
	}
	switch m := pieces().FindStringSubmatch(strings.ToLower(s)); {
	case m == nil || m[1] == "" && m[3] == "":
		return ""
	case strings.Trim(m[2], "0") == "":
		return "OutOfStock"
	}
	return "InStock"
}

// stateOpening returns of which list a text opens with a phrase, and the rest.
func stateOpening(s string) (list, rest string) {
	for _, o := range stateOpenings()[s[0]] {
		rest, ok := strings.CutPrefix(s, o.words)
		if c, _ := utf8.DecodeRuneInString(rest); ok && !isLetterOfWord(c) && (len(rest) <= maxBehindState || o.list == "now opens") {
			return strings.TrimSuffix(o.list, " opens"), rest
		}
	}
	return "", ""
}

// StockIn returns the state that a text speaks of, InStock or OutOfStock, or "";
// that something cannot be had counts before that it can.
func StockIn(s string) string {
	s = strings.ToLower(s)
	for _, list := range [...]string{"OutOfStock", "OutOfStock opens", "InStock", "InStock opens"} {
		if slices.ContainsFunc(offers()[list], func(w string) bool { return HasPhrase(s, w) }) {
			return strings.TrimSuffix(list, " opens")
		}
	}
	return ""
}

// OpensOrder reports whether what a button says in lower case begins as one that
// buys does, and IsNoOrder whether it puts something elsewhere than into a basket,
// or says that there is nothing.
func OpensOrder(said string) bool {
	return slices.ContainsFunc(offers()["order"], func(w string) bool { return strings.HasPrefix(said, w) })
}

// IsNoOrder is described at [OpensOrder].
func IsNoOrder(said string) bool {
	return slices.ContainsFunc(offers()["other list"], func(w string) bool { return strings.Contains(said, w) }) || StockIn(said) == "OutOfStock"
}

// HasWait reports whether what a button says in lower case has people wait for a
// thing that cannot be had now: "email me when back in stock".
func HasWait(said string) bool {
	return slices.ContainsFunc(offers()["wait"], func(w string) bool { return strings.Contains(said, w) })
}

// HasPhrase reports whether words stand in a text as a whole.
func HasPhrase(s, words string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], words)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(words)
		before, _ := utf8.DecodeLastRuneInString(s[:start])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if !isLetterOfWord(before) && !isLetterOfWord(after) {
			return true
		}
		at = end
	}
}

// isLetterOfWord leaves out letters of scripts that put no space between words.
func isLetterOfWord(c rune) bool {
	return c != utf8.RuneError && unicode.IsLetter(c) && !unicode.Is(unicode.Lo, c)
}

// An opening is a phrase that a text opens with, and the list that it is of.
type opening struct{ words, list string }

// openingsOf returns the phrases of lists by their first byte, in both cases, the
// longest first.
func openingsOf(lists ...string) func() *[256][]opening {
	return sync.OnceValue(func() *[256][]opening {
		var t [256][]opening
		for _, list := range lists {
			for _, w := range offers()[list] {
				t[w[0]] = append(t[w[0]], opening{w, list})
				if upper := strings.ToUpper(w); upper[0] != w[0] {
					t[upper[0]] = append(t[upper[0]], opening{w, list})
				}
			}
		}
		for _, all := range t {
			slices.SortStableFunc(all, func(a, b opening) int { return len(b.words) - len(a.words) })
		}
		return &t
	})
}
