package mention

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/schema"
)

// Number reads a number as people write it and returns it as JSON does:
// "1.234,56 €", "$1,299", "from 12", "4.5 out of 5", "1.2k", "20 %", "1 ½ cups".
// Of a range it is the
// lower end. Where a separator could be for thousands or for decimals, the
// language of the page decides; it is a tag such as "de-CH", or "". A text with
// several numbers, an upper bound, or more words than a unit has, is none.
func Number(text, lang string) (string, bool) {
	text = strings.TrimSpace(text)
	if schema.NumberOK(text) {
		return trimNumber(text), true
	}
	text = plainFractions(withPoint(withoutNotes(text)))
	found := numbersIn(text)
	if !isOne(text, found) || strings.ContainsAny(text, "<≤≦") {
		return "", false
	}
	_, money := Currency(text)
	n, ok := found[0].read(text, lang, money)
	if !ok {
		return "", false
	}
	return trimNumber(found[0].sign(text) + n), true
}

// Count is [Number] for how many of something there are, of which there is no
// part: 1.234 are more than a thousand in any language.
func Count(text, lang string) (string, bool) {
	if n, ok := Said(text, lang, true); ok && !strings.ContainsAny(n, ".eE") {
		return n, true
	}
	return "", false
}

var grouped = lexicon.Pattern(`^[1-9][0-9]{0,2}(?:[.,][0-9]{3})+$`)

// Said is [Number] for what people read on a page, where 2.800 by itself is more
// than two thousand in the languages that set off thousands so, and as money in
// all. A number that is written for machines is read by [Number].
func Said(text, lang string, money bool) (string, bool) {
	if digits := strings.TrimSpace(text); matches(grouped, digits) {
		if n, ok := plainDigits(digits, lang, money); ok {
			return trimNumber(n), true
		}
	}
	return Number(text, lang)
}

// note is what stands behind a number of a table and is no part of it: the mark
// of a note, and the year of the count.
var note = lexicon.Pattern(`^(.+?)(?:\s*(?:\[[0-9a-z]{1,3}\]|\((?:[\pL.]{1,10} ){0,3}(?:1[5-9]|20)[0-9]{2}(?: [\pL.]{1,10})?\))){1,3}$`)

// withoutNotes takes notes off the end of a text: "12,345 (2020)[1]".
func withoutNotes(text string) string {
	if len(text) <= maxText && (strings.HasSuffix(text, ")") || strings.HasSuffix(text, "]")) {
		return note().ReplaceAllString(text, "$1")
	}
	return text
}

// betweenNumbers is what parts the numbers of a list.
var betweenNumbers = lexicon.Pattern(`\s*[;|]\s*|\s+/\s+|\s*,\s+(?:(?:and|und|et|y|e|en)\s+)?|\s+(?:and|und|et|y|en|&)\s+`)

// SplitNumbers returns the texts of the numbers of a list of them: "38, 39 and 40",
// "38,5; 39". What has other things in it is one text.
func SplitNumbers(text string) []string {
	parts := betweenNumbers().Split(text, -1)
	for _, part := range parts {
		if len(text) > maxText || len(scanNumbers(part)) != 1 {
			return []string{text}
		}
	}
	return parts
}

// maxWords is how many words may stand around a number: "based on 12 reviews".
const maxWords = 4

func countWords(text string) (n int) {
	for w := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(w, unicode.IsLetter) {
			n++
		}
	}
	return n
}

// span is where a number stands in a text.
type span struct{ from, to int }

// numbersIn finds the numbers of a text that is short enough, and has no more
// words than a number may have around it.
func numbersIn(text string) []span {
	if len(text) > maxText || countWords(text) > maxWords {
		return nil
	}
	return scanNumbers(text)
}

// scanNumbers finds the numbers, with the separators inside them.
func scanNumbers(text string) (found []span) {
	for i := 0; i < len(text); i++ {
		if isDigit(text[i]) {
			end := endOfNumber(text, i)
			found = append(found, span{i, end})
			i = end - 1
		}
	}
	return found
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// endOfNumber returns where the number ends that begins at i. A space separates
// only groups of three digits.
func endOfNumber(text string, i int) int {
	for {
		for i < len(text) && isDigit(text[i]) {
			i++
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		rest := text[i+size:]
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 || r != '.' && r != ',' && (digits != 3 || r != '\'' && r != '’' && !isGroupSpace(r)) {
			return i
		}
		i += size
	}
}

func isGroupSpace(r rune) bool { return strings.ContainsRune(" \u00a0\u202f\u2009", r) }

// isOne reports whether the first of the numbers is meant: the only one, the
// lower of a range, the first of "4 out of 5".
func isOne(text string, found []span) bool {
	return len(found) == 1 || len(found) == 2 && (is("span", between(text, found)) || is("outof", between(text, found)))
}

// between is what stands between two numbers, without the signs of currencies.
func between(text string, found []span) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" $€£¥()", r) {
			return -1
		}
		return r
	}, Fold(text[found[0].to:found[1].from]))
}

