package mention

import (
	"strings"
	"testing"
)

func TestIsCode(t *testing.T) {
	for text, want := range map[string]bool{
		"0638": true, "VE900": true, "1002/710": true, "603.471.02": true, "PU_106160/01": true, "B0756B4GVG": true, "84518927-040-35": true,
		"HL-7": false, "12": false, "lamp": false, "": false, "12 345": false, "$123": false, "12345,": false, "https://x/123": false, strings.Repeat("1", 41): false,
	} {
		if got := IsCode(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}

func TestLeadingCode(t *testing.T) {
	for text, want := range map[string]string{
		"TE502955-1293415 Housse de canapé": "TE502955-1293415", "Ca304103-0000 Montre": "Ca304103-0000", "GARNI 570 EASY II": "GARNI 570 EASY II",
		"175004 5066": "175004 5066", "12345": "12345", "12345 L": "12345 L", "": "", "lamp 123": "lamp 123",
	} {
		if got := LeadingCode(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestCheckDigits(t *testing.T) {
	for text, want := range map[string][2]bool{
		"4006381333931": {true, false}, "4006381333932": {}, "73513537": {true, false}, "9783161484100": {true, true}, "978-3-16-148410-0": {false, true},
		"0-306-40615-2": {false, true}, "0-306-40615-3": {}, "080442957X": {false, true}, "08044X9579": {}, "": {}, "éééééééééé": {},
	} {
		if got := [2]bool{IsTradeNumber(text), IsBookNumber(text)}; got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
