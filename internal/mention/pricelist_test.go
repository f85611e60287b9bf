package mention

import "testing"

func TestLinesOfPriceLists(t *testing.T) {
	for line, want := range map[string]PricedLine{
		"Latte - $4":                     {"Latte", "$4"},
		"Margherita … 8.50":              {"Margherita", "8.50"},
		"Calzone . . . . . 11":           {"Calzone", "11"},
		"• Plum tart — 5,00 €":           {"Plum tart", "5,00 €"},
		"Soup of the day – 6.20":         {"Soup of the day", "6.20"},
		"Price - $4":                     {},
		"Total ..... 12.00":              {},
		"A flat in town costs $900":      {},
		"We sell it for $900":            {},
		"The long tide - 1964":           {},
		"Reds - 3":                       {},
		"It rose, and is now at €20,000": {},
		"$4":                             {},
		"":                               {},
	} {
		if got, ok := PriceLine(line); got != want || ok != (want != PricedLine{}) {
			t.Errorf("%q: %q, %t", line, got, ok)
		}
	}
}

func TestRowsOfSums(t *testing.T) {
	for label, want := range map[string]bool{
		"Total": true, "Grand total:": true, "Subtotal": true, "Total (EUR)": true, "Sum": true, "Gesamt": true, "Total price": true,
		"Total fat": false, "Summer": false, "Totally": false, "": false,
	} {
		if got := IsTotal(label); got != want {
			t.Errorf("%q: %t", label, got)
		}
	}
}
