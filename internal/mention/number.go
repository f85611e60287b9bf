package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/schema"
)

// Number reads a number as people write it and returns it as JSON does:
// "1.234,56 €", "$1,299", "from 12", "4.5 out of 5", "1.2k", "20 %". Of a range
// it is the lower end. Where a separator could be for thousands or for
// decimals, the language of the page decides; it is a tag such as "de-CH", or
// "". A text with several numbers, or more words than a unit has, is none.
func Number(text, lang string) (string, bool) {
	text = strings.TrimSpace(text)
	if schema.NumberOK(text) {
		return trimNumber(text), true
	}
	if len(text) > maxText {
		return "", false
	}
	text = withoutNotes(text)
	found := scanNumbers(text)
	i := choose(text, found)
	if i < 0 || countWords(text) > maxWords {
		return "", false
	}
	n := found[i]
	money := hasCurrency(text)
	digits, ok := plainDigits(text[n.from:n.to], lang, money)
	if !ok || gluedBefore(text[:n.from]) || gluedAfter(text[n.to:]) && !(money && text[n.to] == '/') {
		return "", false
	}
	digits, ok = scale(digits, text[n.to:])
	if !ok || !schema.NumberOK(digits) {
		return "", false
	}
	if n.negative {
		digits = "-" + digits
	}
	return trimNumber(digits), true
}

// Integer is [Number] for whole numbers; others are none.
func Integer(text, lang string) (string, bool) {
	n, ok := Number(text, lang)
	if !ok || strings.ContainsAny(n, ".eE") {
		return "", false
	}
	return n, true
}

// Count is [Integer] for how many of something there are, of which there is no
// part: 1.234 are more than a thousand in any language.
func Count(text, lang string) (string, bool) {
	if n, ok := Integer(text, lang); ok {
		return n, true
	}
	if digits := strings.TrimSpace(text); len(digits) <= maxText && grouped().MatchString(digits) {
		return strings.NewReplacer(".", "", ",", "").Replace(digits), true
	}
	return "", false
}

var grouped = lexicon.Pattern(`^[1-9][0-9]{0,2}(?:[.,][0-9]{3})+$`)

// Said is [Number] for what people read on a page, where 2.800 by itself is more
// than two thousand in the languages that set off thousands so, and as money in
// all. A number that is written for machines is read by [Number].
func Said(text, lang string, money bool) (string, bool) {
	if digits := strings.TrimSpace(text); len(digits) <= maxText && grouped().MatchString(digits) {
		if n, ok := plainDigits(digits, lang, money); ok {
			return trimNumber(n), true
		}
	}
	return Number(text, lang)
}

// maxWords is how many words may stand around a number: "based on 12 reviews".
const maxWords = 4

func countWords(text string) int {
	n := 0
	for w := range strings.FieldsSeq(text) {
		if strings.IndexFunc(w, unicode.IsLetter) >= 0 {
			n++
		}
	}
	return n
}

// span is where a number stands in a text.
type span struct {
	from, to int
	negative bool
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// scanNumbers finds the numbers, with the separators inside them.
func scanNumbers(text string) []span {
	var found []span
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			continue
		}
		end := endOfNumber(text, i)
		found = append(found, span{i, end, isNegative(text[:i])})
		i = end - 1
	}
	return found
}

// endOfNumber returns where the number ends that begins at i. A space separates
// only groups of three digits.
func endOfNumber(text string, i int) int {
	for {
		for i < len(text) && isDigit(text[i]) {
			i++
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		next := i + size
		switch {
		case strings.ContainsRune(".,'’", r) && next < len(text) && isDigit(text[next]):
			i = next
		case isGroupSpace(r) && isGroup(text[next:]):
			i = next
		default:
			return i
		}
	}
}

// isNegative reports whether a minus sign stands before a number, and no word
// or number before that: a dash is no sign.
func isNegative(before string) bool {
	before = strings.TrimRight(before, " $€£¥")
	rest, ok := strings.CutSuffix(before, "-")
	if !ok {
		rest, ok = strings.CutSuffix(before, "−")
	}
	return ok && strings.TrimSpace(rest) == ""
}

// choose returns which of the numbers is meant, -1 for none: the only one, the
// lower of a range, the first of "4 out of 5".
func choose(text string, found []span) int {
	switch len(found) {
	case 1:
		return 0
	case 2:
		between := Fold(text[found[0].to:found[1].from])
		if isBetween[strings.Trim(between, " $€£()")] {
			return 0
		}
	}
	return -1
}

var isBetween = setOf("-", "–", "—", "to", "bis", "a", "until", "out of", "of", "/", "von", "sur", "de", "su", "van", "tot", "au", "hasta", "ate",
	"kg -", "€ -", "- €", "eur -", "€ –", "– €", "- $", "stars out of")

func setOf(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// gluedBefore reports whether a number is part of a word, as in "A4" or "L-7";
// a currency may stand there, and what is set off by a colon.
func gluedBefore(before string) bool {
	run := AfterLast(AfterLast(before, spaces), ":(=")
	if strings.IndexFunc(run, func(r rune) bool { return unicode.IsLetter(r) || r == '_' || r == '#' }) < 0 {
		return false
	}
	_, ok := Currency(run)
	return !ok
}

// gluedAfter reports whether a number is the first part of a word: "12-A".
func gluedAfter(after string) bool {
	if after == "" || !strings.Contains("-_/.", after[:1]) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(after[1:])
	return unicode.IsLetter(r)
}

// scale applies what follows a number and multiplies it: "1.2k", "3 million".
func scale(digits, after string) (string, bool) {
	zeros := 0
	switch word := firstWord(after); {
	case strings.HasPrefix(after, "k") && word == "k", strings.HasPrefix(after, "K") && word == "K":
		zeros = 3
	case strings.HasPrefix(after, "M") && word == "M":
		zeros = 6
	default:
		zeros = scaleWords[Fold(word)]
	}
	if zeros == 0 {
		return digits, true
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(fraction) > zeros {
		return "", false
	}
	return strings.TrimLeft(whole+fraction, "0") + strings.Repeat("0", zeros-len(fraction)), whole+fraction != ""
}

var scaleWords = map[string]int{
	"thousand": 3, "tsd": 3, "tausend": 3, "mille": 3, "mil": 3,
	"million": 6, "millions": 6, "mio": 6, "mn": 6, "millionen": 6, "millones": 6, "milioni": 6, "miljoen": 6, "milhoes": 6,
	"billion": 9, "bn": 9, "mrd": 9, "milliarden": 9, "milliards": 9,
}

// firstWord returns the letters that text begins with, behind white space.
func firstWord(text string) string {
	text = strings.TrimLeft(text, " \u00a0\u202f")
	if i := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }); i >= 0 {
		return text[:i]
	}
	return text
}

// trimNumber returns a JSON number without the zeros that say nothing.
func trimNumber(n string) string {
	if strings.ContainsAny(n, "eE") || !strings.Contains(n, ".") {
		return n
	}
	return strings.TrimSuffix(strings.TrimRight(n, "0"), ".")
}
