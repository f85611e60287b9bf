package mention

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAmounts(t *testing.T) {
	for line, want := range map[string][]Amount{
		"Was $20 Now $15":                 {{"$20", OldAmount}, {"$15", AnyAmount}},
		"UVP: 20 € 15 €":                  {{"20 €", OldAmount}, {"15 €", AnyAmount}},
		"Price: $15.00 ($1.50 / kg)":      {{"$15.00", AnyAmount}, {"$1.50", OtherAmount}},
		"Regular price £12":               {{"£12", RegularAmount}},
		"€10 – €20":                       {{"€10", AnyAmount}, {"€20", HighAmount}},
		"100 € excl. VAT":                 {{"100 €", UntaxedAmount}},
		"$15 or 4 payments of $3.75":      {{"$15", AnyAmount}},
		"It cost $20 in 2019 and now $15": nil,
		"20":                              nil,
		"":                                nil,
	} {
		if diff := cmp.Diff(want, Amounts(line)); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	}
	for text, want := range map[string]bool{"under $50 ": true, "20% off": true, "50 p": true, "$50": false, "Price on request": true} {
		if got := IsNoPrice(text, false); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if IsNoPrice("50 p", true) {
		t.Error("pence that are asked for are no price")
	}
	for behind, want := range map[string]bool{"/mo for 24 months": true, " pro Monat": true, " per kg": false, "": false} {
		if got := SaysMonthly(behind); got != want {
			t.Errorf("%q: %t", behind, got)
		}
	}
	for text, want := range map[string]bool{"39€99": true, "499,-": true, "1 299:-": true, "12,990円（税込）": true, "4 290 р.": true, "210 грн": true, "24-": false, "39": false} {
		if got := IsMoney(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

func TestUnitPrice(t *testing.T) {
	for text, want := range map[string]string{
		"€3.20/kg": "3.2", "12,50 € / 100 g": "125", "(1 kg = 4,98 €)": "4.98", "Grundpreis: 19,95 €/kg": "19.95", "£4.90 (£1.23/100g)": "12.3", "$2.50/lb": "5.51156",
		"12 € / night": "", "12¢/oz": "", "3.20": "", "£8 / l": "",
	} {
		price, per := UnitPrice(text)
		got := ""
		if per != "" {
			number, _ := Number(price, "de")
			got, _ = NamedUnit("kg").PriceIn(number, per)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := SplitNumbers("38,5; 39 and 40"); len(got) != 3 || len(SplitNumbers("38, S")) != 1 {
		t.Error(got)
	}
}

func TestLabels(t *testing.T) {
	for line, want := range map[string][2]string{
		"Price: 12": {"Price", "12"}, "• Colour： red": {"Colour", "red"}, "10:30": {}, "see https://example.com": {}, "One two three four five: six": {}, "Price:": {},
	} {
		if name, value := SplitLabel(line); [2]string{name, value} != want {
			t.Errorf("%q: %q, %q", line, name, value)
		}
	}
	for text, want := range map[string]string{"Max. power": "Max. power", "It is. It was": "", " Weight:* ": "Weight", "12": "", "Now!": ""} {
		if got := Label(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if diff := cmp.Diff([]string{"Weight: 3 kg", "Colour: red", "new"}, Parts("Weight: 3 kg, Colour: red · new")); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string][3]bool{
		"Stir it well.": {true}, "Approx. 3 cm": {}, "[1]": {false, true}, " † ": {false, true}, "Follow us on Facebook": {false, false, true}, "Facebook": {false, false, true}, "I wrote that on Facebook": {},
	} {
		if got := [3]bool{IsSentence(text), IsNoteMark(text), IsSocial(text)}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestLabelledCode(t *testing.T) {
	for line, want := range map[string]string{"Item No. PU_106160/01": "item no/PU_106160/01", "Code: 12345": "code/12345", "Code 12345": "", "Artist 12345": "", "SKU 175004 5066": "sku/175004 5066"} {
		got := ""
		if label, rest, _ := LabelledCode(line); label != "" {
			got = label + "/" + FirstCode(rest)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	for text, want := range map[string][2]bool{
		"TF-8": {true, true}, "ЧЧ-80": {true, true}, "SPRINGOFF15": {false, true}, "Example: 3234567890126": {}, "1234567890126": {false, true}, "red": {}, "3 m": {false, true},
	} {
		if got := [2]bool{IsShortCode(text), MayBeCode(text)}; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
