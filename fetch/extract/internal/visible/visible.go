// Package visible reads what people see on a page: tables, definition lists,
// values with labels, repeated items, headings and what stands under them,
// links and images.
//
// The page is laid out once, as a list of its shown nodes over one text of
// lines (layout.go). What is found refers to that text and copies little, and
// everything takes time in proportion to the page.
package visible

import (
	"cmp"
	"iter"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Options are the limits of what is read. What goes beyond them is left out.
type Options struct {
	// MaxEntities is how many entities a page gives at most, and MaxValues how
	// many values they all have. Default 20 000 and 200 000.
	MaxEntities, MaxValues int
	// MaxValueBytes is the length of a value at most; a longer one is cut.
	// Default 64 KiB.
	MaxValueBytes int
	// MaxColumns is how many columns of a table are read. Default 200.
	MaxColumns int
}

func (o Options) withDefaults() Options {
	return Options{cmp.Or(o.MaxEntities, 20_000), cmp.Or(o.MaxValues, 200_000), cmp.Or(o.MaxValueBytes, 64<<10), cmp.Or(o.MaxColumns, 200)}
}

// Read returns what a page shows, with the default limits. See [Options.Read].
func Read(p *page.Page) []*graph.Entity { return Options{}.Read(p) }

// Read returns what a page shows: the entity of the page itself, whose fields
// are everything that is labelled on it, with the tables' rows and the repeated
// items as entities of their own in it. It is to be called below the Run of
// the page's meter.
func (o Options) Read(p *page.Page) []*graph.Entity {
	r := o.begin(p, lay(p))
	if len(r.nodes) == 0 {
		return nil
	}
	r.Meter.Sparing(r.Meter.Limit()/4, r.read)
	top := r.parts[0].entity
	for _, f := range r.late.Fields {
		top.Add(f.Name, f.Values...)
	}
	return []*graph.Entity{top}
}

// begin returns the reader of a page and its layout, who knows what the page is about.
func (o Options) begin(p *page.Page, l *layout) *reader {
	r := &reader{Page: p, o: o.withDefaults(), layout: l, under: map[int][]graph.Value{}, contacts: map[string]graph.Value{}}
	if len(r.nodes) > 0 {
		r.titles()
		r.foreigners()
		r.document()
	}
	return r
}

// read does all that there is to read, one kind of thing after the other. Where
// that takes too long, what was found by then stays.
func (r *reader) read() {
	for _, read := range []func(){
		r.findParts, r.buying, r.codes, r.tables, r.definitions, r.labels, r.moments, r.opening,
		r.forms, r.breadcrumbs, r.priceLists, r.rankings, r.itemFacts, r.classes,
		r.patterns, r.role, r.titlePrice, r.stocks, r.sections, r.media,
	} {
		r.share(read)
	}
}

// share has one kind of thing read, which may take most of what may still be
// found, and not all: a large table is not all of the page.
func (r *reader) share(read func()) {
	all := r.o
	r.o.MaxEntities -= (all.MaxEntities - r.entities) / 8
	r.o.MaxValues -= (all.MaxValues - r.values) / 8
	read()
	r.o = all
}

// perStep is how many nodes that are only passed make one step.
const perStep = 8

// pass counts the pass over node or line i, of which most are of no interest to
// one who reads one kind of thing.
func (r *reader) pass(i int) {
	if i%perStep == 0 {
		r.Meter.Step(1)
	}
}

// all yields the nodes of the page.
func (r *reader) all() iter.Seq2[int, *node] {
	return func(yield func(int, *node) bool) {
		for i := range r.nodes {
			if r.pass(i); !yield(i, &r.nodes[i]) {
				return
			}
		}
	}
}

// below yields the nodes right below node i.
func (r *reader) below(i int) iter.Seq2[int, *node] {
	return func(yield func(int, *node) bool) {
		for c := i + 1; c < r.nodes[i].end; c = r.nodes[c].end {
			if r.Meter.Step(1); !yield(c, &r.nodes[c]) {
				return
			}
		}
	}
}

// near yields the elements in node i, and i itself, that are not too far behind
// its beginning.
func (r *reader) near(i int) iter.Seq2[int, *node] {
	return func(yield func(int, *node) bool) {
		for c := i; c < min(r.nodes[i].end, i+maxLook); c++ {
			if r.Meter.Step(1); !r.nodes[c].is(isText) && !yield(c, &r.nodes[c]) {
				return
			}
		}
	}
}

// maxLook is how many nodes are looked through for one of a kind.
const maxLook = 64

// texts yields the lines of the page.
func (r *reader) texts() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i := range r.lines {
			if r.pass(i); !yield(i, r.lineText(i)) {
				return
			}
		}
	}
}

