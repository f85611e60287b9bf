// Package state reads the data that a page carries for its own scripts:
// __NEXT_DATA__ and other blocks of JSON, and what scripts assign to global
// names (window.__STATE__ = {...}) where it is JSON or differs from it in
// nothing but the notation. No script is run.
package state

import (
	"cmp"
	"strconv"
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

// Read returns a thing for each block that holds an object, or several for one
// with an array, in the order of the page.
func Read(p *page.Page, o Options) []*graph.Entity {
	r := &reader{page: p, left: cmp.Or(o.MaxValues, 10_000), bytes: cmp.Or(o.MaxBytes, 2<<20)}
	for n := range p.Elements() {
		if n.DataAtom == atom.Script && n.Namespace == "" && n.FirstChild != nil {
			r.read(n)
		}
	}
	return r.roots
}

type reader struct {
	page        *page.Page
	roots       []*graph.Entity
	left, bytes int        // values and bytes that may still be read
	script      *html.Node // that is read
}

func (r *reader) read(n *html.Node) {
	text := tree.TextOf(n)
	if len(text) > r.bytes || r.left <= 0 {
		return
	}
	r.script = n
	// JSON-LD is read by others, and what says how the page is loaded is no data.
	media, _, _ := strings.Cut(strings.ToLower(tree.AttrOr(n, "type")), ";")
	switch media = strings.TrimSpace(media); {
	case media == "" || media == "text/javascript" || media == "application/javascript" || media == "module":
		r.assignments(text)
	case strings.HasSuffix(media, "json") && media != "application/ld+json", media == "text/x-magento-init":
		r.take(len(text))
		for _, v := range loose.Read(text, loose.Options{MaxValues: r.left}) {
			if whole, ok := devalue(v, r.left); ok && tree.AttrOr(n, "id") == "__NUXT_DATA__" {
				v = whole
			}
			r.add(v)
		}
	}
}

// take counts the reading of a text.
func (r *reader) take(size int) {
	r.bytes -= size
	r.page.Meter.Step(size / 16) // reading takes longer than copying
}

// add makes a value a root, or the objects of an array roots.
func (r *reader) add(v loose.Value) {
	for _, value := range r.values(nil, &v, "", 0) {
		if value.Entity != nil {
			r.roots = append(r.roots, value.Entity)
		}
	}
}

const (
	// maxDepth is how deep things nest. What is deeper belongs to the program
	// and not to what it shows.
	maxDepth = 24
	// maxText is the size of a string that is data: longer ones are programs,
	// pages or images.
	maxText = 64 << 10
)

// values appends what a value of a script stands for.
func (r *reader) values(dst []graph.Value, v *loose.Value, place string, depth int) []graph.Value {
	if r.left--; r.left < 0 || depth > maxDepth {
		return dst
	}
	r.page.Meter.Step(1)
	value := graph.Value{Text: v.Text}
	switch v.Kind {
	case loose.Array:
		items, inner := unwrapped(v.Items)
		for i := range items {
			dst = r.values(dst, &items[i], graph.Join(place, strconv.Itoa(i))+inner, depth+1)
		}
	case loose.Object:
		if list := listOf(v); list != nil && depth > 0 {
			return r.values(dst, list, graph.Join(place, list.Name), depth+1)
		}
		if value.Entity = r.entity(v, place, depth); value.Entity != nil {
			value.Kind = graph.Thing
		}
	case loose.Number:
		value.Kind = graph.Number
	case loose.Bool:
		value.Kind = graph.Bool
	case loose.String:
		if value.Text = ""; len(v.Text) <= maxText {
			value = r.page.Word(r.script, r.page.Plain(v.Text))
		}
	}
	if value.Entity == nil && value.Text == "" {
		return dst
	}
	value.Element, value.Place = r.script, place
	return append(dst, value)
}

func (r *reader) entity(v *loose.Value, place string, depth int) *graph.Entity {
	e := &graph.Entity{Source: graph.State, Element: r.script, Place: place, Fields: make([]graph.Field, 0, len(v.Items))}
	for i := range v.Items {
		item := &v.Items[i]
		if item.Name == "__typename" || item.Name == "@type" {
			e.Types = graph.AppendType(e.Types, item.Text)
			continue
		}
		if values := r.values(nil, item, graph.Join(place, item.Name), depth+1); len(values) > 0 && item.Name != "" {
			e.Fields = append(e.Fields, graph.Field{Name: item.Name, Values: values}) // each name comes once
		}
	}
	if len(e.Fields) == 0 {
		return nil
	}
	return e
}
