package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMoney is the length of an amount of money at most, in bytes.
const maxMoney = 40

// IsMoney reports whether a text is one amount of money and nothing more: a
// number with a sign or the code of a currency, "from" and "now" aside.
func IsMoney(s string) bool {
	if len(s) > maxMoney {
		return false
	}
	rest, ok := withoutNumber(s)
	if !ok {
		return false
	}
	currency := false
	for word := range strings.FieldsSeq(strings.ToLower(rest)) {
		word = strings.Trim(word, ".,:-–*()/")
		switch {
		case word == "", is("besideMoney", word):
		case currency || !IsCurrency(word):
			return false
		default:
			currency = true
		}
	}
	return currency
}

// withoutNumber takes the one number out of a text; ok is false where there
// are none or several.
func withoutNumber(s string) (rest string, ok bool) {
	start := strings.IndexAny(s, "0123456789")
	if start < 0 {
		return "", false
	}
	after := strings.TrimLeftFunc(s[start:], func(c rune) bool { return unicode.IsDigit(c) || strings.ContainsRune(".,' ’\u202F", c) })
	return s[:start] + " " + after, !strings.ContainsAny(after, "0123456789")
}

// IsCurrency reports whether a word in lower case is the sign or code of a
// currency, perhaps with letters that say of which country it is: US$.
func IsCurrency(word string) bool {
	c, size := utf8.DecodeLastRuneInString(word)
	before := word[:len(word)-size]
	return is("currency", word) || unicode.Is(unicode.Sc, c) && (before == "" || is("beforeSign", before))
}
