package names

import (
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
)

// Senses returns what a name surely says, each thing once, in its order: words
// for one concept are that concept, others their stem. What says nothing is left
// out, and the unit of the values (see [MeasureOf]). Two names with the same
// senses mean the same on any page; words that need a page about a certain thing
// are only themselves, and "sale price" is more than a price.
func Senses(name string) (all []string) {
	words := textWords(name)
	if rest, m := cutMeasure(words); m.Known() {
		words = rest
	}
	for i := 0; i < len(words); {
		sense, size := senseAt(words[i:])
		i += size
		if sense != "" && !slices.Contains(all, sense) {
			all = append(all, sense)
		}
	}
	if all == nil {
		return Stems(name)
	}
	return all
}

// senseAt returns what the words at the beginning of some say, "" for nothing,
// and how many they are.
func senseAt(words []string) (string, int) {
	for size := min(len(words), longestPhrase); size > 1; size-- {
		key := strings.Join(words[:size], "")
		if s := senses()[key]; s != "" && (s == sure()[key] || !isQualified(words[:size], s)) {
			return s, size
		}
	}
	w := stem(words[0])
	switch s := senses()[w]; {
	case is("fillers", words[0]) || is("unsaid", w):
		return "", 1
	case s != "":
		return s, 1
	}
	return w, 1
}

// isQualified reports whether one of the words alone is the concept that all
// are, and another limits it.
func isQualified(words []string, concept string) bool {
	own, others := false, false
	for i := range words {
		s, _ := senseAt(words[i : i+1])
		own, others = own || s == concept, others || s != "" && s != concept
	}
	return own && others
}

// sure are concepts by words that together are that, whatever one means alone.
var sure = lexicon.ByWord(files, "sure")

// senses are the sure meanings of keys: of several concepts the first that it is
// not unsure of.
var senses = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	unsure := lexicon.Listed(files, "unsure")()
	for key, meant := range concepts() {
		for _, c := range meant {
			if m[key] == "" && !slices.ContainsFunc(unsure[c], func(w string) bool { return w == key || stem(w) == key }) {
				m[key] = c
			}
		}
	}
	for w, concept := range sure() {
		m[w] = concept
	}
	return m
})
