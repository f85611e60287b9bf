package names

import (
	"testing"

	"github.com/drover-go/drover/internal/mention"
)

func TestMeasuresOfNamesAndDescriptions(t *testing.T) {
	for name, want := range map[string]string{
		"widthCm": "cm", "width_mm": "mm", "weightInGrams": "g", "Weight (kg)": "kg", "sizeMB": "mb", "temperatureC": "celsius", "area_km2": "km2", "area_sq_ft": "sqft",
		"fat_g": "g", "lengthIn": "in", "warrantyMonths": "months", "speed_kmh": "kmh", "prep_hours": "h",
		"width": "", "cm": "", "signed_in": "", "vitamin_c": "", "birthYear": "", "plan_b": "", "stock": "", "last_day": "", "team_g": "", "name": "",
	} {
		if got := MeasureOf(name); got.Unit != mention.NamedUnit(want) || got.Currency != "" {
			t.Errorf("%s is not in %q but %+v", name, want, got)
		}
	}
	for name, want := range map[string]string{"priceEUR": "EUR", "price_usd": "USD", "salaryMinGbp": "GBP", "Cost (€)": "EUR", "amount_pounds": "GBP", "euro": "", "team_usd": "", "price": "", "price_cop_show": ""} {
		if got := MeasureOf(name); got.Currency != want {
			t.Errorf("%s is in %+v, want %q", name, got, want)
		}
	}
	for about, want := range map[string]string{
		"Width in centimetres": "cm", "in cm": "cm", "mm": "mm", "The weight (kg)": "kg", "Number of hours of work": "h", "Speed in kilometres per hour": "kmh", "the area in square metres": "m2",
		"The width of the thing": "", "What is in the box": "", "Is it in stock": "",
	} {
		if got := DescribedMeasure(about); got.Unit != mention.NamedUnit(want) {
			t.Errorf("%q is not in %q but %+v", about, want, got)
		}
	}
	for about, want := range map[string]string{"The price in euros": "EUR", "Price (USD)": "USD", "cost, in US dollars": "USD", "in £": "GBP"} {
		if got := DescribedMeasure(about); got.Currency != want {
			t.Errorf("%q is in %+v, want %s", about, got, want)
		}
	}
}

func TestExactNumbersInAMeasure(t *testing.T) {
	for _, test := range []struct {
		name, label, text, want string
		asIs                    bool
	}{
		{"weightGrams", "Weight", "1.35 kg", "1350", false}, {"weightGrams", "Weight (kg)", "1.3", "1300", false}, {"weightKg", "Weight", "1.3 kg", "1.3", true},
		{"weightKg", "Weight (kg)", "about 1.3", "", true}, {"weightGrams", "Weight", "1.3", "", false}, {"weightMetres", "Weight", "1.3 kg", "", false},
		{"priceEur", "Price", "€20", "20", true}, {"priceUsd", "Price", "€20", "", false}, {"priceEur", "Price", "20", "", false}, {"priceCents", "Price", "€20", "2000", false},
		{"price", "Price", "€20", "", true},
	} {
		if got, asIs := MeasureOf(test.name).Exact(test.label, test.text, "en"); got != test.want || asIs != test.asIs {
			t.Errorf("%s of %q under %q: %q %v", test.name, test.text, test.label, got, asIs)
		}
	}
}
