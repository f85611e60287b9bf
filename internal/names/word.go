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
func Words(name string) []string {
	if len(name) > maxName {
		return nil
	}
	var words []string
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
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

// fillers are words that say nothing in a name.
var fillers = setOf(`the a an of de la le les el los las der die das des den du di il lo da do del della et and und y e in for fur pour para per
	value l d is has`)

// prefixes are those that vocabularies put before their names: og:title.
var prefixes = setOf("og twitter dc dcterms dct article product books music video profile itemprop schema p u dt e")

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// cutPrefix takes the prefix of a vocabulary off: "og:title", "p-name".
func cutPrefix(text string) string {
	for range 2 {
		i := strings.IndexAny(text, ":-.")
		if i <= 0 || i == len(text)-1 || !prefixes[strings.ToLower(text[:i])] || text[i] == '-' && i > 2 {
			break
		}
		text = text[i+1:]
	}
	return strings.TrimRight(text, ": ")
}
