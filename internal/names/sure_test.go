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

func TestSure(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"price", "Price", true}, {"unitPrice", "Unit price", true}, {"unit_price", "Unit-Prices", true}, {"price", "Unit price (net)", false},
		{"price", "Price per unit", false}, {"inStock", "Availability", true}, {"title", "Name", true}, {"productName", "Name", true}, {"colour", "Color", true},
		{"weightGrams", "Weight", true}, {"url", "Link", true}, {"name", "Price", false}, {"", "", false}, {"netPrice", "Gross price", false},
	} {
		if got := Sure(test.a, test.b, nil) > 0; got != test.same {
			t.Errorf("%q and %q: %v", test.a, test.b, Sure(test.a, test.b, nil))
		}
	}
	for _, test := range []struct {
		name, label, context string
		want                 int
	}{
		{"kettlePrice", "Price", "Kettle", Kind}, {"price", "Kettle price", "Kettle", Kind}, {"price", "Your price", "", Synonym}, {"full price", "Price", "", 0},
		{"price", "Prices", "", Plural}, {"Price", "price:", "", Exact}, {"kettle", "Price", "kettle price", 0},
	} {
		if got := Sure(test.name, test.label, Senses(test.context)); got != test.want {
			t.Errorf("%q and %q under %q: %d", test.name, test.label, test.context, got)
		}
	}
}
