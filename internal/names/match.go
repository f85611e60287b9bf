package names

import (
	"slices"
	"strings"
)

// How well two names match. Below [Threshold] nothing is taken.
const (
	// Exact is the same name, but for case and how words are joined.
	Exact = 100
	// Plural is the same name but for a plural or filler words.
	Plural = 95
	// Synonym is another name for the same concept.
	Synonym = 90
	// Kind is the same name with words for the kind of thing: productName.
	Kind = 80
	// Near is a name for what will do: headline for a title.
	Near = 70
	// Described is a concept that a description names.
	Described = 60
	// Threshold is the least that is taken.
	Threshold = 55
)

// Match returns how well what a page calls have fits what is wanted: 0 to
// [Exact].
func Match(want, have Name) int {
	switch {
	case want.Key == "" || have.Key == "":
		return 0
	case want.Key == have.Key:
		return Exact
	case slices.Equal(want.Words, have.Words):
		return Plural
	case have.Whole != "" && len(want.Words) > 1 && have.Whole == sorted(want.Words):
		return Plural
	}
	best := 0
	if want.Plain != "" && (want.Plain == have.Plain || want.Plain == strings.Join(have.Words, "")) || have.Plain != "" && have.Plain == strings.Join(want.Words, "") {
		best = Kind
	}
	// Of several concepts the later ones count less.
	for i, w := range want.Concepts {
		for j, h := range have.Concepts {
			if w == h {
				best = max(best, Synonym-3*min(i+j, 5))
			} else if at := slices.Index(near()[w], h); at >= 0 {
				best = max(best, Near-3*min(i+j+at, 5))
			}
		}
	}
	return best
}
