// Package lessons makes lessons for package candidates from pages with gold
// answers: recipes that people have written down, and the recipes that pages
// declare for machines, which are gold for what the same pages show. Only
// commands and tests link it.
package lessons

import (
	"regexp"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/candidates"
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/read"
)

// A Gold is what a page lists of each kind.
type Gold [2][]string

// declared returns the recipe that a page declares, and whether it declares any.
func declared(f read.Forms) (g Gold, any bool) {
	for _, roots := range [...][]*graph.Entity{f.JSONLD, f.Microdata, f.RDFa, f.Microformats} {
		w := walk{seen: map[*graph.Entity]bool{}}
		for _, e := range roots {
			w.entity(e, 0)
		}
		any = any || w.any
		for kind := range g {
			if len(w.gold[kind]) > len(g[kind]) {
				g[kind] = w.gold[kind]
			}
		}
	}
	return g, any
}

// walk looks for recipes among what a page declares.
type walk struct {
	seen map[*graph.Entity]bool
	gold Gold
	any  bool
}

func (w *walk) entity(e *graph.Entity, depth int) {
	if w.seen[e] || depth > 8 {
		return
	}
	w.seen[e] = true
	recipe := e.Is("Recipe", "h-recipe", "hrecipe")
	w.any = w.any || recipe
	for _, f := range e.Fields {
		for _, v := range f.Values {
			switch {
			case recipe && (f.Name == "recipeIngredient" || f.Name == "ingredients" || f.Name == "ingredient"):
				w.add(candidates.Ingredients, v, 0)
			case recipe && (f.Name == "recipeInstructions" || f.Name == "instructions"):
				w.add(candidates.Instructions, v, 0)
			case v.Entity != nil:
				w.entity(v.Entity, depth+1)
			}
		}
	}
}

// add adds the texts of a value, and of the steps in it.
func (w *walk) add(kind candidates.Kind, v graph.Value, depth int) {
	if v.Entity == nil {
		for line := range strings.Lines(tags.ReplaceAllString(v.Text, "\n")) {
			if wordsOf(line) != "" {
				w.gold[kind] = append(w.gold[kind], line)
			}
		}
		return
	}
	if depth > 4 {
		return
	}
	for _, name := range [...]string{"text", "itemListElement", "steps", "item"} {
		for _, v := range v.Entity.Get(name) {
			w.add(kind, v, depth+1)
		}
	}
}

var (
	tags        = regexp.MustCompile(`<[^>]*>`)
	wordPattern = regexp.MustCompile(`[\pL\pN]+`)
)

func wordsOf(s string) string {
	return strings.Join(wordPattern.FindAllString(strings.ToLower(s), -1), " ")
}

// likeness is how much of its words an item has to share with one of gold, and
// leastWords how many it has that is a part of one.
const (
	likeness   = 0.75
	leastWords = 4
)

// share returns how many of the items gold has, as a share.
func share(items []candidates.Item, gold []string, whole string) float32 {
	right, most := 0, 0
	for _, g := range gold {
		most = max(most, len(g))
	}
	for _, it := range items {
		words := wordsOf(it.Text)
		if words == "" {
			continue
		}
		isPart := len(words) <= most && strings.Count(words, " ") >= leastWords-1 && strings.Contains(whole, " "+words+" ")
		if isPart || isLike(words, gold) {
			right++
		}
	}
	return float32(right) / float32(max(len(items), 1))
}

// isLike reports whether one of gold has about the same words.
func isLike(words string, gold []string) bool {
	for _, g := range gold {
		if words == g || len(words) < 2*len(g) && len(g) < 2*len(words) && f1(strings.Fields(words), strings.Fields(g)) >= likeness {
			return true
		}
	}
	return false
}

func f1(a, b []string) float64 {
	left := map[string]int{}
	for _, w := range b {
		left[w]++
	}
	both := 0
	for _, w := range a {
		if left[w] > 0 {
			left[w]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b))
}