// read returns a number, with the word behind it that multiplies it.
func (s span) read(text, lang string, money bool) (string, bool) {
	after := text[s.to:]
	digits, ok := plainDigits(text[s.from:s.to], lang, money)
	if !ok || isGlued(text[:s.from]) || matches(gluedAfter, after) && !(money && after[0] == '/') {
		return "", false
	}
	digits, ok = scale(digits, after, money)
	return digits, ok && schema.NumberOK(digits)
}

var minus = lexicon.Pattern(`^\s*[$€£¥]?\s?[-−][ $€£¥]*$`)

// sign is a minus before a number, with no word or number before that: a dash is no sign.
func (s span) sign(text string) string {
	if matches(minus, text[:s.from]) {
		return "-"
	}
	return ""
}

// gluedAfter is behind a number that is the first part of a word: "12-A".
var gluedAfter = lexicon.Pattern(`^[-_/.]\pL`)

// isGlued reports whether a number is part of a word, as in "A4" or "L-7"; a
// currency may stand there, and what is set off by a colon.
func isGlued(before string) bool {
	run := AfterLast(before, spaces+":(=")
	if !strings.ContainsFunc(run, func(r rune) bool { return unicode.IsLetter(r) || r == '_' || r == '#' }) {
		return false
	}
	_, money := Currency(run)
	return !money
}

// zeros are how many a word adds to the number before it, which may be an amount of money.
func zeros(word string, money bool) int {
	switch {
	case word == "M", word == "m" && money:
		return 6
	case word == "B" && money:
		return 9
	case word == "T" && money:
		return 12
	}
	folded := Fold(word)
	if c, size := utf8.DecodeRuneInString(folded); unicode.Is(unicode.Han, c) { // "12万円"
		folded = folded[:size]
	}
	n, _ := strconv.Atoi(scales()[folded])
	return n
}

var scales = lexicon.ByWord(files, "scale")

// scale applies what follows a number and multiplies it: "1.2k", "3 million".
func scale(digits, after string, money bool) (string, bool) {
	n := zeros(firstWord(after), money)
	if n == 0 {
		return digits, true
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	if len(fraction) > n {
		return "", false
	}
	return cmp.Or(strings.TrimLeft(whole+fraction+strings.Repeat("0", n-len(fraction)), "0"), "0"), true
}

// firstWord returns the letters that text begins with, behind white space.
func firstWord(text string) string {
	text = strings.TrimLeft(text, " \u00a0\u202f")
	return text[:len(text)-len(strings.TrimLeftFunc(text, unicode.IsLetter))]
}

// trimNumber returns a JSON number without the zeros that say nothing.
func trimNumber(n string) string {
	if strings.ContainsAny(n, "eE") || !strings.Contains(n, ".") {
		return n
	}
	return strings.TrimSuffix(strings.TrimRight(n, "0"), ".")
}

// plainDigits takes the separators out of a number.
func plainDigits(text, lang string, money bool) (string, bool) {
	text = strings.Map(func(r rune) rune {
		if isGroupSpace(r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, text)
	whole, fraction := text, ""
	if point := decimalMark(text, lang, money); point >= 0 {
		whole, fraction = text[:point], text[point+1:]
	}
	if !matches(groups, whole) {
		return "", false
	}
	whole = strings.TrimLeft(strings.NewReplacer(".", "", ",", "").Replace(whole), "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole, true
}

// groups is a whole number in which every separator is followed by three digits,
// or by two as in India.
var groups = lexicon.Pattern(`^[0-9]+$|^[0-9]*(?:[.,][0-9]{2,3})*[.,][0-9]{3}$`)

// decimalMark returns where the decimals of a number begin, -1 if it has none.
func decimalMark(text, lang string, money bool) int {
	last := strings.LastIndexAny(text, ".,")
	switch {
	case last < 0:
		return -1
	case strings.IndexAny(text, ".,") < last:
		if strings.Count(text, text[last:last+1]) > 1 {
			return -1 // 1.234.567
		}
		return last
	case len(text)-last-1 != 3 || last > 3 || text[0] == '0':
		return last
	case money:
		return -1
	}
	main, region := regionOf(lang)
	comma := is("comma", main) && region != "ch" && (region != "mx" || main != "es")
	if comma != (text[last] == ',') {
		return -1
	}
	return last
}

// regionOf returns the parts of a language tag, in lower case.
func regionOf(lang string) (main, region string) {
	main, region, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(lang, "_", "-")), "-")
	return main, region
}
