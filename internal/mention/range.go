package mention

import (
	"strconv"
	"strings"
)

// Range reads the two ends of a range of amounts, as [Number] reads one: "1.299
// - 1.499 €" in German. Both are of the currency that stands at either. The
// lower end is first; a text that has no such range has none.
func Range(text, lang string) (low, high string, ok bool) {
	if len(text) > maxText || countWords(text) > maxWords {
		return "", "", false
	}
	spans := scanNumbers(text)
	if len(spans) != 2 || !isSpan[strings.Trim(Fold(text[spans[0].to:spans[1].from]), spanSigns)] {
		return "", "", false
	}
	money := hasCurrency(text)
	var ends [2]string
	for i, s := range spans {
		digits, whole := plainDigits(text[s.from:s.to], lang, money)
		if !whole || gluedBefore(strings.TrimLeft(text[:s.from], "-–—")) || gluedAfter(text[s.to:]) {
			return "", "", false
		}
		if ends[i], whole = scale(digits, text[s.to:]); !whole {
			return "", "", false
		}
		ends[i] = trimNumber(ends[i])
	}
	a, err := strconv.ParseFloat(ends[0], 64)
	b, err2 := strconv.ParseFloat(ends[1], 64)
	return ends[0], ends[1], err == nil && err2 == nil && a < b
}

// spanSigns are what stands around the word or the dash of a range.
const spanSigns = " \u00a0\u202f$€£¥"

var isSpan = setOf("-", "–", "—", "to", "bis", "a", "until", "tot", "au", "hasta", "ate", "eur -", "usd -", "gbp -", "chf -", "- eur", "- usd", "- gbp", "- chf")
