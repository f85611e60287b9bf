package names

import (
	"strings"
	"sync"
)

// families are, by key of a word or a type, the types that it may mean.
var families = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, e := range entriesOf("types") {
		for _, w := range append([]string{e.Name}, e.Words...) {
			addConcept(m, stem(strings.ToLower(w)), e.Name)
		}
	}
	for class, family := range microformats {
		m[class] = []string{family}
	}
	return m
})

// microformats are the types of microformats2.
var microformats = map[string]string{
	"h-product": "Product", "h-recipe": "Recipe", "h-event": "Event", "h-entry": "Article", "h-card": "Person", "h-review": "Review",
	"h-adr": "PostalAddress", "h-review-aggregate": "AggregateRating", "h-resume": "Person", "h-item": "Product", "h-listing": "Offer",
}

// typeFamilies are, by the type in lower case, the kinds of things that the types
// of schema.org and microformats2 are.
var typeFamilies = sync.OnceValue(func() map[string][]string {
	m := map[string][]string{}
	for _, e := range entriesOf("types") {
		for _, w := range append([]string{e.Name}, e.Words...) {
			if w[0] >= 'A' && w[0] <= 'Z' {
				addConcept(m, strings.ToLower(w), e.Name)
			}
		}
	}
	for class, family := range microformats {
		m[class] = []string{family}
	}
	return m
})

// TypeFamilies returns the kinds of things that a type is: NewsArticle is an
// Article. Unlike [Families] it knows types alone, not what people call them.
func TypeFamilies(name string) []string { return typeFamilies()[strings.ToLower(name)] }

// Families returns the kinds of things that a type or a name may mean:
// NewsArticle is an Article, "jobs" are JobPostings.
func Families(name string) []string {
	if found := families()[stem(strings.ToLower(name))]; found != nil {
		return found
	}
	words := Words(name)
	if len(words) == 0 {
		return nil
	}
	if found := families()[stem(strings.Join(words, ""))]; found != nil {
		return found
	}
	return families()[stem(words[len(words)-1])]
}
