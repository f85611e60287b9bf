package extract

import (
	"strings"
	"testing"
)

func TestTitlesWithoutTheSite(t *testing.T) {
	t.Parallel()
	s := siteNames{site: "kitchen garden", labels: []string{"kitchengarden"}, headings: map[string]bool{"plum cake": true}}
	for title, want := range map[string]string{
		"Plum cake":                                  "Plum cake",
		"Plum cake - Kitchen Garden":                 "Plum cake",
		"Plum cake | Recipes":                        "Plum cake",
		"Plum cake - of my aunt | Kitchen Garden":    "Plum cake",
		"Plum cake | Kitchen Garden | KitchenGarden": "Plum cake",
		"Plum jam - ":                                "Plum jam",
		"Kitchen Garden":                             "Kitchen Garden",
		"Plum jam | Recipes":                         "Plum jam | Recipes",
	} {
		if got := s.without(title); got != want {
			t.Errorf("%q: %q, not %q", title, got, want)
		}
	}
}

// A title of nothing but marks took a look at all of it for each of them.
func TestATitleOfMarksLosesAFewOfThem(t *testing.T) {
	t.Parallel()
	title := "Plum cake" + strings.Repeat(" - ", 1000)
	if got := (siteNames{}).without(title); len(got) < len(title)-8*maxSiteParts {
		t.Errorf("%d bytes of %d are left", len(got), len(title))
	}
}
