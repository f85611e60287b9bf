package mention

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/shorten"
)

// IsTradeNumber reports whether a text is a GTIN of 8, 12, 13 or 14 digits,
// whose last one checks the others (GS1 General Specifications, 7.9).
func IsTradeNumber(s string) bool {
	if !IsDigits(s) || !slices.Contains([]int{8, 12, 13, 14}, len(s)) {
		return false
	}
	sum := 0
	for i, c := range s {
		sum += int(c-'0') * (1 + (len(s)-i+1)%2*2)
	}
	return sum%10 == 0
}

// IsBookNumber reports whether a text is an ISBN of 10 or 13 digits, with or
// without hyphens, whose last one checks the others (ISO 2108). That of 13 is a
// GTIN.
func IsBookNumber(s string) bool {
	s = strings.NewReplacer("-", "", " ", "", "‐", "", "–", "", "x", "X").Replace(s)
	if len(s) != 10 {
		return len(s) == 13 && s[:2] == "97" && IsTradeNumber(s)
	}
	sum := 0
	for i, c := range s {
		at := strings.IndexRune("0123456789X", c)
		if at < 0 || at == 10 && i < 9 {
			return false
		}
		sum += at * (10 - i)
	}
	return sum%11 == 0
}

var (
	code       = lexicon.Pattern(`^(?:[-\pL_./#+]*[0-9]){3,}[-\pL_./#+]*$`)
	letterCode = lexicon.Pattern(`^[A-Z]+(?:-[A-Z]+){2,}$`)
	// codeBefore is a number with what describes it.
	codeBefore = lexicon.Pattern(`^\s*([-\pL0-9_./#+]+) ([^0-9]*\p{Ll}[^0-9]*)$`)
)

// maxCode is how long the number of a thing is, in bytes.
const maxCode = 40

// IsCode reports whether a word may be the number of a thing that is sold: it
// has at least three digits, letters and few signs, and is no address.
func IsCode(s string) bool {
	return len(s) <= maxCode && matches(code, s) && !strings.Contains(s, "//")
}

// IsLetterCode reports whether a text is the number of a thing without a digit:
// capital letters in three groups or more, "AB-CDE-F".
func IsLetterCode(s string) bool { return len(s) >= 6 && len(s) <= maxCode && matches(letterCode, s) }

// maxShortCode is the length of a number with one or two digits, in bytes: codes of
// coupons are words, and longer.
const maxShortCode = 10

// IsShortCode reports whether a text is one word that is the number of a thing where
// its label or element says so: it has a digit, and no more signs than such have.
func IsShortCode(s string) bool {
	return len(s) >= 3 && len(s) <= maxShortCode && HasDigit(s) && !IsDate(s) && !strings.ContainsFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_./#+", c)
	})
}

// LeadingCode returns the number that a text begins with and then describes:
// "TE502955-1293415 Housse" is TE502955-1293415. It is the text itself where
// there are several numbers, or none.
func LeadingCode(s string) string {
	if m := codeBefore().FindStringSubmatch(s); m != nil && IsCode(m[1]) {
		return m[1]
	}
	return s
}

// FirstCode returns the number of a thing that a text begins with, perhaps in
// groups of figures ("175004 5066"), or "".
func FirstCode(s string) string {
	if len(s) > MaxLabelled {
		return ""
	}
	if all := strings.Trim(s, CodeSigns); len(all) >= 6 && len(all) <= maxCode && strings.Contains(all, " ") && IsDigits(strings.ReplaceAll(all, " ", "")) {
		return all
	}
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	word = strings.Trim(word, ",.;:()[]〉】|*")
	if IsCode(word) && !IsDate(word) {
		return word
	}
	return ""
}

// MayBeCode reports whether a text may be the number of a thing: short, and with a
// figure, without a label before it. A "Reference" is also a book or a chapter.
func MayBeCode(s string) bool {
	return IsLetterCode(s) || len(s) <= maxShort && strings.Count(s, " ") < 4 && HasDigit(s) && !labelBefore().MatchString(s)
}

// labelBefore is a text with a label before the number: "Example: 3234567890126".
var labelBefore = lexicon.Pattern(`^\pL{4,}[ :]*:\s`)

// CodeSigns are what stands between the label of the number of a thing and the
// number.
const CodeSigns = " \u00A0.:：#№°º*)|>-–]"

// codeLabels are the labels of the numbers of things: those that mean that by
// themselves, and those that mean other things, too, as "code" does.
var codeLabels = openingsOf("number", "signed number")

// LabelledCode returns the label of the number of a thing that a text begins with,
// "" where there is none, what stands behind it, and whether it means nothing else. A
// label that means other things too needs a sign behind it.
func LabelledCode(s string) (label, rest string, only bool) {
	s = strings.TrimLeft(s, " (〈【[*•-")
	if s == "" || codeLabels()[s[0]] == nil {
		return "", "", false
	}
	lower := strings.ToLower(shorten.Prefix(s, MaxLabel))
	for _, l := range codeLabels()[s[0]] {
		if !strings.HasPrefix(lower, l.words) || len(lower) > len(s) {
			continue
		}
		rest, only := s[len(l.words):], l.list == "number"
		if c, _ := utf8.DecodeRuneInString(rest); isLetterOfWord(c) || unicode.IsDigit(c) {
			continue
		}
		if c, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \u00A0")); only || strings.ContainsRune(".:：#№", c) {
			return l.words, strings.TrimLeft(rest, CodeSigns), only
		}
	}
	return "", "", false
}
