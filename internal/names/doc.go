// Package names knows when two names mean the same: "Zubereitungszeit",
// "prep_time" and schema.org's prepTime.
//
// A name is brought into a key, its words without case, accents, plural and
// what says nothing. Tables hold the keys that mean one thing, in several
// languages, under the name that schema.org has for it: its concept. What is in
// no table matches only its like; nothing is taken for the sake of a resemblance.
package names

import (
	"embed"
	"slices"
	"strings"
	"sync"

	"github.com/drover-go/drover/internal/lexicon"
)

//go:embed lexicon/*.txt
var files embed.FS

var (
	// is reports whether a word is in one of the lists of lexicon/sets.txt.
	is = lexicon.Is(files, "sets")
	// concepts are those of a key, in the order of the lexicon.
	concepts = meanings("concepts", func(word string) string { return word })
	// families are the types that a word or a type may mean, typeFamilies those that a type is of.
	families     = meanings("types", stem)
	typeFamilies = meanings("types", func(word string) string {
		if word[0] >= 'a' && word[0] <= 'z' && !strings.HasPrefix(word, "h-") {
			return ""
		}
		return word
	})
	standard = lexicon.Listed(files, "concepts")
	// near are concepts that will do for another where that is not there, the best
	// first.
	near     = lexicon.Listed(files, "near")
	vias     = lexicon.Listed(files, "vias")
	inside   = lexicon.Listed(files, "inside")
	texts    = lexicon.Listed(files, "texts")
	expected = lexicon.Listed(files, "expected")
)

// meanings are the names of a list by the keys of their words, as they are and singular.
func meanings(list string, key func(word string) string) func() map[string][]string {
	return sync.OnceValue(func() map[string][]string {
		m := map[string][]string{}
		for _, e := range lexicon.Read(files, list) {
			for _, w := range append([]string{e.Name}, e.Words...) {
				w = strings.ToLower(key(w))
				for _, k := range []string{w, stem(w)} {
					if k != "" && !slices.Contains(m[k], e.Name) {
						m[k] = append(m[k], e.Name)
					}
				}
			}
		}
		return m
	})
}

// IsConcept reports whether a name is the one that schema.org has for a concept.
func IsConcept(name string) bool { return standard()[name] != nil }

// Vias returns the members of a thing below which a concept may be found.
func Vias(concept string) []string { return vias()[concept] }

// Inside returns what a concept is also called inside a thing.
func Inside(concept string) []string { return inside()[concept] }

// Texts returns the members that stand for a thing of one of the types.
func Texts(types []string) []string {
	for _, t := range types {
		if list := texts()[t]; list != nil {
			return list
		}
	}
	return texts()["any"]
}

// AddressParts are the members of a postal address in the order in which it is
// written.
var AddressParts = []string{"streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"}

// ExpectedType returns the type of a thing that has none, by the property that
// it is the value of, or "".
func ExpectedType(property string) string {
	if types := expected()[property]; types != nil {
		return types[0]
	}
	return ""
}

// TypeFamilies returns the kinds of things that a type is: NewsArticle is an
// Article. Unlike [Families] it knows types alone, not what people call them.
func TypeFamilies(name string) []string { return typeFamilies()[strings.ToLower(name)] }

// Families returns the kinds of things that a type or a name may mean:
// NewsArticle is an Article, "jobs" are JobPostings.
func Families(name string) []string {
	words := Words(name)
	keys := []string{strings.ToLower(name), strings.Join(words, "")}
	if len(words) > 0 {
		keys = append(keys, words[len(words)-1])
	}
	for _, key := range keys {
		if found := families()[stem(key)]; found != nil {
			return found
		}
	}
	return nil
}
