package schema

import (
	"math/big"
	"strings"
	"testing"
)

func TestNumberOK(t *testing.T) {
	for _, good := range []string{"0", "-0", "10", "1.50", "1e400", "-1E-400", "0.1e+5", strings.Repeat("9", 400)} {
		if !NumberOK(good) {
			t.Errorf("%s refused", good)
		}
	}
	for _, bad := range []string{
		"", "-", "+1", "01", ".5", "5.", "1e", "1e+", "0x10", "1_000", "Inf", "NaN", " 1", "1 ", "1e401", "1e-401",
		"1e99999999", "1e-99999999999999999999", strings.Repeat("9", 401),
	} {
		if NumberOK(bad) {
			t.Errorf("%s accepted", bad)
		}
	}
}

func TestDecimalsAreEqualWhereNumbersAre(t *testing.T) {
	texts := []string{
		"0", "-0", "0.000", "0e5", "1", "1.0", "10e-1", "0.1e1", "100", "1e2", "-1", "-1.50", "-15e-1", "1.05", "105e-2",
		"12345678901234567890", "12345678901234567891", "1e-400", "10e-401", "1e400",
	}
	for _, a := range texts {
		for _, b := range texts {
			x, _ := new(big.Rat).SetString(a)
			y, _ := new(big.Rat).SetString(b)
			if same := toDecimal(a).key() == toDecimal(b).key(); same != (x.Cmp(y) == 0) {
				t.Errorf("%s and %s: equal is %t", a, b, same)
			}
		}
		x, _ := new(big.Rat).SetString(a)
		if toDecimal(a).isInteger() != x.IsInt() {
			t.Errorf("%s: integer is %t", a, !x.IsInt())
		}
	}
}

func TestDecimalExceeds(t *testing.T) {
	for text, want := range map[string]bool{
		"0": false, "-5": false, "-1e300": false, "9007199254740991": false, "9007199254740992": true, "9e15": false,
		"9.007199254740991e15": false, "1e16": true, "1e400": true, "1e15": false, "99999999999999999": true,
	} {
		if toDecimal(text).exceeds(maxInteger) != want {
			t.Errorf("%s: exceeds is %t", text, !want)
		}
	}
}
