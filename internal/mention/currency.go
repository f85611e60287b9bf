package mention

import "strings"

// Currency returns the ISO 4217 code of the currency that a text names, by its
// sign or its code; the text may be a price. A plain dollar sign is taken for
// that of the United States, as a plain ¥ for that of Japan.
func Currency(text string) (string, bool) {
	if len(text) > maxText {
		return "", false
	}
	for _, s := range currencySigns {
		if strings.Contains(text, s.sign) {
			return s.code, true
		}
	}
	found := ""
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 0x80 }) {
		code := currencyWords[strings.ToLower(word)]
		if code == "" && isCurrencyCode[word] {
			code = word
		}
		if code != "" && found != "" && code != found {
			return "", false
		}
		found = max(found, code)
	}
	return found, found != ""
}

// CurrencyIn is [Currency] for a page in a language, a tag such as zh-CN: a plain
// ¥ is the currency of China on a Chinese page.
func CurrencyIn(text, lang string) (string, bool) {
	code, ok := Currency(text)
	if code == "JPY" && (lang == "zh" || strings.HasPrefix(strings.ToLower(lang), "zh-")) && strings.ContainsAny(text, "¥￥") {
		code = "CNY"
	}
	return code, ok
}

func hasCurrency(text string) bool {
	_, ok := Currency(text)
	return ok
}

// currencySigns are tried in order: longer signs first.
var currencySigns = []struct{ sign, code string }{
	{"US$", "USD"}, {"AU$", "AUD"}, {"CA$", "CAD"}, {"NZ$", "NZD"}, {"HK$", "HKD"}, {"R$", "BRL"}, {"A$", "AUD"}, {"C$", "CAD"}, {"S$", "SGD"},
	{"MX$", "MXN"}, {"€", "EUR"}, {"£", "GBP"}, {"¥", "JPY"}, {"￥", "JPY"}, {"₹", "INR"}, {"₽", "RUB"}, {"₩", "KRW"}, {"₺", "TRY"}, {"₪", "ILS"}, {"₫", "VND"},
	{"₴", "UAH"}, {"₱", "PHP"}, {"฿", "THB"}, {"₦", "NGN"}, {"zł", "PLN"}, {"Kč", "CZK"}, {"円", "JPY"}, {"원", "KRW"}, {"$", "USD"},
}

var currencyWords = map[string]string{
	"euro": "EUR", "euros": "EUR", "dollars": "USD", "pounds": "GBP", "franken": "CHF", "sfr": "CHF", "rs": "INR", "lei": "RON", "ft": "HUF",
}

var isCurrencyCode = setOf("AED", "ARS", "AUD", "BGN", "BHD", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP", "EUR", "GBP",
	"HKD", "HRK", "HUF", "IDR", "ILS", "INR", "ISK", "JPY", "KES", "KRW", "KWD", "KZT", "MAD", "MXN", "MYR", "NGN", "NOK", "NZD", "PEN",
	"PHP", "PKR", "PLN", "QAR", "RON", "RSD", "RUB", "SAR", "SEK", "SGD", "THB", "TRY", "TWD", "UAH", "USD", "UYU", "VND", "ZAR")
