package visible

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// buying looks for buttons that buy the page's own thing: what belongs to items is
// theirs, and what stands beside the main part says nothing. It comes before all
// else that tells whether the thing can be had.
func (r *reader) buying() {
	for i, n := range r.all() {
		if r.mayTell(i) && r.looksLikeButton(i) && !r.isOffAt(i) {
			if said := r.buttonText(i); orders(n.el, said) {
				r.addAvailability(i, "InStock", said)
			}
		}
	}
}

func (r *reader) mayTell(i int) bool {
	n := &r.nodes[i]
	return n.part == 0 && !n.is(isText|isAside) && !r.isForeign(i)
}

// stocks reads the longer texts in elements whose names say that they tell whether
// the thing can be had: "Only 2 left in stock."
func (r *reader) stocks() {
	sells := slices.ContainsFunc(r.parts[0].entity.Get("availability"), func(v graph.Value) bool {
		return v.Text == "InStock" || availability(v.Text) == "InStock"
	})
	if sells {
		r.makers()
	}
	for i, n := range r.all() {
		if r.mayTell(i) && n.from < n.to && n.to-n.from <= maxStockText && !n.is(isStruck) && r.tokens.first(n.el, func(k *token) bool { return k.stock }) != nil {
			r.stock(i, sells)
		}
	}
}

// maxStockText is the length of such a text, in bytes, and maxState that of one
// that says nothing else.
const (
	maxStockText = 400
	maxState     = 60
)

// stock reads such a text. That a thing which nothing else sells cannot be had
// outranks what machines are told.
func (r *reader) stock(i int, sells bool) {
	text := r.textOf(i)
	state := stateIn(strings.ToLower(text))
	if state == "" {
		return
	}
	r.addAvailability(i, state, text)
	if state == "OutOfStock" && !sells && !r.has(0, graph.ShownStock) {
		v := r.textValue(state, graph.Class, r.nodes[i].el)
		v.Shown = text
		r.add(0, graph.ShownStock, v)
	}
}

func (r *reader) addAvailability(i int, state, shown string) {
	n := &r.nodes[i]
	if r.has(n.part, "availability") && n.part != 0 || len(r.parts[n.part].entity.Get("availability")) >= maxOfAKind {
		return
	}
	r.add(n.part, "availability", graph.Value{Text: state, Shown: shown, Source: graph.Class, Element: r.elementOf(i), Aside: n.is(isAside)})
}

// An opening is a phrase that a text opens with, and the list that it is of.
type opening struct{ words, list string }

// stateOpenings are the phrases for whether a thing can be had by their first
// byte, those for what cannot be had first, and before these what only says that
// it is so now.
var stateOpenings = sync.OnceValue(func() *[256][]opening {
	var t [256][]opening
	for _, list := range [...]string{"now", "OutOfStock", "InStock"} {
		for _, w := range phrasesOf()[list] {
			t[w[0]] = append(t[w[0]], opening{w, list})
		}
	}
	return &t
})

// availability returns InStock or OutOfStock, the words of schema.org, for a
// short text that opens with words for it, else "".
func availability(s string) string {
	if len(s) < 4 || len(s) > maxState {
		return ""
	}
	s = strings.Trim(s, " .!:*✓✔●•-–()")
	if s == "" || s[0] < 0x80 && stateOpenings()[s[0]|0x20] == nil {
		return ""
	}
	for s = strings.ToLower(s); s != ""; {
		list, rest := stateOpening(s)
		if list != "now" {
			return list
		}
		s = strings.TrimLeft(rest, ", ")
	}
	return ""
}

// maxBehindState is how much stands behind words for whether a thing can be had, in
// bytes.
const maxBehindState = 30

// stateOpening returns of which list a text opens with a phrase, and the rest.
func stateOpening(s string) (list, rest string) {
	for _, o := range stateOpenings()[s[0]] {
		rest, ok := strings.CutPrefix(s, o.words)
		if c, _ := utf8.DecodeRuneInString(rest); ok && !isLetterOfWord(c) && (len(rest) <= maxBehindState || o.list == "now") {
			return o.list, rest
		}
	}
	return "", ""
}

// stateIn returns the first state that a text in lower case speaks of; that
// something cannot be had counts before that it can.
func stateIn(s string) string {
	for _, state := range [...]string{"OutOfStock", "InStock"} {
		if slices.ContainsFunc(phrasesOf()[state], func(w string) bool { return hasPhrase(s, w) }) {
			return state
		}
	}
	return ""
}

// hasPhrase reports whether words stand in a text as a whole.
func hasPhrase(s, words string) bool {
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
