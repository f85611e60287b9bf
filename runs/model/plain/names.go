package plain

import (
	"strings"

	"github.com/drover-go/drover/internal/names"
)

// What names say is for [names] to know.
var stems, senses, normal, match = names.Stems, names.Senses, names.Normal, names.Sure

const exact, plural = names.Exact, names.Plural

// matchAny says how well a label is what one of the names asks for.
func matchAny(names []string, label string, context []string) (score int) {
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
	a, b = " "+normal(excerpt(a, maxAlike))+" ", " "+normal(excerpt(b, maxAlike))+" "
	for i := 2; i <= len(a); i++ {
		if strings.Contains(b, a[i-2:i]) {
			score++
		}
	}
	return score / float64(len(a)+len(b))
}
