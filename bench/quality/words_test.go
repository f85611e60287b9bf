package quality

import (
	"strings"
	"unicode"
)

// words are the tokens of the score: runs of letters, digits and low lines, in
// small letters.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
}

// wordF1 is the harmonic mean of the precision and recall of a text's words as
// a multiset.
func wordF1(got, want string) float64 {
	g, w := words(got), words(want)
	if len(g)+len(w) == 0 {
		return 1
	}
	counts := make(map[string]int, len(w))
	for _, word := range w {
		counts[word]++
	}
	both := 0
	for _, word := range g {
		if counts[word] > 0 {
			counts[word]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(g)+len(w))
}
