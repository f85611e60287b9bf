package mention

import (
	"strings"
	"testing"
)

func TestAmountsAreBroughtIntoTheUnitThatIsAskedFor(t *testing.T) {
	for _, c := range []struct{ text, unit, want string }{
		{"120 mm", "cm", "12"}, {"12cm", "mm", "120"}, {"1 m", "cm", "100"}, {"1.2 kg", "g", "1200"}, {"850 g", "kg", "0.85"}, {"3 ft", "cm", "91.44"},
		{"5 lb", "kg", "2.26796185"}, {"1 kg", "lb", "2.20462"}, {"5 ft 3 in", "cm", "160.02"}, {`5' 3"`, "cm", "160.02"}, {`12"`, "cm", "30.48"}, {"2 lb 4 oz", "oz", "36"},
		{"5 3/8 in", "in", "5.375"}, {"1½ inches", "cm", "3.81"}, {"120 mm (4.7 in)", "cm", "12"}, {"120 mm (4.7 in)", "in", "4.7"}, {"12 in / 30 cm", "cm", "30"}, {"12 in, 30 cm", "in", "12"},
		{"10-12 cm", "mm", "100"}, {"1,5 l", "ml", "1500"}, {"16 oz", "kg", "0.45359237"}, {"1.2 million km", "km", "1200000"}, {"about 3 miles", "km", "4.828032"},
		{"551,695 km²", "km2", "551695"}, {"1200 sq ft", "m2", "111.483648"}, {"2 GB", "MB", "2000"}, {"2 GiB", "MB", "2147.483648"}, {"100 km/h", "mph", "62.1371"}, {"60 mph", "km/h", "96.56064"},
		{"350 °F", "c", "176.667"}, {"-40 °F", "celsius", "-40"}, {"20 °C", "fahrenheit", "68"}, {"20 degrees Celsius", "c", "20"}, {"1340 kJ / 320 kcal", "kcal", "320"}, {"1.5 kW", "w", "1500"},
		{"2 years", "months", "24"}, {"12 in", "cm", "30.48"}, {"12 gallons", "gallons", "12"}, {"500 µg", "mg", "0.5"}, {"0 mm", "cm", "0"},
		{"0.000 thousand km", "km", "0"}, {"0,000 million km", "km", "0"}, {"0 million km", "km", "0"},
	} {
		if got, fit := NamedUnit(c.unit).In(c.text, "en"); got != c.want || fit != Converted {
			t.Errorf("%q in %s: got %q, %d, want %q", c.text, c.unit, got, fit, c.want)
		}
	}
}

func TestAmountsThatDoNotFitAreNone(t *testing.T) {
	for _, c := range []struct {
		text, unit string
		want       Fit
	}{
		{"120", "cm", Bare}, {"", "cm", Bare}, {"12 pieces", "cm", Bare}, {"12 in stock", "cm", Bare}, {"1.2M", "m", Bare},
		{"60 W", "cm", Unfit}, {"2 kg", "cm", Unfit}, {"12 gallons", "l", Unfit}, {"10 x 20 x 30 cm", "cm", Unfit}, {"10 cm x 20 cm", "cm", Unfit},
		{"1340 kJ", "kcal", Unfit}, {"3 tons", "kg", Unfit}, {"2 years", "days", Unfit}, {"50 %", "kg", Unfit},
		{"It is 12 cm wide and was made by hand in a small workshop", "cm", Unfit},
	} {
		if got, fit := NamedUnit(c.unit).In(c.text, "en"); fit != c.want {
			t.Errorf("%q in %s: got %q, %d, want %d", c.text, c.unit, got, fit, c.want)
		}
	}
}

// TestManyFractions is of a text that is no number, and has to cost no more than one.
func TestManyFractions(t *testing.T) {
	if text := strings.Repeat("1/2 ", 1<<16); plainFractions(text) != text {
		t.Error("read")
	}
}
