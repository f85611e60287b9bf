// Package jsonld reads the blocks of JSON-LD on a page.
//
// It is JSON-LD 1.1 (W3C) as pages write it, most of them with the vocabulary
// of schema.org: contexts are not looked at, names and types lose their vocabulary,
// and what several blocks say about the same @id is one entity. Broken JSON is
// read as far as it can be.
package jsonld

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/loose"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxValues is how many values of JSON are read on a page. Those of a large
// shop are some thousands.
const maxValues = 100_000

// Read returns the things at the top of the blocks, in the order of the page.
func Read(p *page.Page) []*graph.Entity {
	r := &reader{page: p, byID: map[string][]*graph.Entity{}, refs: map[*graph.Entity]string{}, left: maxValues}
	for n := range p.Elements() {
		if n.DataAtom == atom.Script && isBlock(n) {
			r.block(n)
		}
	}
	r.link()
	return r.roots
}

// isBlock reports whether a script is a block of JSON-LD, whatever parameters
// its type has.
func isBlock(n *html.Node) bool {
	media, _, _ := strings.Cut(strings.ToLower(tree.AttrOr(n, "type")), ";")
	media = strings.TrimSpace(media)
	return media == "application/ld+json" || media == "application/json+ld" || media == "ld+json"
}

// reader reads all blocks of a page.
type reader struct {
	page   *page.Page
	script *html.Node
	roots  []*graph.Entity
	// all are the entities that were made, and byID those with an @id: several
	// where their types differ.
	all  []*graph.Entity
	byID map[string][]*graph.Entity
	// refs are the stand-ins for what is only named by its @id.
	refs map[*graph.Entity]string
	left int
}

func (r *reader) block(n *html.Node) {
	text := tree.TextOf(n)
	r.page.Meter.Step(len(text) / 16) // reading takes longer than copying
	r.script = n
	roots := loose.Read(text, loose.Options{MaxValues: max(r.left, 1)})
	for i := range roots {
		place := ""
		if len(roots) > 1 {
			place = "/" + strconv.Itoa(i)
		}
		r.top(&roots[i], place)
	}
}

// top reads a value at the top of a block, or in a @graph.
func (r *reader) top(v *loose.Value, place string) {
	switch v.Kind {
	case loose.Array:
		for i := range v.Items {
			r.top(&v.Items[i], graph.Join(place, strconv.Itoa(i)))
		}
	case loose.Object:
		if e := r.entity(v, place); e != nil {
			r.root(e)
		}
	}
}

// fewRoots is up to how many of the latest roots are searched for one.
const fewRoots = 64

// root makes e a root. What comes again, because several blocks say something
// about it, is one already.
func (r *reader) root(e *graph.Entity) {
	if !slices.Contains(r.roots[max(0, len(r.roots)-fewRoots):], e) {
		r.roots = append(r.roots, e)
	}
}

// link puts the things in the place of what stands for them. A thing that no
// block describes becomes an address, unless at least its type is known.
func (r *reader) link() {
	for _, e := range r.all {
		for _, f := range e.Fields {
			for i := range f.Values {
				r.page.Meter.Step(1)
				r.resolve(&f.Values[i])
			}
		}
	}
	roots := r.roots
	r.roots = nil
	for _, e := range roots {
		if key, ok := r.refs[e]; ok {
			e = r.named(key, e.Types)
		}
		if e != nil {
			r.root(e)
		}
	}
}

func (r *reader) resolve(v *graph.Value) {
	key, ok := r.refs[v.Entity]
	if v.Entity == nil || !ok {
		return
	}
	if e := r.named(key, v.Entity.Types); e != nil {
		v.Entity = e
	} else if id := v.Entity.ID; id != "" && len(v.Entity.Types) == 0 {
		*v = graph.Value{Kind: graph.URL, Text: id, Element: v.Element, Place: v.Place}
	}
}

// named returns the thing of an @id: one of a type that is wanted, else the first
// that has a type, else the first.
func (r *reader) named(key string, types []string) (best *graph.Entity) {
	for _, e := range r.byID[key] {
		if e.Is(types...) {
			return e
		}
		if best == nil || len(best.Types) == 0 && len(e.Types) > 0 {
			best = e
		}
	}
	return best
}
