package mention

import (
	"math/big"
	"strings"
)

// decimals are how many the currencies have that do not have two (ISO 4217).
var decimals = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0,
	"XOF": 0, "XPF": 0,
	"BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
}

// Minor returns an amount of money, a JSON number, in the smaller unit of its
// currency: 12.99 of euros is 1299. The code may be "".
func Minor(number, currency string) (string, bool) { return shifted(number, currency, 1) }

// Major is the other way round: 1299 cents are 12.99.
func Major(number, currency string) (string, bool) { return shifted(number, currency, -1) }

func shifted(number, currency string, direction int64) (string, bool) {
	if len(number) > maxDigits || strings.ContainsAny(number, "eE/") {
		return "", false
	}
	r, ok := new(big.Rat).SetString(number)
	if !ok {
		return "", false
	}
	places, known := decimals[currency]
	if !known {
		places = 2
	}
	factor := big.NewRat(1, 1)
	for range places {
		factor.Mul(factor, big.NewRat(10, 1))
	}
	if direction < 0 {
		factor.Inv(factor)
	}
	return decimal(r.Mul(r, factor)), true
}
