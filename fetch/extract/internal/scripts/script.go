// Package scripts reads the data in the scripts of a page: blocks of JSON-LD, and
// what the page carries for scripts of its own. No script is run.
package scripts

import (
	"iter"
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

// maxJSONLD is how many values of JSON-LD are read on a page. Those of a large
// shop are some thousands.
const maxJSONLD = 100_000

// JSONLD returns the things at the top of the blocks of JSON-LD, in the order of
// the page.
//
// It is JSON-LD 1.1 (W3C) as pages write it, most of them with the vocabulary
// of schema.org: contexts are not looked at, names and types lose their vocabulary,
// and what several blocks say about the same @id is one entity. Broken JSON is
// read as far as it can be.
func JSONLD(p *page.Page) []*graph.Entity {
	r := newReader(p, graph.JSONLD, maxJSONLD)
	for n, media := range all(p) {
		if !isJSONLD(media) {
			continue
		}
		r.script = n
		roots := r.json(tree.TextOf(n))
		for i := range roots {
			place := ""
			if len(roots) > 1 {
				place = "/" + strconv.Itoa(i)
			}
			r.add(&roots[i], place)
		}
	}
	r.link()
	return r.roots
}

const (
	// maxState is how many values of all other scripts become a part of the graph;
	// the rest is left out. State is large and little of it is about the page.
	maxState = 10_000
	// maxStateBytes is how much of these scripts is read.
	maxStateBytes = 2 << 20
)

// State returns a thing for each block that a page carries for its own scripts and
// that holds an object, or several for one with an array, in the order of the page:
// __NEXT_DATA__ and other blocks of JSON, and what scripts assign to global
// names (window.__STATE__ = {...}) where it is JSON or differs from it in
// nothing but the notation.
func State(p *page.Page) []*graph.Entity {
	r := newReader(p, graph.State, maxState)
	r.bytes = maxStateBytes
	for n, media := range all(p) {
		text := tree.TextOf(n)
		if len(text) > r.bytes || r.left <= 0 {
			continue
		}
		r.script = n
		switch { // what says how the page is loaded is no data
		case media == "" || media == "text/javascript" || media == "application/javascript" || media == "module":
			r.assignments(text)
		case strings.HasSuffix(media, "json") && !isJSONLD(media), media == "text/x-magento-init":
			for _, v := range r.json(text) {
				if tree.AttrOr(n, "id") == "__NUXT_DATA__" {
					v = devalue(v, r.left)
				}
				r.add(&v, "")
			}
		}
	}
	return r.roots
}

// all yields the scripts of a page that have a text, with their media types
// in lower case without parameters.
func all(p *page.Page) iter.Seq2[*html.Node, string] {
	return func(yield func(*html.Node, string) bool) {
		for n := range p.Elements() {
			if n.DataAtom != atom.Script || n.Namespace != "" || n.FirstChild == nil {
				continue
			}
			media, _, _ := strings.Cut(strings.ToLower(tree.AttrOr(n, "type")), ";")
			if !yield(n, strings.TrimSpace(media)) {
				return
			}
		}
	}
}

func isJSONLD(media string) bool {
	return media == "application/ld+json" || media == "application/json+ld" || media == "ld+json"
}

// reader reads scripts of one kind.
type reader struct {
	page        *page.Page
	source      graph.Source
	left, bytes int        // values and bytes that may still be read
	script      *html.Node // that is read
	roots       []*graph.Entity
	// all are the entities that were made, and byID those with an @id: several
	// where their types differ.
	all  []*graph.Entity
	byID map[string][]*graph.Entity
}

func newReader(p *page.Page, source graph.Source, maxValues int) *reader {
	return &reader{page: p, source: source, left: maxValues, byID: map[string][]*graph.Entity{}}
}

// json reads the values of a block.
func (r *reader) json(text string) []loose.Value {
	r.took(len(text))
	return loose.Read(text, max(r.left, 1))
}

// took counts the reading of a text.
func (r *reader) took(size int) {
	r.bytes -= size
	r.page.Meter.Step(size / 16) // reading takes longer than copying
}

// add makes the thing that stands at the top of a block a root, or those of an
// array.
func (r *reader) add(v *loose.Value, place string) {
	for _, value := range r.values(nil, v, "", place, 0) {
		if value.Entity != nil {
			r.root(value.Entity)
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
