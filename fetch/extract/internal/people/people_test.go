package people

import (
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"Ann Lee":                         {"Ann Lee"},
		"Ann Lee and Bob Roe":             {"Ann Lee", "Bob Roe"},
		"Ann Lee, Bob Roe and Cy Dunn":    {"Ann Lee", "Bob Roe", "Cy Dunn"},
		"Ann Lee, Bob Roe, and Cy Dunn":   {"Ann Lee", "Bob Roe", "Cy Dunn"},
		"Ann Lee & Bob Roe; Cy Dunn":      {"Ann Lee", "Bob Roe", "Cy Dunn"},
		"Anna Lee und Bernd Roth":         {"Anna Lee", "Bernd Roth"},
		"Lee, Ann":                        {"Lee, Ann"},
		"Smith and Sons":                  {"Smith and Sons"},
		"Ann Lee, Staff Writer":           {"Ann Lee"},
		"the Department of Salt and Pans": {"the Department of Salt and Pans"},
		"":                                {""},
	} {
		if got := Split(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
