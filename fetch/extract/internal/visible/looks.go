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
		case word == "":
		case isCurrency(word) && !currency:
			currency = true
		case besideMoney[word]:
		default:
			return false
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
	end := start
	for end < len(s) {
		c, size := utf8.DecodeRuneInString(s[end:])
		if !unicode.IsDigit(c) && !strings.ContainsRune(".,' ’\u202F", c) {
			break
		}
		end += size
	}
	rest = s[:start] + " " + s[end:]
	return rest, !hasDigit(rest)
}

// besideMoney are words that stand with an amount.
var besideMoney = setOf("from now only ab nur jetzt price preis prix precio prezzo cena цена our sale regular inkl incl mwst vat tax ttc each pro stück dès à partir de desde da od was was: war statt")

// isCurrency reports whether a word in lower case is the sign or code of a
// currency.
func isCurrency(word string) bool {
	if currencies[word] {
		return true
	}
	c, size := utf8.DecodeLastRuneInString(word)
	if !unicode.Is(unicode.Sc, c) {
		return false
	}
	before := word[:len(word)-size]
	return before == "" || beforeSign[before]
}

// beforeSign are the letters before a sign that say of which country it is: US$.
var beforeSign = setOf("us ca c au a nz hk nt sg s mx mex ar cl clp col cop uy tt jm j bz b rd bds fj ec ba z n t r gb uk eu jp cn rmb cny usd cad aud nzd hkd sgd twd eur gbp jpy")

var currencies = setOf("€ $ £ ¥ ₹ ₽ ₩ ₪ ₫ ₴ ₺ zł kč kr kr. ft lei лв руб руб. р р. тг ден din. kn chf usd eur gbp jpy cny inr rub krw ils uah try pln czk sek nok dkk " +
	"huf ron bgn aud cad nzd hkd sgd twd thb brl mxn zar aed sar r$ s/ s/. rs rs. rm ntd nt$ hk$ us$ au$ ca$ c$ a$ nz$ ca$h fr fr. sfr 元 円 원 บาท euro euros dollars")

// ratingText is a rating in words: 4.5 out of 5, 4,5 von 5, 4.5/5, 4.5 stars.
var ratingText = lexicon.Pattern(`(?i)^\D{0,24}\d{1,2}(?:[.,]\d{1,2})?\s*(?:(?:out\s+of|von|sur|de|su|van|из|af|av|/)\s*(?:5|10)\b.{0,40}|stars?\b.{0,40}|sterne\b.{0,40}|étoiles?\b.{0,40}|estrellas\b.{0,40})$`)

func isRating(s string) bool {
	return len(s) <= maxPattern && (strings.ContainsAny(s, "5/") || strings.Contains(s, "10") || strings.Contains(strings.ToLower(s), "st") || strings.Contains(s, "éto")) && ratingText().MatchString(s)
}

// countText is how many have rated: (123 reviews), 1,204 ratings.
var countText = lexicon.Pattern(`(?i)^\(?\d[\d.,]*\s*(?:customer |global |user )?(?:reviews?|ratings?|bewertungen|avis|reseñas|opiniones|recensioni|beoordelingen|avaliações|отзыв(?:а|ов)?)\)?$`)

func isReviewCount(s string) bool { return len(s) <= maxMoney && countText().MatchString(s) }

// dateText is a date and perhaps a time: 2024-05-03, 3.5.2024, 3 May 2024, May
// 3, 2024.
var dateText = lexicon.Pattern(`(?i)^(?:\p{L}{2,12}[,:.]?\s+){0,2}(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?\d{4}|\d{1,2}(?:st|nd|rd|th|\.|er)?\s+(?:de\s+)?\p{L}{3,10}\.?,?\s+(?:de\s+)?\d{4}|\p{L}{3,10}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}|\d{4}年\d{1,2}月\d{1,2}日)(?:[T,]?\s?(?:at\s|um\s)?\d{1,2}:\d{2}.{0,20})?$`)

func isDate(s string) bool {
	return len(s) >= 8 && len(s) <= 60 && hasFourDigits(s) && dateText().MatchString(s) && !isOtherDate(s[:strings.IndexAny(s, "0123456789")])
}

// isOtherDate reports whether words before a date, other than the name of a month,
// say that it is that of something else.
func isOtherDate(words string) bool {
	words = strings.TrimSpace(words)
	return words != "" && !mention.IsMonth(words) && OtherDate(words)
}

func startsUpper(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(c) || unicode.Is(unicode.Lo, c)
}
