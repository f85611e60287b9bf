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
		if slices.Contains(y, w) {
			common++
		} else if score = byContext; !slices.Contains(context, w) {
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
	return score * float64(min(common, 1))
}

// matchAny says how well a label is what one of the names asks for.
func matchAny(names []string, label string, context []string) (score float64) {
	for _, n := range names {
		score = max(score, match(n, label, context))
	}
	return score
}

// maxAlike is how much of two texts is compared letter by letter.
const maxAlike = 100

// alike is how much two texts look like each other, by the pairs of letters that
// they share: for finding out what somebody may have meant.
func alike(a, b string) (score float64) {
	a, b = " "+normal(shorten(a, maxAlike))+" ", " "+normal(shorten(b, maxAlike))+" "
	for i := 2; i <= len(a); i++ {
		if strings.Contains(b, a[i-2:i]) {
			score++
		}
	}
	return score / float64(len(a)+len(b))
}
