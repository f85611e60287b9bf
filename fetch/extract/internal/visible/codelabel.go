package visible

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// codeLabels are the labels of the numbers of things by their first byte, in
// both cases, the longest first: those that mean that by themselves, and those
// that mean other things, too, as "code" does.
var codeLabels = sync.OnceValue(func() *[256][]opening {
	var t [256][]opening
	for _, list := range [...]string{"number", "signed number"} {
		for _, l := range phrasesOf()[list] {
			t[l[0]] = append(t[l[0]], opening{l, list})
			if upper := strings.ToUpper(l); upper[0] != l[0] {
				t[upper[0]] = append(t[upper[0]], opening{l, list})
			}
		}
	}
	for _, list := range t {
		slices.SortStableFunc(list, func(a, b opening) int { return len(b.words) - len(a.words) })
	}
	return &t
})

// labelledCode returns the label that a text begins with, "" where there is none,
// what stands behind it, and how surely it means the number of a thing. A label
// that means other things too needs a sign behind it.
func labelledCode(s string) (label, rest string, rank int) {
	s = strings.TrimLeft(s, " (〈【[*•-")
	if s == "" || codeLabels()[s[0]] == nil {
		return "", "", 0
	}
	lower := strings.ToLower(cut(s, maxName))
	for _, l := range codeLabels()[s[0]] {
		if !strings.HasPrefix(lower, l.words) || len(lower) > len(s) {
			continue
		}
		rest, rank := s[len(l.words):], rankBare
		if c, _ := utf8.DecodeRuneInString(rest); isLetterOfWord(c) || unicode.IsDigit(c) {
			continue
		}
		if l.list != "number" {
			rank = rankSigned
			if c, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \u00A0")); !strings.ContainsRune(".:：#№", c) {
				continue
			}
		}
		return l.words, strings.TrimLeft(rest, codeSigns), rank
	}
	return "", "", 0
}

// codeSigns are what stands between such a label and the number.
const codeSigns = " \u00A0.:：#№°º*)|>-–]"

// isCodeName reports whether the words of a name call something the number of a
// thing: "product-code", "articleNumber", "sku".
func isCodeName(words []string) bool {
	thing, number := false, false
	for _, w := range words {
		switch {
		case is("no number name", w):
			return false
		case is("thing number name", w):
			return true
		}
		thing, number = thing || is("thing name", w), number || is("number name", w)
	}
	return thing && number || len(words) > 1 && is("thing name", words[0]) && words[len(words)-1] == "article"
}
