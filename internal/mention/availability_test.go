package mention

import "testing"

func TestStock(t *testing.T) {
	for text, want := range map[string]string{
		"only 2 left in stock.":                                   "InStock",
		"this is not in stock":                                    "OutOfStock",
		"momentálne nie je možné produkt kúpiť":                   "OutOfStock",
		"this lamp was sold out yesterday, and is in stock again": "OutOfStock",
		"we stock lamps":                                          "",
		"instockings":                                             "",
	} {
		if got := StockIn(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"Actuellement indisponible": "OutOfStock", "Derzeit nicht verfügbar": "OutOfStock", "Sorry, sold out": "OutOfStock", "This item is in stock": "InStock",
		"Currently reading": "", "Vendido por Acme": "", "Now": "", "!": "",
	} {
		if got := Stock(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