// lineText returns the text of a line.
func (r *reader) lineText(i int) string { return r.text[r.lines[i].from:r.lines[i].to] }

// A reader reads one page.
type reader struct {
	*page.Page
	o Options
	*layout
	// parts are the entities that own nodes; the first one is the page.
	parts []part
	// foreign are the elements that do not speak of the page's own thing.
	foreign map[*html.Node]graph.Owner
	// heading is the first heading of the first level, and titleNode too where the
	// page has but one; else -1.
	heading, titleNode int
	// grids are the tables of data, and pairs the elements of a label and a value.
	grids []*grid
	pairs []int
	// under are the items of the lists of the page by the heading above.
	under map[int][]graph.Value
	// late are values of the page that stand beside its main part.
	late graph.Entity
	// lang is the language that the page says it is in, or "".
	lang string
	// days and clocks are those with a label, and hears says that one is read.
	days, clocks []told
	hears        bool
	// contacts are the addresses of links that are none of the web, by their names; empty where there are
	// several.
	contacts map[string]graph.Value
	// signs are those of an offer of work.
	signs []sign
	// rooms are the texts that say how many rooms a home has, or how large it is.
	rooms []sign
	// entities and values count what there is of them.
	entities, values int
	// copied is how much text was copied, in bytes.
	copied int
}

// A part is a stretch of the page whose values belong to one entity.
type part struct {
	entity *graph.Entity
	node   int // where it begins
	around int // the part that it is in; of the page itself 0
	// title is the node of an item's title, or -1.
	title int
	// heading is the last heading that was passed in it, or -1.
	heading int
}

// document begins the entity of the page.
func (r *reader) document() {
	top := &graph.Entity{Source: graph.Document, Element: r.nodes[0].el}
	r.parts = []part{{entity: top, heading: -1, title: -1}}
	r.entities = 1
	r.head()
	for i, n := range r.all() {
		if n.level == 1 {
			r.add(0, "h1", r.value(i, graph.Document))
		}
	}
	if r.has(0, "h1") || !r.has(0, "title") {
		return
	}
	title := top.Get("title")[0].Text
	for i, n := range r.all() {
		if n.level == 2 {
			if text := r.textOf(i); !n.is(isAside) && len(text) >= minTitle && strings.HasPrefix(title, text) {
				r.add(0, "h1", r.value(i, graph.Document)) // of a page whose first heading is none of the first level
			}
			return
		}
	}
}

// minTitle is how long the beginning of a title is that is the name of what a page is about.
const minTitle = 8

// head reads what the page says of itself above its body.
func (r *reader) head() {
	for n := range r.Elements() {
		switch n.Data {
		case "html":
			if r.lang = attr(n, "lang"); len(r.lang) >= maxName {
				r.lang = ""
			}
			r.add(0, "language", r.textValue(r.lang, graph.Document, n))
		case "title":
			r.add(0, "title", r.textValue(oneLine(page.Collapse(valid(tree.TextOf(n)))), graph.Document, n))
			return
		case "body":
			return
		}
	}
}
