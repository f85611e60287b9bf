package names

import (
	"slices"
	"strings"
	"sync"
)

// Stems returns the words of a text as [Words] splits them, without the plural.
func Stems(text string) (stems []string) {
	for _, w := range textWords(text) {
		stems = append(stems, stem(w))
	}
	return stems
}

func textWords(text string) (words []string) {
	for part := range strings.FieldsSeq(text) {
		words = append(words, Words(part)...)
	}
	return words
}

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
		if s := senses()[strings.Join(words[:size], "")]; s.concept != "" && (s.always || !isQualified(words[:size], s.concept)) {
			return s.concept, size
		}
	}
	w := stem(words[0])
	switch s := senses()[w]; {
	case fillers[words[0]] || unsaid[w]:
		return "", 1
	case s.concept != "":
		return s.concept, 1
	}
	return w, 1
}

// unsaid are words that say nothing beside others.
var unsaid = setOf("are to item product")

// isQualified reports whether one of the words alone is the concept that all
// are, and another limits it.
func isQualified(words []string, concept string) bool {
	own, others := false, false
	for _, w := range words {
		switch s, _ := senseAt([]string{w}); s {
		case concept:
			own = true
		case "":
		default:
			others = true
		}
	}
	return own && others
}

type sense struct {
	concept string
	// always says that the words together are that, whatever one means alone.
	always bool
}

// senses are the sure meanings of keys: of several concepts the first that it is
// not unsure of.
var senses = sync.OnceValue(func() map[string]sense {
	m := map[string]sense{}
	for _, e := range entriesOf("sure") {
		for _, w := range e.Words {
			m[w] = sense{e.Name, true}
		}
	}
	unsure := map[[2]string]bool{}
	for _, e := range entriesOf("unsure") {
		for _, w := range e.Words {
			unsure[[2]string{e.Name, w}], unsure[[2]string{e.Name, stem(w)}] = true, true
		}
	}
	for key, meant := range concepts() {
		for _, c := range meant {
			if !unsure[[2]string{c, key}] && m[key].concept == "" {
				m[key] = sense{concept: c}
			}
		}
	}
	return m
})
