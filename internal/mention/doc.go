// Package mention turns texts as pages show them into the values that a schema
// asks for: numbers, dates, durations, members of an enum.
//
// Every function says no where a text could mean two things, or holds more than
// the value: a value that is missing is found missing, a wrong one is believed.
// Texts longer than maxText are nobody's value and are not looked at.
package mention

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxText is the length in bytes of the longest text that is read as a number,
// a date or the like.
const maxText = 200

// Fold returns text in lower case without accents, its white space collapsed.
func Fold(text string) string {
	if !isASCII(text) {
		text = stripMarks(text)
	}
	return strings.Join(strings.Fields(strings.ToLower(text)), " ")
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// stripMarks takes the accents off letters.
func stripMarks(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r):
			return -1
		case r == 'ß':
			return 's'
		case r == 'ø', r == 'Ø':
			return 'o'
		case r == 'ł', r == 'Ł':
			return 'l'
		}
		return r
	}, norm.NFKD.String(s))
}

// Key returns the letters and digits of text in lower case without accents:
// what two spellings of one word have in common.
func Key(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, Fold(text))
}

// CutVocabulary returns the last part of an address of schema.org, and other
// text as it is: "https://schema.org/InStock" is InStock.
func CutVocabulary(text string) string {
	for _, prefix := range []string{"https://schema.org/", "http://schema.org/", "https://www.schema.org/", "http://www.schema.org/", "schema:"} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			return rest
		}
	}
	return text
}
