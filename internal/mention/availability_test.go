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
		"Only 3 left": "InStock", "0 in stock": "OutOfStock", "12 in stock": "InStock", "Nur noch 2 Stück verfügbar": "InStock", "Plus que 3 en stock": "InStock", "Quedan 3 unidades": "InStock", "Nog 3 op voorraad": "InStock",
		"Осталось 3 шт.": "InStock", "残り3点": "InStock", "In stock: 0": "OutOfStock", "Back in stock on 3 May": "OutOfStock", "Wieder verfügbar ab 3. Mai": "OutOfStock", "3 days left": "", "5 available colours": "", "Only 3": "", "noch 2-3 Tage": "", "nog 3,50": "", "1 left, 2 right": "", "3 left-handed": "", "Nur noch 0,5 l": "", "usually ships within 6 weeks": "", "Ships in 2 weeks": "",
		"This product has been discontinued.": "OutOfStock", "Sold!": "OutOfStock", "Sold by Acme": "", "Verkauft": "OutOfStock",
	} {
		if got := Stock(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"Skladem", "Beschikbaar", "Disponibili"} {
		if got, ok := Availability(text); ok {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := meaning("på lager"); got != "InStock" {
		t.Error(got)
	}
	for said, want := range map[string]bool{"email me when back in stock": true, "сообщить о поступлении": true, "add to cart": false, "": false} {
		if got := HasWait(said); got != want {
			t.Errorf("%q: %t", said, got)
		}
	}
	for text, want := range map[string][2]bool{"PreOrder": {true, true}, "https://schema.org/Discontinued": {false, true}, "In stock": {true, true}, "Red": {true, false}} {
		if value, ok := CanBeHad(text); [2]bool{value || !ok, ok} != want {
			t.Errorf("%q: %t, %t", text, value, ok)
		}
	}
}
