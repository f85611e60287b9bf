package plain

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/names"
)

// normal makes names comparable: lower case, white space folded, without what
// forms put around a label ("E-mail *", "Name:").
func normal(s string) string {
	s = strings.Join(strings.Fields(strings.ToLower(s)), " ")
	return strings.Trim(s, " :*…?!.")
}

// stems are the words of a name, singular, and senses what they mean.
var stems, senses = names.Stems, names.Senses

// How well a label says what a name asks for.
const (
	same      = 1.0  // letter by letter
	sameWords = 0.95 // in another form
	synonym   = 0.9  // in other words
	byContext = 0.8  // together with what it stands under
)

// match says how well a label is what a name asks for; 0 is not at all. What the
// name says has to be said by the label, or by the context: the heading above,
// the name of the table. What the label says more must be of the context, too, or
// of no consequence. A unit may be missing: see [inMeasure].
func match(name, label string, context []string) float64 {
	if normal(name) == normal(label) && normal(name) != "" {
		return same
	}
	x, y := senses(name), senses(label)
	score := synonym
	if slices.Equal(stems(name), stems(label)) {
		score = sameWords
	}
	common := 0
	for _, w := range x {
		switch {
		case slices.Contains(y, w):
			common++
		case slices.Contains(context, w):
			score = byContext
		default:
			return 0
		}
	}
	for _, w := range y {
		if slices.Contains(x, w) || is(w, "harmless") {
			continue
		}
		if score = byContext; !slices.Contains(context, w) {
			return 0
		}
	}
	if common == 0 {
		return 0
	}
	return score
}

// matchAny says how well a label is what one of the names asks for.
func matchAny(names []string, label string, context []string) (score float64) {
	for _, n := range names {
		score = max(score, match(n, label, context))
	}
	return score
}

// alike is how much two texts look like each other, letter by letter: for
// finding out what somebody may have meant.
func alike(a, b string) float64 {
	x, y := bigrams(normal(a)), bigrams(normal(b))
	if len(x)+len(y) == 0 {
		return 0
	}
	common := 0
	for pair, n := range x {
		common += min(n, y[pair])
	}
	total := 0
	for _, m := range []map[string]int{x, y} {
		for _, n := range m {
			total += n
		}
	}
	return 2 * float64(common) / float64(total)
}

func bigrams(s string) map[string]int {
	pairs := map[string]int{}
	r := []rune(" " + s + " ")
	for i := 1; i < len(r); i++ {
		pairs[string(r[i-1:i+1])]++
	}
	return pairs
}
