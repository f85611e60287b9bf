// Package state reads the data that a page carries for its own scripts:
// __NEXT_DATA__ and other blocks of JSON, and what scripts assign to global
// names (window.__STATE__ = {...}) where it is JSON or differs from it in
// nothing but the notation. No script is run.
package state

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/loose"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Options are the limits of reading.
type Options struct {
	// MaxValues is how many values of all blocks become a part of the graph;
	// the rest is left out. State is large and little of it is about the page.
	// Default 10,000.
	MaxValues int
	// MaxBytes is how much of all scripts is read. Default 2 MiB.
	MaxBytes int
}

func (o Options) withDefaults() Options {
	if o.MaxValues <= 0 {
		o.MaxValues = 10_000
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 2 << 20
	}
	return o
}

// Read returns a thing for each block that holds an object, or several for one
// with an array, in the order of the page.
func Read(p *page.Page, o Options) []*graph.Entity {
	o = o.withDefaults()
	r := &reader{page: p, values: o.MaxValues, bytes: o.MaxBytes}
	for n := range p.Elements() {
		if n.DataAtom == atom.Script && n.Namespace == "" && n.FirstChild != nil {
			r.script(n)
		}
	}
	return r.roots
}

type reader struct {
	page          *page.Page
	roots         []*graph.Entity
	values, bytes int
}

func (r *reader) script(n *html.Node) {
	text := tree.TextOf(n)
	if len(text) > r.bytes || r.values <= 0 {
		return
	}
	switch kindOf(n) {
	case data:
		r.take(len(text))
		r.block(n, text)
	case code:
		r.assignments(n, text)
	}
}

// take counts the reading of a text.
func (r *reader) take(size int) {
	r.bytes -= size
	r.page.Meter.Step(size / 16) // reading takes longer than copying
}

// kind is what is read of a script.
type kind int

const (
	nothing kind = iota
	data
	code
)

// kindOf tells the kind of a script by its type. Blocks that say how the page
// is loaded are no data of it, and JSON-LD is read by others.
func kindOf(n *html.Node) kind {
	media, _, _ := strings.Cut(strings.ToLower(tree.AttrOr(n, "type")), ";")
	switch media = strings.TrimSpace(media); {
	case media == "" || media == "text/javascript" || media == "application/javascript" || media == "module":
		return code
	case media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json") && media != "application/ld+json",
		media == "text/x-magento-init", media == "text/x-json":
		return data
	}
	return nothing
}

func (r *reader) block(n *html.Node, text string) {
	for _, v := range loose.Read(text, loose.Options{MaxValues: r.values}) {
		if whole, ok := devalue(v, r.values); ok && tree.AttrOr(n, "id") == "__NUXT_DATA__" {
			v = whole
		}
		r.add(n, v)
	}
}

// add makes a value a root, or the objects of an array roots.
func (r *reader) add(n *html.Node, v loose.Value) {
	m := maker{reader: r, script: n}
	for _, value := range m.values(nil, &v, "", 0) {
		if value.Entity != nil {
			r.roots = append(r.roots, value.Entity)
		}
	}
}
