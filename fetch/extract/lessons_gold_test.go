package extract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/candidates"
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/read"
)

// listed is what a page lists of each kind.
type listed [2][]string

// declared returns the recipe that a page declares, and whether it declares any.
func declared(f read.Forms) (g listed, any bool) {
	for _, roots := range [...][]*graph.Entity{f.JSONLD, f.Microdata, f.RDFa, f.Microformats} {
		w := walk{seen: map[*graph.Entity]bool{}}
		for _, e := range roots {
			w.value(graph.Value{Entity: e}, noKind)
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
	gold listed
	any  bool
}

// noKind is the kind of what is of no recipe.
const noKind candidates.Kind = -1

// kinds are those of the members of recipes, and steps members of steps.
var (
	kinds = map[string]candidates.Kind{
		"recipeIngredient": candidates.Ingredients, "ingredients": candidates.Ingredients, "ingredient": candidates.Ingredients,
		"recipeInstructions": candidates.Instructions, "instructions": candidates.Instructions,
	}
	steps = []string{"text", "itemListElement", "steps", "item"}
)

// value adds the texts of a value that is of a kind, and of what is in it.
func (w *walk) value(v graph.Value, of candidates.Kind) {
	e := v.Entity
	if e == nil {
		for line := range strings.Lines(tags.ReplaceAllString(v.Text, "\n")) {
			if of != noKind && itemWords(line) != "" {
				w.gold[of] = append(w.gold[of], line)
			}
		}
	}
	if e == nil || w.seen[e] {
		return
	}
	w.seen[e] = true
	recipe := e.Is("Recipe", "h-recipe", "hrecipe")
	w.any = w.any || recipe
	for _, f := range e.Fields {
		in, isMember := kinds[f.Name]
		switch {
		case of != noKind && slices.Contains(steps, f.Name):
			in = of
		case of != noKind:
			continue
		case !recipe || !isMember:
			in = noKind
		}
		for _, v := range f.Values {
			w.value(v, in)
		}
	}
}

var (
	tags     = regexp.MustCompile(`<[^>]*>`)
	itemWord = regexp.MustCompile(`[\pL\pN]+`)
)

func itemWords(s string) string {
	return strings.Join(itemWord.FindAllString(strings.ToLower(s), -1), " ")
}

// likeness is how much of its words an item has to share with one of gold, and
// leastWords how many it has that is a part of one.
const (
	likeness   = 0.75
	leastWords = 4
)

// shareOf returns how many of the items gold has, as a share.
func shareOf(items []candidates.Item, gold []string) float32 {
	right, most := 0, 0
	for _, g := range gold {
		most = max(most, len(g))
	}
	whole := " " + strings.Join(gold, " ") + " "
	for _, it := range items {
		words := itemWords(it.Text)
		isPart := len(words) <= most && strings.Count(words, " ") >= leastWords-1 && strings.Contains(whole, " "+words+" ")
		if words != "" && (isPart || slices.ContainsFunc(gold, func(g string) bool { return areLike(words, g) })) {
			right++
		}
	}
	return float32(right) / float32(max(len(items), 1))
}

// areLike reports whether two texts have about the same words: the harmonic mean of
// what each shares with the other.
func areLike(a, b string) bool {
	if a == b || len(a) >= 2*len(b) || len(b) >= 2*len(a) {
		return a == b
	}
	left, both := map[string]int{}, 0
	of, in := strings.Fields(a), strings.Fields(b)
	for _, w := range in {
		left[w]++
	}
	for _, w := range of {
		if left[w]--; left[w] >= 0 {
			both++
		}
	}
	return 2*float64(both)/float64(len(of)+len(in)) >= likeness
}
