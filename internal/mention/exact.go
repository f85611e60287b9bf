package mention

import (
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/internal/lexicon"
)

// Exact is [Number] for a text that says one number and nothing that leaves it
// open: no range, no bound, no "about", no date. The decimals are those that are
// written. Where whole is wanted, what has parts is none, and 1.234 is more than
// a thousand in any language. The sign may stand before or behind the currency,
// and brackets around an amount are a sign, too.
func Exact(text, lang string, whole bool) (string, bool) {
	text = strings.ReplaceAll(" "+strings.TrimSpace(text), " #", " ")
	found := numbersIn(text)
	if len(found) != 1 {
		return "", false
	}
	before, after := text[:found[0].from], text[found[0].to:]
	digits, ok := found[0].read(text, lang, whole && strings.Contains(text, "."))
	n, fraction, _ := strings.Cut(digits, ".")
	if !ok || isOpen(before, after) || len(digits) > maxDigits || whole && strings.Trim(fraction, "0") != "" {
		return "", false
	}
	if whole {
		digits = n
	}
	if saysMinus(before, after) && strings.Trim(digits, "0.") != "" {
		digits = "-" + digits
	}
	return digits, true
}

// Exact is [Exact] for an amount, in the unit: "1.35 kg" are 1350 g. The number
// of a text that says no unit is [Bare].
func (u Unit) Exact(text, lang string) (string, Fit) {
	number, ok := Exact(text, lang, false)
	if !ok {
		return "", Unfit
	}
	if seconds, ok := Duration(text); ok && u.Seconds() > 0 { // "5 min", which elsewhere are a bound
		if n, ok := In(seconds, u.Seconds()); ok {
			return n, Converted
		}
	}
	if n, fit := u.In(text, lang); fit != Bare {
		return n, fit
	}
	return number, Bare
}

// goesOn says that the number before is a lower end: "18+", "5-". A Swiss "5.-" is not.
var goesOn = lexicon.Pattern(`^\s?[+\-−–—](\s|\pL|\p{Sc}|$)`)

// isOpen reports whether what stands around a number compares it, says that it
// is not exact, or makes it a date: "less than 5", "12 May", "5 mil".
func isOpen(before, after string) bool {
	says := func(text, more string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(Fold(text), func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool {
			return is("bounds", w) || is(more, w) || monthNumbers()[w] != ""
		})
	}
	return strings.ContainsAny(before+after, "<>≤≥≦≧~≈±≲≳") || goesOn().MatchString(after) || says(before, "boundsBefore") || says(after, "boundsBehind")
}

var (
	minusBefore = lexicon.Pattern(`(^|[\s(])[-−–](\p{Sc}\s?)?$|\p{Sc}\s?[-−–]$`)
	openBefore  = lexicon.Pattern(`^\s*\(\s*\p{Sc}?\s*$`)
)

// saysMinus knows the signs and the brackets of accounts.
func saysMinus(before, after string) bool {
	return minusBefore().MatchString(before) || openBefore().MatchString(before) && strings.HasPrefix(strings.TrimSpace(after), ")")
}
