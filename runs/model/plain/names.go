package plain

import (
	"slices"
	"strings"
	"unicode"
)

// normal makes names comparable: lower case, white space folded, without what
// forms put around a label ("E-mail *", "Name:").
func normal(s string) string {
	s = strings.Join(strings.Fields(strings.ToLower(s)), " ")
	return strings.Trim(s, " :*…?!.")
}

// words cuts a name into words: "unitPrice", "unit_price" and "Unit price" are
// the same two. The plural is the singular.
func words(s string) []string {
	var all []string
	var now []rune
	flush := func() {
		if len(now) > 0 {
			all = append(all, singular(strings.ToLower(string(now))))
		}
		now = nil
	}
	var before rune
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && unicode.IsLower(before):
			flush()
			now = append(now, r)
		default:
			now = append(now, r)
		}
		before = r
	}
	flush()
	return all
}

func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return w[:len(w)-1]
	}
	return w
}

// synonyms are words that schemas and pages use for the same thing.
var synonyms = [][]string{
	{"price", "cost"},
	{"name", "title"},
	{"url", "link", "href", "uri", "permalink"},
	{"image", "img", "photo", "picture", "thumbnail"},
	{"stock", "availability", "available"},
	{"quantity", "qty"},
	{"description", "summary", "text"},
	{"colour", "color"},
	{"category", "kind", "type"},
	{"email", "mail"},
	{"phone", "telephone", "tel"},
	{"sku", "article"},
	{"date", "day"},
	{"id", "identifier"},
	{"user", "username", "login"},
}

// empty words say nothing about what is meant.
var emptyWords = []string{"the", "a", "an", "of", "in", "is", "are", "has", "to", "for", "item", "product", "value", "no"}

// canonical is the set of words of a name that say something.
func canonical(s string) []string {
	var all []string
	for _, w := range words(s) {
		for _, group := range synonyms {
			if slices.Contains(group, w) {
				w = group[0]
			}
		}
		if !slices.Contains(emptyWords, w) && !slices.Contains(all, w) {
			all = append(all, w)
		}
	}
	if all == nil { // a name of nothing but empty words
		all = words(s)
	}
	return all
}

// similarity of two names: 1 for the same, 0 for nothing in common.
func similarity(a, b string) float64 {
	if normal(a) == normal(b) && normal(a) != "" {
		return 1
	}
	x, y := canonical(a), canonical(b)
	common := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			common++
		}
	}
	if common == 0 {
		return 0
	}
	if common == len(x) && common == len(y) {
		return 0.95
	}
	share := float64(2*common) / float64(len(x)+len(y))
	if common < len(x) && common < len(y) {
		share /= 2 // each has a word of its own
	}
	return 0.9 * share
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
