package mention

import "strings"

// A PricedLine is a line of a price list: "Margherita … 8.50".
type PricedLine struct {
	Name, Price string
}

// priceWords is of how many words an amount is at most: "from 12.50 EUR".
const priceWords = 3

// PriceLine reads a line of a price list: a name, and at its end an amount of
// money, or a number behind dots.
func PriceLine(s string) (PricedLine, bool) {
	if len(s) > maxText || !HasDigit(s) {
		return PricedLine{}, false
	}
	at := len(s)
	for range priceWords {
		at = strings.LastIndexByte(s[:at], ' ')
		if at <= 0 {
			return PricedLine{}, false
		}
		price := s[at+1:]
		if !HasDigit(price) {
			continue
		}
		name := strings.TrimRight(s[:at], Leaders)
		if IsMoney(price) || isLed(s[len(name):at+1], price) {
			return Priced(name, price)
		}
	}
	return PricedLine{}, false
}

// Leaders are what leads from a name to its price.
const Leaders = " .…·-–—_|:"

// isLed reports whether a number without a currency is a price for what leads to
// it: dots, or a dash before an amount with cents.
func isLed(lead, number string) bool {
	if len(number) > maxMoney || strings.Trim(number, "0123456789.,") != "" || !HasDigit(number[:1]) {
		return false
	}
	if strings.Contains(lead, "…") || strings.Contains(lead, "...") || strings.Contains(lead, ". .") || strings.Contains(lead, "___") {
		return true
	}
	i := len(number) - 3
	return strings.ContainsAny(lead, "-–—") && i > 0 && (number[i] == '.' || number[i] == ',')
}

// Priced returns the line of a name and a price, unless the name is none of a thing.
func Priced(name, price string) (PricedLine, bool) {
	name = strings.TrimSpace(strings.TrimLeft(name, "•·*-–— "))
	if !isThingName(name) {
		return PricedLine{}, false
	}
	return PricedLine{name, price}, true
}

// isThingName reports whether a text before an amount may be the name of what
// costs it: no label of the amount, no sentence that leads to it.
func isThingName(name string) bool {
	if Label(name) == "" || strings.HasSuffix(name, ",") {
		return false
	}
	lower := strings.ToLower(name)
	last := lower[strings.LastIndexByte(lower, ' ')+1:]
	first, _, _ := strings.Cut(lower, " ")
	return !IsAmountLabel(first) && !IsAmountLabel(last) && !is("leadIn", last) && !IsTotal(lower)
}
