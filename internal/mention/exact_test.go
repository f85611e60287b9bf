package mention

import (
	"encoding/json"
	"testing"

	"github.com/drover-go/drover/internal/schema"
)

func TestExactNumbers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, lang string
		number     string // empty for none
		integer    string
	}{
		{"12", "", "12", "12"},
		{"€89.50", "en", "89.50", ""},
		{"$1,234.50", "en", "1234.50", ""},
		{"1.234,50 €", "de", "1234.50", ""},
		{"1.234,50 €", "en", "1234.50", ""},
		{"1 234,50 €", "fr", "1234.50", ""},
		{"1\u00a0234\u00a0567", "fr", "1234567", "1234567"},
		{"CHF 1'234.00", "de-CH", "1234.00", "1234"},
		{"1’234", "de-CH", "1234", "1234"},
		{"1,234", "en", "1234", "1234"},
		{"1.234", "en", "1.234", "1234"},
		{"1.234", "de", "1234", "1234"},
		{"1,234", "de", "1.234", ""},
		{"1,234,567", "de", "1234567", "1234567"},
		{"0.125", "de", "0.125", ""},
		{"1234.567", "de", "1234.567", ""},
		{"20.00", "", "20.00", "20"},
		{"0,00", "", "0.00", "0"},
		{"007", "", "7", "7"},
		{"12 %", "", "12", "12"},
		{"1350 g", "", "1350", "1350"},
		{"12 in stock", "", "12", "12"},
		{"about 3 days", "", "", ""},
		{"less than 5", "", "", ""},
		{"5 or more", "", "", ""},
		{"≥ 18", "", "", ""},
		{"18+", "", "", ""},
		{"5- EUR", "", "", ""},
		{"5.- CHF", "", "5", "5"},
		{"12 May", "", "", ""},
		{"May 12", "", "", ""},
		{"min. 5", "", "", ""},
		{"from €5", "", "", ""},
		{"5 min", "", "5", "5"},
		{"+5", "", "5", "5"},
		{"-5", "", "-5", "-5"},
		{"−5,5", "de", "-5.5", ""},
		{"-€5", "", "-5", "-5"},
		{"€-5", "", "-5", "-5"},
		{"(1,200)", "en", "-1200", "-1200"},
		{"(see 5)", "", "5", "5"},
		{"LMP-1042", "", "", ""},
		{"#1003", "", "1003", "1003"},
		{"3 k", "", "3000", "3000"},
		{"5 mil", "", "", ""},
		{"12 in stock at our other warehouse", "", "", ""},
		{"-0", "", "0", "0"},
		{"1.2k", "", "1200", "1200"},
		{"3 million", "", "3000000", "3000000"},
		{"2.5M", "", "2500000", "2500000"},
		{"5 m", "", "5", "5"},
		{"3–5 days", "", "", ""},
		{"1.2.3", "", "", ""},
		{"12 of 30", "", "", ""},
		{"none", "", "", ""},
		{"", "", "", ""},
		{"1e5", "", "", ""},
		{"12345678901234567890123456789012345678901234567890", "", "", ""},
	} {
		n, ok := Exact(test.text, test.lang, false)
		if n != test.number || ok != (test.number != "") {
			t.Errorf("%q (%s): %q %t, want %q", test.text, test.lang, n, ok, test.number)
		}
		if ok && !schema.NumberOK(n) {
			t.Errorf("%q: %q is no JSON number", test.text, n)
		}
		i, ok := Exact(test.text, test.lang, true)
		if i != test.integer || ok != (test.integer != "") {
			t.Errorf("%q (%s) as an integer: %q %t, want %q", test.text, test.lang, i, ok, test.integer)
		}
	}
}

func TestExactAmounts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		unit, text, want string
		fit              Fit
	}{
		{"g", "1.35 kg", "1350", Converted}, {"g", "1350 g", "1350", Converted}, {"g", "1350", "1350", Bare}, {"g", "about 5 kg", "", Unfit}, {"g", "1–2 kg", "", Unfit}, {"g", "5 cm", "", Unfit},
		{"minutes", "5 min", "5", Converted}, {"minutes", "2 h", "120", Converted}, {"hours", "90 minutes", "1.5", Converted}, {"minutes", "1 h 20 min", "", Unfit}, {"%", "20 percent", "20", Converted},
	} {
		if got, fit := NamedUnit(test.unit).Exact(test.text, "en"); got != test.want || fit != test.fit {
			t.Errorf("%q in %s: %q %d, want %q %d", test.text, test.unit, got, fit, test.want, test.fit)
		}
	}
}

func FuzzExact(f *testing.F) {
	f.Add("€1,234.50", "en")
	f.Add("(1.234,5 k)", "de")
	f.Fuzz(func(t *testing.T, text, lang string) {
		for _, integer := range []bool{false, true} {
			if n, ok := Exact(text, lang, integer); ok && (!schema.NumberOK(n) || !json.Valid([]byte(n))) {
				t.Errorf("%q: %q", text, n)
			}
		}
	})
}
