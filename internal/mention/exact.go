package mention

import (
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/schema"
)

// Exact is [Number] for a text that says one number and nothing that leaves it
// open: no range, no bound, no "about", no date. The decimals are those that are
// written. Where whole is wanted, what has parts is none, and 1.234 is more than
// a thousand in any language. The sign may stand before or behind the currency,
// and brackets around an amount are a sign, too.
func Exact(text, lang string, whole bool) (string, bool) {
	text = strings.TrimSpace(text)
	found := scanNumbers(text[:min(len(text), maxText)])
	if len(text) > maxText || len(found) != 1 || countWords(text) > maxWords {
		return "", false
	}
	figures, before, after := text[found[0].from:found[0].to], text[:found[0].from], text[found[0].to:]
	digits, ok := plainDigits(figures, lang, whole && strings.Contains(figures, "."))
	if !ok || isOpen(before, after) || gluedBefore(strings.TrimSuffix(before, "#")) || gluedAfter(after) {
		return "", false
	}
	if digits, ok = scale(digits, strings.TrimLeft(after, " ")); !ok {
		return "", false
	}
	if n, fraction, _ := strings.Cut(digits, "."); whole && strings.Trim(fraction, "0") != "" {
		return "", false
	} else if whole {
		digits = n
	}
	if len(digits) > maxDigits || !schema.NumberOK(digits) {
		return "", false
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

var (
	// bounds are words that make of a number less than one, or a date.
	bounds = strings.Fields(`less more than under over about approx approximately around circa ca nearly almost roughly least most fewer below above
		exceeding minimum maximum max plus beyond within starting etwa rund uber unter mindestens hochstens
		monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun`)
	// boundsBefore are so only in front of the number: "5 min" are minutes.
	boundsBefore = strings.Fields("min from to until till by since between ab bis von")
	boundMarks   = "<>≤≥≦≧~≈±≲≳"
	// goesOn says that the number is a lower end: "18+", "5-". A Swiss "5.-" is not.
	goesOn = lexicon.Pattern(`^\s?[+\-−–—](\s|\pL|\p{Sc}|$)`)
)

// isOpen reports whether what stands around a number compares it, says that it
// is not exact, or makes it a date: "less than 5", "12 May", "5 mil".
func isOpen(before, after string) bool {
	if strings.ContainsAny(before+after, boundMarks) || goesOn().MatchString(after) {
		return true
	}
	says := func(text string, more ...string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(Fold(text), func(r rune) bool { return !unicode.IsLetter(r) }), func(w string) bool {
			return slices.Contains(bounds, w) || slices.Contains(more, w) || months()[w] != ""
		})
	}
	return says(before, boundsBefore...) || says(after, "mil")
}

var (
	minusBefore = lexicon.Pattern(`(^|[\s(])[-−–](\p{Sc}\s?)?$|\p{Sc}\s?[-−–]$`)
	openBefore  = lexicon.Pattern(`^\s*\(\s*\p{Sc}?\s*$`)
)

// saysMinus knows the signs and the brackets of accounts.
func saysMinus(before, after string) bool {
	return minusBefore().MatchString(before) || openBefore().MatchString(before) && strings.HasPrefix(strings.TrimSpace(after), ")")
}
