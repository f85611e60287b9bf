package names

import (
	"strings"
	"unicode"

	"github.com/drover-go/drover/internal/mention"
)

// maxName is the length in bytes above which a text is nobody's name.
const maxName = 120

// Words splits a name into words in lower case without accents: at the humps
// of camelCase, at underscores, hyphens, dots, colons and white space.
func Words(name string) (words []string) {
	if len(name) > maxName {
		return nil
	}
	for _, part := range strings.FieldsFunc(name, isBreak) {
		for _, w := range splitHumps(part) {
			if w = mention.Key(w); w != "" {
				words = append(words, w)
			}
		}
	}
	return words
}

func isBreak(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
}

// splitHumps splits "priceCurrency" and "HTMLText"; "SKU" and "IDs" are one.
func splitHumps(s string) []string {
	if strings.IndexFunc(s[1:], unicode.IsUpper) < 0 {
		return []string{s}
	}
	runes := []rune(s)
	var parts []string
	start := 0
	for i := 1; i < len(runes); i++ {
		hump := unicode.IsUpper(runes[i]) && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]))
		end := unicode.IsUpper(runes[i]) && unicode.IsUpper(runes[i-1]) && i+2 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsLower(runes[i+2])
		if hump || end {
			parts = append(parts, string(runes[start:i]))
			start = i
		}
	}
	return append(parts, string(runes[start:]))
}

// stem takes the plural off a word, roughly, the same way for both sides.
func stem(w string) string {
	switch {
	case len(w) < 4 || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	}
	return strings.TrimSuffix(w, "s")
}

// Stems returns the words of a text as [Words] splits them, without the plural.
func Stems(text string) (stems []string) {
	for _, w := range textWords(text) {
		stems = append(stems, stem(w))
	}
	return stems
}

func textWords(text string) (words []string) {
	for part := range strings.FieldsSeq(text) {
		words = append(words, Words(part)...)
	}
	return words
}
