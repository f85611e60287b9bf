package names

import (
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
)

// questions are what a description asks for without its name.
var questions = sync.OnceValue(func() []lexicon.Entry { return entriesOf("questions") })

// asked returns the concept of the question that a description is, or "".
func asked(words []string) string {
	if len(words) < 2 {
		return ""
	}
	if i := slices.Index(words, "who"); i > 0 && i+1 < len(words) && (words[i-1] == "person" || words[i-1] == "people" || words[i-1] == "one" || words[i-1] == "somebody") {
		words = words[i:] // "the person who wrote it"
	}
	for _, q := range questions() {
		first := words[:1]
		if strings.Contains(q.Name, " ") {
			first = words[:2]
		}
		if strings.Join(first, " ") != q.Name {
			continue
		}
		if slices.ContainsFunc(words, func(w string) bool {
			return slices.ContainsFunc(q.Words[1:], func(s string) bool { return strings.HasPrefix(w, s) })
		}) {
			return q.Words[0]
		}
	}
	return ""
}
