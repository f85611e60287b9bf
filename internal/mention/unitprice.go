package mention

import (
	"math/big"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// maxUnitPrice is how long the text of a price for a unit is at most, in bytes.
const maxUnitPrice = 60

// moneyText is an amount of money, and unitPrice one for so much of what is sold.
const moneyText = `((?:\p{Sc}|[A-Z]{3})?\s?\d[\d.,]*\s?(?:\p{Sc}|[A-Z]{3}\b|kr|zł|Kč)?)`

var unitPrice = lexicon.Pattern(`^(?:[\pL ]{2,24}:\s*)?\(?(?:` + moneyText + `\s*(?:/|\b(?:per|pro|par|por|je|al)\b)\s*((?:\d{1,4}\s*)?\pL{1,8}[²³]?)\.?|(\d{1,4}\s*\pL{1,8}[²³]?)\s*=\s*` + moneyText + `)\)?$`)

// UnitPrice returns the price in a text that says for how much of what is sold it is, and
// for how much: "12,50 €" and "100 g" of "12,50 € / 100 g" and of "(100 g = 12,50 €)". It
// returns "" for others, and where what is sold is no amount.
func UnitPrice(s string) (price, per string) {
	if len(s) > maxUnitPrice || !HasDigit(s) || !NamesCurrency(s) {
		return "", ""
	}
	s = strings.TrimSpace(s)
	if at := strings.LastIndexByte(s, '('); at > 0 && strings.HasSuffix(s, ")") { // "£4.90 (£1.23/100g)"
		s = s[at:]
	}
	m := unitPrice().FindStringSubmatch(s)
	if m == nil {
		return "", ""
	}
	price, per = strings.TrimSpace(m[1]+m[4]), m[2]+m[3]
	if !IsMoney(price) || IsNoPrice(price, false) || !NamedUnit(strings.TrimLeft(per, "0123456789 ")).Known() {
		return "", ""
	}
	return price, per
}

// PriceIn returns the price, a JSON number, of one of a unit where that of so much is
// known: 1.25 for "100 g" is 12.5 for a kilogram.
func (u Unit) PriceIn(price, per string) (string, bool) {
	if strings.Trim(per[:1], "0123456789") != "" {
		per = "1 " + per
	}
	much, fit := u.In(per, "")
	whole, ok := plainRat(price)
	parts, known := plainRat(much)
	if fit != Converted || !ok || !known || parts.Sign() <= 0 {
		return "", false
	}
	return decimal(new(big.Rat).Quo(whole, parts)), true
}
