package secrets

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How a value is recognised. Text and values are compared in a normal form
// (normal.go): compatibility characters and case folded, white space one
// space, what nobody sees left out. The text is looked at as it stands and
// with its escapes undone (escapes.go). Then
//
//   - what has a character that is no letter, or at least foldedLetters
//     letters, is taken out in every case: no ordinary word is like that, or
//     few are;
//   - a short value of letters only may be a word ("Anna", "Sale"). It is
//     taken out as it is written; all in capitals where it stands by itself,
//     as a style sheet shows it; and in every case within a host name, which
//     browsers lower;
//   - a value of at least minLoose characters is also found with other white
//     space, hyphens, dots, slashes and brackets in it, as card numbers are
//     written, and where a page spreads it over several elements;
//   - at the end of a text that was cut, as an ellipsis says, minStart
//     characters of its beginning are enough;
//   - base64 is another alphabet in capitals, so it is taken out only as it is.
const (
	foldedLetters = 8
	minLoose      = 8
	minStart      = 6
	// minInner is the least length of a base64 text that is searched for inside
	// a longer one: it is letters and digits and nothing else, like words are.
	minInner = 6
)

// rule says which occurrences of a pattern are the value.
type rule uint8

const (
	anyCase  rule = iota
	asWord        // see above: a short value of letters
	asIs          // exactly as written
	asNumber      // with no digit beside it
)

// pattern is one way a value may be written, in normal form.
type pattern struct {
	text        string
	placeholder string
	rule        rule
	// written is the text that asWord and asIs compare with.
	written string
}

// use says what a text is that values are searched for in.
type use uint8

const (
	outside use = iota // text of a page or a model
	own                // text of Drover's own with such in it
)

// ruleFor is the rule for a value.
func ruleFor(value string, u use) rule {
	letters := 0
	for _, r := range value {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return anyCase
		}
		letters++
	}
	if letters >= foldedLetters && u == outside {
		return anyCase
	}
	return asWord
}

// patterns are the ways in which a value may turn up in a text whose escapes
// are undone.
func patterns(value, placeholder string, u use) (all []pattern) {
	add := func(text, written string, r rule) {
		if utf8.RuneCountInString(text) >= MinSearched {
			all = append(all, pattern{text, placeholder, r, written})
		}
	}
	for _, v := range []string{value, undone(value)} {
		exact := trimmed(v, false)
		plain := trimmed(v, true)
		add(plain, exact, ruleFor(exact, u))
		if strings.Contains(plain, " ") { // as forms write a space
			add(strings.ReplaceAll(plain, " ", "+"), "", anyCase)
		}
	}
	for _, text := range base64Forms(value) {
		add(strings.ToLower(text), text, asIs)
	}
	add(hex.EncodeToString([]byte(value)), "", anyCase)
	return all
}

// undone is a value with escapes undone, as the text is that it stands in.
func undone(value string) string {
	l := level{text: value}
	for range maxLayers {
		next, ok := l.undo()
		if !ok {
			break
		}
		l = next
	}
	return l.text
}

func trimmed(text string, fold bool) string { return strings.TrimSpace(normalised(text, fold).norm) }

// loosePattern is the value without what is skipped in loose searches.
func loosePattern(value, placeholder string, u use) (pattern, bool) {
	text, _ := normalised(value, true).loose()
	long := utf8.RuneCountInString(text) >= minLoose
	return pattern{text: text, placeholder: placeholder}, long && ruleFor(trimmed(value, false), u) == anyCase
}

// base64Forms returns the value encoded by itself, and the part of the
// encoding that is the same wherever the value stands in a longer text (as in
// "user:password"): that depends on its place modulo 3.
func base64Forms(value string) []string {
	var all []string
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		all = append(all, enc.EncodeToString([]byte(value)), enc.WithPadding(base64.NoPadding).EncodeToString([]byte(value)))
		for before := range 3 {
			if inner := innerBase64(enc, value, before); len(inner) >= minInner {
				all = append(all, inner)
			}
		}
	}
	return all
}

func innerBase64(enc *base64.Encoding, value string, before int) string {
	text := enc.WithPadding(base64.NoPadding).EncodeToString(append(make([]byte, before), value...))
	first := (before*8 + 5) / 6
	last := (before + len(value)) * 8 / 6
	return text[first:last]
}
