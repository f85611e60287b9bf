package plain

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// number forms: digits with marks between them. A space is a mark only before
// three digits.
var numberForm = regexp.MustCompile(`\d(?:[.,'’]?\d|[ \x{00a0}\x{202f}\x{2009}]\d{3}(?:\D|$|\b))*`)

// magnitudes are words behind a number that say how many zeros follow.
var magnitudes = map[string]int{
	"k": 3, "K": 3, "thousand": 3, "tsd": 3, "M": 6, "mn": 6, "mio": 6, "million": 6, "millions": 6, "bn": 9, "billion": 9, "mrd": 9,
}

// decimalComma are the languages that write 1.234,50.
var decimalComma = []string{
	"de", "fr", "es", "it", "nl", "pt", "pl", "cs", "sk", "sl", "hr", "ru", "uk", "bg", "sv", "da", "nb", "nn", "no", "fi", "tr", "el", "hu", "ro", "id", "vi",
}

const maxDigits = 40

// toNumber reads the one number in a text, currency, unit and separators
// aside. A text with two numbers has none.
func toNumber(text, lang string, integer bool) (json.Number, bool) {
	found := numberForm.FindAllStringIndex(text, -1)
	if len(found) != 1 || found[0][1]-found[0][0] > maxDigits {
		return "", false
	}
	from, to := found[0][0], found[0][1]
	if isHedged(text[:from], text[to:]) {
		return "", false
	}
	to = from + len(strings.TrimRight(text[from:to], " \u00a0\u202f\u2009"))
	whole, fraction, ok := separate(text[from:to], lang, integer)
	if !ok {
		return "", false
	}
	whole, fraction = shift(whole, fraction, magnitudes[firstWord(text[to:])])
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if integer {
		if strings.Trim(fraction, "0") != "" {
			return "", false
		}
		fraction = ""
	}
	n := whole
	if fraction != "" {
		n += "." + fraction
	}
	if isNegative(text[:from], text[to:]) && strings.Trim(n, "0.") != "" {
		n = "-" + n
	}
	return json.Number(n), true
}

var (
	// hedges are words that make of a number less than one, or a date.
	hedges = wordSet(`less more than under over about approx approximately around circa ca nearly almost roughly least most fewer below above
		exceeding minimum maximum max plus beyond within starting etwa rund über unter mindestens höchstens
		january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
		januar februar märz mai juni juli oktober dezember monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun`)
	// hedgesBefore are so only in front of the number: "5 min" are minutes.
	hedgesBefore = wordSet("min from to until till by since between ab bis von")
	hedgeMarks   = regexp.MustCompile(`[<>≤≥≦≧~≈±≲≳]`)
	// openAfter says that the number goes on: "18+", "5-". A Swiss "5.-" does not.
	openAfter = regexp.MustCompile(`^\s?[+\-−–—](\s|\pL|\p{Sc}|$)`)
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}

// isHedged reports whether what stands around a number compares it, says that
// it is not exact, or makes it a date: "less than 5", "12 May".
func isHedged(before, after string) bool {
	if hedgeMarks.MatchString(before+after) || openAfter.MatchString(after) {
		return true
	}
	isIn := func(text string, sets ...map[string]bool) bool {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
		return slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(sets, func(set map[string]bool) bool { return set[w] })
		})
	}
	return isIn(before, hedges, hedgesBefore) || isIn(after, hedges)
}

// separate splits a number into digits before and behind the decimal mark.
func separate(s, lang string, integer bool) (whole, fraction string, ok bool) {
	mark := decimalMark(s, lang, integer)
	if i := strings.LastIndex(s, mark); mark != "" && i >= 0 {
		s, fraction = s[:i], s[i+1:]
	}
	groups := strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	for _, g := range groups[1:] {
		if len(g) != 3 { // 1.2.3 is a version
			return "", "", false
		}
	}
	return strings.Join(groups, ""), fraction, true
}

// decimalMark returns the mark that separates the fraction; empty for none.
func decimalMark(s, lang string, integer bool) string {
	dots, commas := strings.Count(s, "."), strings.Count(s, ",")
	switch {
	case dots > 0 && commas > 0:
		if strings.LastIndex(s, ".") > strings.LastIndex(s, ",") {
			return "."
		}
		return ","
	case dots+commas != 1:
		return ""
	}
	mark := "."
	if commas == 1 {
		mark = ","
	}
	i := strings.Index(s, mark)
	if len(s)-i-1 != 3 || i > 3 || s[0] == '0' {
		return mark
	}
	// Three digits behind the only mark: what the language says.
	base, region, _ := strings.Cut(strings.ToLower(lang), "-")
	comma := slices.Contains(decimalComma, base) && region != "ch" && region != "li" && region != "mx"
	if comma == (mark == ",") && (mark == "," || !integer) {
		return mark
	}
	if mark == "." && !comma && !integer {
		return mark
	}
	return ""
}

// shift moves the decimal mark to the right.
func shift(whole, fraction string, by int) (string, string) {
	for len(fraction) < by {
		fraction += "0"
	}
	return whole + fraction[:by], fraction[by:]
}

// firstWord is the word that follows a number, if one does.
func firstWord(s string) string {
	s = strings.TrimLeft(s, " \u00a0")
	end := strings.IndexFunc(s, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') })
	if end >= 0 {
		s = s[:end]
	}
	if len(s) > 2 {
		return strings.ToLower(s)
	}
	return s
}

var (
	minusBefore = regexp.MustCompile(`(^|[\s(])[-−–](\p{Sc}\s?)?$|\p{Sc}\s?[-−–]$`)
	openBefore  = regexp.MustCompile(`^\s*\(\s*\p{Sc}?\s*$`)
)

// isNegative knows the signs and the parentheses of accounts.
func isNegative(before, after string) bool {
	return minusBefore.MatchString(before) || openBefore.MatchString(before) && strings.HasPrefix(strings.TrimSpace(after), ")")
}
