package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

// maxMoney is the length of an amount of money at most, in bytes.
const maxMoney = 40

// IsMoney reports whether a text is one amount of money and nothing more: a
// number with a sign or the code of a currency, "from" and "now" aside.
func IsMoney(s string) bool {
	if len(s) > maxMoney {
		return false
	}
	rest, ok := withoutNumber(withPoint(s))
	if !ok {
		return false
	}
	currency := false
	for word := range strings.FieldsSeq(strings.ToLower(brackets.Replace(rest))) {
		word = strings.Trim(word, ".,:-–*/~〜～")
		switch {
		case word == "", is("besideMoney", word):
		case currency || !IsCurrency(word):
			return false
		default:
			currency = true
		}
	}
	return currency || isDashed(s)
}

// withPoint writes an amount whose currency stands for its point with a point: "39€99"
// is 39.99 €.
func withPoint(s string) string {
	if len(s) <= maxMoney && strings.ContainsAny(s, "€£$") {
		return signPoint().ReplaceAllString(s, "$1.$3 $2")
	}
	return s
}

var signPoint = lexicon.Pattern(`^(\d{1,5})\s?([€£$])\s?(\d{2})$`)

var brackets = strings.NewReplacer("(", " ", ")", " ", "（", " ", "）", " ")

// isDashed reports whether a text is a number with a dash for its cents, which only
// amounts of money have: "499,-", "1 299:-".
func isDashed(s string) bool { return matches(dashed, s) }

var dashed = lexicon.Pattern(`\d[.,:][-–—]{1,2}\s*$`)

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
