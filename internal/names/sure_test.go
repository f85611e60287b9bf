package names

import (
	"slices"
	"testing"

	"github.com/drover-go/drover/internal/lexicon"
)

func TestSenses(t *testing.T) {
	for name, want := range map[string][]string{
		"price": {"price"}, "Costs": {"price"}, "salePrice": {"sale", "price"}, "saleprice": {"saleprice"}, "originalPrice": {"originalPrice"}, "Unit price (net)": {"unit", "netPrice"},
		"in stock": {"availability"}, "inStock": {"availability"}, "Availability": {"availability"}, "weightGrams": {"weight"}, "Weight (kg)": {"weight"}, "priceEur": {"price"},
		"productName": {"name"}, "Title": {"name"}, "user name": {"userName"}, "Login": {"userName"}, "E-mail address": {"email"}, "phone number": {"telephone"}, "Post code": {"postalCode"},
		"imageUrl": {"image", "url"}, "product URL": {"url"}, "order": {"order"}, "State": {"state"}, "ID": {"identifier"}, "productId": {"identifier"}, "date of birth": {"birthDate"},
		"first name": {"givenName"}, "pages": {"page"}, "the details": {"detail"}, "Preis": {"price"}, "kettle price": {"kettle", "price"}, "the": {"the"}, "": nil, "grams": {"gram"},
		"Price per unit": {"price", "unit"}, "author": {"author"}, "username": {"userName"}, "brand": {"brand"}, "Manufacturer": {"manufacturer"},
	} {
		if got := Senses(name); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for _, list := range []string{"sure", "unsure"} {
		for _, e := range lexicon.Read(files, list) {
			for _, w := range e.Words {
				if list == "unsure" && !slices.Contains(concepts()[w], e.Name) {
					t.Errorf("%q is no word for %s anyway", w, e.Name)
				}
			}
		}
	}
}
