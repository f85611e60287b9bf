package names

import (
	"slices"
	"strings"
	"sync"
)

// concepts are those of a key, in the order of the lexicon.
var concepts = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, e := range entriesOf("concepts") {
		for _, w := range append([]string{strings.ToLower(e.Name)}, e.Words...) {
			addConcept(m, w, e.Name)
			addConcept(m, stem(w), e.Name)
		}
	}
	return m
})

func addConcept(m map[string][]string, key, concept string) {
	if !slices.Contains(m[key], concept) {
		m[key] = append(m[key], concept)
	}
}

var standard = listed("concepts")

// IsConcept reports whether a name is the one that schema.org has for a concept.
func IsConcept(name string) bool { return standard()[name] != nil }

// near are concepts that will do for another where that is not there, the best
// first.
var near = listed("near")
