package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// maxMoney is the length of an amount of money at most, in bytes.
const maxMoney = 40

// isMoney reports whether a text is one amount of money and nothing more: a
// number with a sign or the code of a currency, "from" and "now" aside.
func isMoney(s string) bool {
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
		case word == "", is("beside money", word):
		case currency || !isCurrency(word):
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
	return s[:start] + " " + after, !hasDigit(after)
}

// isCurrency reports whether a word in lower case is the sign or code of a
// currency, perhaps with letters that say of which country it is: US$.
func isCurrency(word string) bool {
	c, size := utf8.DecodeLastRuneInString(word)
	before := word[:len(word)-size]
	return is("currency", word) || unicode.Is(unicode.Sc, c) && (before == "" || is("before sign", before))
}

// ratingText is a rating in words: 4.5 out of 5, 4,5 von 5, 4.5/5, 4.5 stars.
var ratingText = lexicon.Pattern(`(?i)^\D{0,24}\d{1,2}(?:[.,]\d{1,2})?\s*(?:(?:out\s+of|von|sur|de|su|van|из|af|av|/)\s*(?:5|10)\b.{0,40}|stars?\b.{0,40}|sterne\b.{0,40}|étoiles?\b.{0,40}|estrellas\b.{0,40})$`)

func isRating(s string) bool {
	return len(s) <= maxPattern && (strings.ContainsAny(s, "5/") || strings.Contains(s, "10") || containsFold(s, "st") || strings.Contains(s, "éto")) && ratingText().MatchString(s)
}

// countText is how many have rated: (123 reviews), 1,204 ratings.
var countText = lexicon.Pattern(`(?i)^\(?\d[\d.,]*\s*(?:customer |global |user )?(?:reviews?|ratings?|bewertungen|avis|reseñas|opiniones|recensioni|beoordelingen|avaliações|отзыв(?:а|ов)?)\)?$`)

func isReviewCount(s string) bool { return len(s) <= maxMoney && countText().MatchString(s) }

// dateText is a date and perhaps a time: 2024-05-03, 3.5.2024, 3 May 2024, May
// 3, 2024.
var dateText = lexicon.Pattern(`(?i)^(?:\p{L}{2,12}[,:.]?\s+){0,2}(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?\d{4}|\d{1,2}(?:st|nd|rd|th|\.|er)?\s+(?:de\s+)?\p{L}{3,10}\.?,?\s+(?:de\s+)?\d{4}|\p{L}{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}|\d{4}年\d{1,2}月\d{1,2}日)(?:[T,]?\s?(?:at\s|um\s)?\d{1,2}:\d{2}.{0,20})?$`)

// isDate reports whether a text is a date, and not one of which the words before
// say that it is that of something else.
func isDate(s string) bool {
	if len(s) < 8 || len(s) > 60 || !hasFourDigits(s) || !dateText().MatchString(s) {
		return false
	}
	words := strings.TrimSpace(s[:strings.IndexAny(s, "0123456789")])
	return words == "" || mention.IsMonth(words) || !OtherDate(words)
}
