package names

import (
	"slices"
	"strings"
)

// Normal returns a name as it is compared letter by letter: in lower case, white
// space folded, without what forms put around a label ("E-mail *", "Name:").
func Normal(name string) string {
	return strings.Trim(strings.Join(strings.Fields(strings.ToLower(name)), " "), " :*…?!.")
}

// Sure returns how well a label is what a name asks for where nothing may be
// guessed: [Exact], [Plural], [Synonym], or [Kind] together with the context, the
// senses of what the label stands under; 0 for not at all. What the name says has
// to be said by the label or by the context. What the label says more must be of
// the context, too, or of no consequence. A unit may be missing: see
// [Measure.Exact].
func Sure(name, label string, context []string) int {
	if n := Normal(name); n != "" && n == Normal(label) {
		return Exact
	}
	x, y, score, common := Senses(name), Senses(label), Synonym, false
	if slices.Equal(Stems(name), Stems(label)) {
		score = Plural
	}
	for _, w := range slices.Concat(x, y) {
		switch isX, isY := slices.Contains(x, w), slices.Contains(y, w); {
		case isX && isY:
			common = true
		case !isX && is("harmless", w):
		case slices.Contains(context, w):
			score = Kind
		default:
			return 0
		}
	}
	if !common {
		return 0
	}
	return score
}
