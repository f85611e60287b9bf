package mention

import "testing"

func TestMinorUnitsOfMoney(t *testing.T) {
	for _, c := range []struct{ major, currency, minor string }{{"12.99", "EUR", "1299"}, {"1299", "JPY", "1299"}, {"1.234", "KWD", "1234"}, {"0", "", "0"}} {
		if got, ok := Minor(c.major, c.currency); got != c.minor || !ok {
			t.Errorf("%s %s are %s", c.major, c.currency, got)
		}
		if got, ok := Major(c.minor, c.currency); got != c.major || !ok {
			t.Errorf("%s of %s are %s", c.minor, c.currency, got)
		}
	}
}

func TestNotesBehindNumbers(t *testing.T) {
	for text, want := range map[string]string{"12,345 (2020)": "12345", "67,000,000[1]": "67000000", "1,000 (July 2020)[2][a]": "1000", "1985": "1985", "(2020)": "2020", "12 (34)": "", "5 (of 2020)": "5"} {
		if got, _ := Number(text, "en"); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestUnitText(t *testing.T) {
	for text, want := range map[string]string{"1.2 kg": "kg", "30cm": "cm", "10–12 mm": "mm", "3": "", "3 apples": "", "5 ft 3 in": "", "12 %": "%"} {
		if got, _ := UnitText(text); got != want {
			t.Errorf("%s has %q, want %q", text, got, want)
		}
	}
}

func TestMarksForYesAndNo(t *testing.T) {
	for text, want := range map[string]bool{"✓": true, "✔️": true, "✗": false, "❌": false, "Yes": true, "no": false} {
		if got, ok := Bool(text); got != want || !ok {
			t.Errorf("%s is %v %v", text, got, ok)
		}
	}
}
