package lessons

import (
	"fmt"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/candidates"
)

// A Score is how models do on pages that they have not seen, whatever these declare.
type Score struct {
	// Exact counts the pages of the recipe corpus whose list has the items of gold, word
	// by word, and Near those that have as many and about the same.
	Exact, Near, All [2]int
	// Invented counts the pages without a recipe for which a list was chosen.
	Invented, None [2]int
}

func (s Score) String() string {
	text := ""
	for kind, name := range [...]string{"ingredients", "instructions"} {
		text += fmt.Sprintf("%s: exact %.3f, near %.3f of %d; invented %d of %d\n", name, float64(s.Exact[kind])/float64(max(s.All[kind], 1)),
			float64(s.Near[kind])/float64(max(s.All[kind], 1)), s.All[kind], s.Invented[kind], s.None[kind])
	}
	return text
}

// Check scores five folds.
func (s *School) Check(seed uint64, verbose bool) (score Score) {
	model := s.Folds(seed)
	for _, p := range s.Pages {
		for kind := range candidates.Kind(2) {
			c := p.Lists.Choose(model(p.Host), kind)
			if len(p.Gold[kind]) == 0 {
				score.None[kind]++
				if len(c.Items) > 0 {
					score.Invented[kind]++
					say(verbose, p, kind, c, "INVENTED")
				}
				continue
			}
			if !strings.HasPrefix(p.ID, "recipes/") {
				continue
			}
			score.All[kind]++
			exact, near := equal(c.Items, p.Gold[kind])
			if exact {
				score.Exact[kind]++
			} else {
				say(verbose, p, kind, c, "OTHER")
			}
			if near {
				score.Near[kind]++
			}
		}
	}
	return score
}

func say(verbose bool, p *Page, kind candidates.Kind, c candidates.Choice, what string) {
	if !verbose {
		return
	}
	fmt.Printf("%s %s %d: %d items, gold %d, %.2f\n", what, p.ID, kind, len(c.Items), len(p.Gold[kind]), c.Probability)
	for i := range max(min(len(c.Items), 2), min(len(p.Gold[kind]), 2)) {
		got, gold := "", ""
		if i < len(c.Items) {
			got = c.Items[i].Text
		}
		if i < len(p.Gold[kind]) {
			gold = p.Gold[kind][i]
		}
		fmt.Printf("    %.100q %.100q\n", got, gold)
	}
}

func equal(items []candidates.Item, gold []string) (exact, near bool) {
	if len(items) != len(gold) {
		return false, false
	}
	exact, near = true, true
	for i, it := range items {
		a, b := wordsOf(it.Text), wordsOf(gold[i])
		exact = exact && a == b
		near = near && (a == b || f1(strings.Fields(a), strings.Fields(b)) > likeness)
	}
	return exact, near
}
