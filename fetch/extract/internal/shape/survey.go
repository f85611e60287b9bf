package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// maxThings is how many entities are looked at, and maxAround how many may stand
// around one.
const (
	maxThings = 20_000
	maxAround = 8
)

// survey walks the graph.
func (sh *shaper) survey(g *graph.Graph) {
	w := surveyor{sh: sh, seen: map[*graph.Entity]bool{}}
	sh.things.at = map[*graph.Entity]int{}
	sh.things.byFamily = map[string][]*graph.Entity{}
	sh.things.counts = map[kindIn]int{}
	sh.things.expected = map[*graph.Entity][]string{}
	sh.things.currency = map[*graph.Entity]string{}
	for _, e := range g.Roots {
		if isPage(e) {
			sh.things.page = append(sh.things.page, e)
			sh.things.titles = append(sh.things.titles, titlesOf(e)...)
		}
		w.visit(e, thing{entity: e})
	}
}

// titlesOf returns what the page is called, by an entity that stands for it.
func titlesOf(e *graph.Entity) []string {
	var all []string
	for _, name := range []string{"h1", "og:title", "twitter:title", "title"} {
		if vs := e.Get(name); len(vs) > 0 && len(vs[0].Text) < 500 {
			all = append(all, mention.Key(vs[0].Text))
		}
	}
	return all
}

type surveyor struct {
	sh   *shaper
	seen map[*graph.Entity]bool
}

func (w *surveyor) visit(e *graph.Entity, t thing) {
	all := &w.sh.things
	if e != nil && w.seen[e] && t.main && !t.aside {
		all.markMain(e) // what is aside of one thing may be what the page is about
	}
	if e == nil || w.seen[e] || len(all.all) >= maxThings {
		return
	}
	w.seen[e] = true
	all.learnType(e, t.via)
	if !isPage(e) {
		if t.currency = first(ownCurrency(e), t.currency); t.currency != "" {
			all.currency[e] = t.currency
		}
	}
	w.sh.m.Step(4 + len(e.Fields))
	t.families = familiesOf(e.Types)
	t.primary = slices.ContainsFunc(t.families, func(f string) bool { return primary[f] })
	all.primary = all.primary || t.primary && t.depth == 0
	all.at[e] = len(all.all)
	all.all = append(all.all, t)
	for _, f := range t.families {
		all.byFamily[f] = append(all.byFamily[f], e)
		all.counts[kindIn{f, e.Source}]++
	}
	if t.depth < maxAround {
		w.below(e, t)
	}
}

func (w *surveyor) below(e *graph.Entity, t thing) {
	for i := range e.Fields {
		f := &e.Fields[i]
		for j := range f.Values {
			if f.Values[j].Kind != graph.Thing {
				continue
			}
			w.sh.m.Step(1)
			inner := thing{entity: f.Values[j].Entity, depth: t.depth + 1, via: f.Name, currency: t.currency}
			if mainNames[f.Name] {
				inner.main, inner.depth = true, t.depth
			}
			inner.belongs(&t, f)
			w.visit(inner.entity, inner)
		}
		if f.Name == "mainEntityOfPage" {
			w.sh.things.markMain(e)
		}
	}
}

// mainNames are the fields of a page whose value is what it is about.
var mainNames = map[string]bool{"mainEntity": true, "about": true, "mainContentOfPage": true, "primaryTopic": true}

func (t *things) markMain(e *graph.Entity) {
	if i, known := t.at[e]; known {
		t.all[i].main, t.all[i].aside = true, false
	}
}
