package people

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	for text, want := range map[string][]string{
		"admin": nil, "undefined": nil, "{{author}}": nil, "https://example.com/ann": nil, "ann@example.com": nil, "": nil,
		"By Ann Lee": {"Ann Lee"}, "ann@example.com (Ann Lee)": {"Ann Lee"}, "Ann Lee and Bo Day": {"Ann Lee", "Bo Day"}, "Jane Roe, Staff Writer": {"Jane Roe"},
	} {
		if got := Names(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"Ann Lee":                          {"Ann Lee"},
		"Ann Lee and Bob Roe":              {"Ann Lee", "Bob Roe"},
		"Ann Lee, Bob Roe and Cy Dunn":     {"Ann Lee", "Bob Roe", "Cy Dunn"},
		"Ann Lee, Bob Roe, and Cy Dunn":    {"Ann Lee", "Bob Roe", "Cy Dunn"},
		"Ann Lee & Bob Roe; Cy Dunn":       {"Ann Lee", "Bob Roe", "Cy Dunn"},
		"Anna Lee und Bernd Roth":          {"Anna Lee", "Bernd Roth"},
		"Lee, Ann":                         {"Lee, Ann"},
		"Smith and Sons":                   {"Smith and Sons"},
		"Ann Lee, Staff Writer":            {"Ann Lee"},
		"the Department of Salt and Pans":  {"the Department of Salt and Pans"},
		"Carrie Forrest, MPH in Nutrition": {"Carrie Forrest"},
		"Ann Lee, Registered Dietitian":    {"Ann Lee"},
		"":                                 {""},
	} {
		if got := Split(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
