// Package mention turns texts as pages show them into the values that a schema
// asks for: numbers, dates, durations, members of an enum. It also knows what
// texts say themselves to be, with a few words or none beside the value: amounts
// of money, whether a thing can be had, numbers of things, ratings, periods, hours
// of opening, pay, labels, phrases. It knows no page: who reads one asks it.
//
// Every function says no where a text could mean two things, or holds more than
// the value: a value that is missing is found missing, a wrong one is believed.
// Texts longer than maxText are nobody's value and are not looked at.
package mention

import (
	"embed"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/drover-go/drover/internal/lexicon"
)

//go:embed lexicon/*.txt
var files embed.FS

var (
	// is reports whether a word is in one of the lists of lexicon/words.txt.
	is = lexicon.Is(files, "words")
	// offers are the phrases of two other lists.
	offers = lexicon.Phrases(files, "offers", "availability")
)

// maxText is the length in bytes of the longest text that is read as a number,
// a date or the like.
const maxText = 200

// Fold returns text in lower case without accents, its white space collapsed.
func Fold(text string) string { return strings.Join(strings.Fields(lowerBare(text)), " ") }

func lowerBare(text string) string {
	if !isASCII(text) {
		text = strings.Map(bareLetter, norm.NFKD.String(text))
	}
	return strings.ToLower(text)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// bareLetter is a letter without what norm does not know for an accent.
func bareLetter(r rune) rune {
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
}

// Key returns the letters and digits of text in lower case without accents:
// what two spellings of one word have in common.
func Key(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, lowerBare(text))
}

var vocabulary = lexicon.Pattern(`^(?:https?://(?:www\.)?schema\.org/|schema:)`)

// CutVocabulary returns the last part of an address of schema.org, and other
// text as it is: "https://schema.org/InStock" is InStock.
func CutVocabulary(text string) string { return vocabulary().ReplaceAllString(text, "") }

// spaces are the characters that part words, also those that break no line.
const spaces = " \t\n\r\f\v\u0085\u00A0\u2007\u2009\u202F\u3000"

// AfterLast returns what follows the last of some characters in a text; all of
// it where there is none.
func AfterLast(s, chars string) string {
	i := strings.LastIndexAny(s, chars)
	if i < 0 {
		return s
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[i+size:]
}

// HasDigit reports whether a text has a figure in it, and IsDigits whether it is
// made of them.
func HasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// IsDigits is described at [HasDigit].
func IsDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// matches reports whether a text that is short enough to be a value has a pattern.
func matches(pattern func() *regexp.Regexp, text string) bool {
	return len(text) <= maxText && pattern().MatchString(text)
}
