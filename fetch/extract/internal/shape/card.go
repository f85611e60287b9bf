package shape

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxAbove is how many elements above a list are looked at.
const maxAbove = 64

// card returns the elements around the ingredients that people see, the outermost
// first, up to the one that has the instructions, too: what stands there is of the
// recipe, whatever the page calls the place. Nil where there is no such list.
func (sh *shaper) card() []*html.Node {
	if sh.o.Shown == nil || sh.around != nil {
		return sh.around
	}
	sh.around = []*html.Node{}
	of := func(concept string) []*html.Node {
		list := sh.o.Shown(concept)
		if len(list.Values) == 0 || list.Unlikely {
			return nil
		}
		var up []*html.Node
		for n := list.Values[0].Element; n != nil && !tree.Is(n, atom.Body) && len(up) < maxAbove; n = n.Parent {
			sh.m.Step(1)
			up = append(up, n)
		}
		slices.Reverse(up)
		return up
	}
	listed, done := of("recipeIngredient"), of("recipeInstructions")
	both := 0
	for both < min(len(listed), len(done)) && listed[both] == done[both] {
		both++
	}
	for k := 1; k <= maxCalled && k < both; k++ {
		if n := listed[both-1-k]; sh.isCalledRecipe(n) {
			both -= k
			k = 0
		}
	}
	if both > 0 {
		sh.around = listed[both-1:]
	}
	return sh.around
}

// maxCalled is how many elements above what holds the lists one is looked for that is
// called a recipe.
const maxCalled = 2

// isCalledRecipe reports whether an element has the word in its names, and is not what
// holds all of the page's text.
func (sh *shaper) isCalledRecipe(n *html.Node) bool {
	if tree.Is(n, atom.Article, atom.Main, atom.Body) {
		return false
	}
	names := tree.AttrOr(n, "class") + " " + tree.AttrOr(n, "id")
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(names[:min(len(names), maxNames)]), func(r rune) bool { return !unicode.IsLetter(r) }), func(word string) bool {
		return isIn("recipeWord", strings.TrimSuffix(word, "s"))
	})
}

// maxNames is how much of the names of an element is looked at, in bytes.
const maxNames = 300

// isInCard reports whether an element stands in what holds the lists of a recipe.
func (sh *shaper) isInCard(n *html.Node) bool {
	card := sh.card()
	if len(card) == 0 {
		return false
	}
	for up := 0; n != nil && up < maxAbove; n, up = n.Parent, up+1 {
		sh.m.Step(1)
		if n == card[0] {
			return true
		}
	}
	return false
}

// cards are the items of the page that hold its recipe, or stand beside its lists.
func (sh *shaper) cards() (all []*graph.Entity) {
	card := sh.card()
	if len(card) == 0 {
		return nil
	}
	up := map[*html.Node]bool{}
	for n, k := card[0].Parent, 0; n != nil && k < maxAbove; n, k = n.Parent, k+1 {
		up[n] = true
	}
	for i := range sh.things.all {
		if e := sh.things.all[i].entity; e.Source == graph.Item && (up[e.Element] || sh.isInCard(e.Element)) {
			all = append(all, e)
		}
	}
	return all
}
