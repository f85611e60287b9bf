package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/names"
	"github.com/drover-go/drover/fetch/extract/internal/value"
)

// thing is an entity with what its surroundings say of it.
type thing struct {
	entity   *graph.Entity
	families []string // the kinds of things that its types are
	depth    int      // how many things are around it
	main     bool     // the page says that it is about it
	primary  bool     // it is of a kind that pages are about
	via      string   // the name of the field that it is the value of
	aside    bool     // it only belongs to another thing, as its publisher does
	owner    *thing   // of a thing that is aside: whose it is, else nil
	listed   bool     // it is one of several in a list
	currency string   // that it says, or the one around it
}

// things are all the entities of a page, in their order, and what stands for the
// page itself.
type things struct {
	all      []thing
	byFamily map[string][]*graph.Entity
	page     []*graph.Entity // meta elements, the document, its labels
	primary  bool            // one is of a kind that pages are about
	titles   []string        // keys of what the page calls itself
	counts   map[kindIn]int
	lists    []candidate                // of the state of scripts, once they were asked for
	expected map[*graph.Entity][]string // types of those that have none
	currency map[*graph.Entity]string   // that a thing says, or the one around it
}

// kindIn is a kind of things as one source has them.
type kindIn struct {
	family string
	source graph.Source
}

// maxThings is how many entities are looked at, and maxAround how many may stand
// around one.
const (
	maxThings = 20_000
	maxAround = 8
)

// survey walks the graph.
func (sh *shaper) survey(g *graph.Graph) {
	w := surveyor{sh: sh, seen: map[*graph.Entity]bool{}}
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
			all = append(all, value.Key(vs[0].Text))
		}
	}
	return all
}

// isPage reports whether what an entity says is said of the page as a whole.
func isPage(e *graph.Entity) bool {
	switch e.Source {
	case graph.Meta, graph.Document, graph.Label, graph.Definition, graph.Class:
		return true
	case graph.Table:
		return len(e.Types) == 0
	}
	return false
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
			inner := thing{entity: f.Values[j].Entity, depth: t.depth + 1, via: f.Name, currency: t.currency}
			if mainNames[f.Name] {
				inner.main, inner.depth = true, t.depth
			}
			if f.Name == "mainEntityOfPage" {
				w.sh.things.markMain(e)
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
	for i := range t.all {
		if t.all[i].entity == e {
			t.all[i].main, t.all[i].aside = true, false
			return
		}
	}
}

func familiesOf(list []string) []string {
	var all []string
	for _, t := range list {
		for _, f := range append([]string{t}, names.TypeFamilies(t)...) {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}

// primary are the kinds of things that a page with one of them is about, rather
// than who made it or where it belongs.
var primary = map[string]bool{
	"Product": true, "Recipe": true, "JobPosting": true, "Event": true, "Article": true, "FAQPage": true, "Course": true, "Book": true, "Movie": true,
	"VideoObject": true, "RealEstateListing": true, "SoftwareApplication": true, "HowTo": true, "DiscussionForumPosting": true, "MusicAlbum": true,
	"Podcast": true, "Dataset": true,
}

// sameThing reports whether two entities of different readers are the same
// thing: by their address, or by their kind and name.
func sameThing(a, b *graph.Entity) bool {
	if a.ID != "" && a.ID == b.ID {
		return true
	}
	if a.Source == b.Source || !slices.ContainsFunc(familiesOf(a.Types), func(f string) bool { return slices.Contains(familiesOf(b.Types), f) }) {
		return false
	}
	x, y := nameText(a), nameText(b)
	return x != "" && x == y
}

func nameText(e *graph.Entity) string {
	for _, name := range []string{"name", "headline", "title"} {
		if vs := e.Get(name); len(vs) > 0 {
			return value.Key(vs[0].Text)
		}
	}
	return ""
}

// isAddressOf reports whether an entity is said to be at the address of the
// page.
func (sh *shaper) isAddressOf(e *graph.Entity) bool {
	page := trimURL(sh.o.PageURL)
	if page == "" {
		return false
	}
	if trimURL(e.ID) == page {
		return true
	}
	vs := e.Get("url")
	return len(vs) > 0 && trimURL(vs[0].Text) == page
}

func trimURL(u string) string {
	u, _, _ = strings.Cut(u, "#")
	return strings.TrimSuffix(u, "/")
}
