package visible

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxState is the length of a text that says whether something can be bought,
// in bytes.
const maxState = 60

// stateWords are words for whether a thing can be had, or, without a state, what
// may stand before them.
type stateWords struct{ words, state string }

// statesByByte are those words by their first byte, those for what cannot be
// had before those for what can.
var statesByByte = sync.OnceValue(func() [][]stateWords {
	t := make([][]stateWords, 256)
	for _, list := range [...]stateWords{{"out of stock", "OutOfStock"}, {"in stock", "InStock"}, {"before stock", ""}} {
		for _, s := range phrasesOf()[list.words] {
			t[s[0]] = append(t[s[0]], stateWords{s, list.state})
		}
	}
	return t
})

// availability returns InStock or OutOfStock, the words of schema.org, for a
// text that says so, else "".
func availability(s string) string {
	if len(s) < 4 || len(s) > maxState {
		return ""
	}
	s = strings.Trim(s, " .!:*✓✔●•-–()")
	if s == "" || s[0] < utf8.RuneSelf && len(statesByByte()[s[0]|0x20]) == 0 {
		return "" // as most texts
	}
	s = strings.ToLower(s)
	for before := 0; s != "" && before < 3; before++ {
		left := ""
		for _, w := range statesByByte()[s[0]] {
			rest, ok := strings.CutPrefix(s, w.words)
			if ok && w.state != "" && endsState(rest) {
				return w.state
			}
			if ok && w.state == "" {
				left = rest
			}
		}
		s = left
	}
	return ""
}

// endsState reports whether little more than what says a state follows it.
func endsState(rest string) bool {
	c, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || len(rest) <= 30 && (!unicode.IsLetter(c) || unicode.Is(unicode.Lo, c))
}
