package visible

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/shorten"
)

// textOf returns the text of a node, in one line.
func (r *reader) textOf(i int) string {
	n := &r.nodes[i]
	return r.lineOf(n.from, n.to)
}

// maxCopied is how much text is copied to take out its line breaks, in bytes:
// elements in each other would have it copied many times over. Later ones keep
// their line breaks.
const maxCopied = 8 << 20

// lineOf returns a stretch of the text, in one line and not above the limit.
func (r *reader) lineOf(from, to int) string {
	s := shorten.Prefix(r.text[from:to], r.o.MaxValueBytes)
	r.Meter.Read(len(s))
	if r.copied+len(s) <= maxCopied && strings.IndexByte(s, '\n') >= 0 {
		r.copied += len(s)
		s = oneLine(s)
	}
	return s
}

// textValue returns a text as a value.
func (r *reader) textValue(s string, from graph.Source, el *html.Node) graph.Value {
	return graph.Value{Text: shorten.Prefix(s, r.o.MaxValueBytes), Source: from, Element: el}
}

// said returns a text that stands at a node as a value.
func (r *reader) said(i int, s string, from graph.Source) graph.Value {
	v := r.textValue(s, from, r.elementOf(i))
	v.Aside = r.nodes[i].is(isAside)
	return v
}

// value returns the text of a node as a value.
func (r *reader) value(i int, from graph.Source) graph.Value { return r.said(i, r.textOf(i), from) }

// thing returns an entity as a value that shows what is in node i.
func (r *reader) thing(e *graph.Entity, i int) graph.Value {
	n := &r.nodes[i]
	return graph.Value{Kind: graph.Thing, Entity: e, Element: n.el, Aside: n.is(isAside), Shown: shorten.Prefix(r.text[n.from:n.to], r.o.MaxValueBytes)}
}

// address returns an address as a value, and whether others can follow it.
func (r *reader) address(ref string, shown string, from graph.Source, i int) (graph.Value, bool) {
	abs := ""
	if ref = strings.TrimSpace(ref); ref != "" && ref[0] != '#' {
		abs = r.Links.Resolve(ref)
	}
	return graph.Value{Kind: graph.URL, Text: abs, Shown: shown, Source: from, Element: r.nodes[i].el, Aside: r.nodes[i].is(isAside)}, abs != ""
}

// elementOf returns the element of a node, or the one that a text is in.
func (r *reader) elementOf(i int) *html.Node {
	if n := &r.nodes[i]; !n.is(isText) || n.up < 0 {
		return n.el
	}
	return r.nodes[r.nodes[i].up].el
}

// add gives a part a value. What stands beside the main part comes last in the
// page's entity.
func (r *reader) add(part int, name string, v graph.Value) { r.put(part, name, v, false) }

// put gives a part a value, unless it is empty or too much. One of the page that is
// late comes after its others.
func (r *reader) put(part int, name string, v graph.Value, late bool) {
	if v.Kind == graph.Text {
		v.Text = strings.TrimSpace(v.Text)
	}
	if name == "" || len(name) > maxName || v.Kind != graph.Thing && v.Text == "" || r.values >= r.o.MaxValues {
		return
	}
	r.Meter.Step(1)
	r.values++
	if name[0] >= utf8.RuneSelf {
		name = cmp.Or(easternPrices()[name], name)
	}
	r.heard(part, name, v)
	e := r.parts[part].entity
	if v.Source == e.Source {
		v.Source = 0
	}
	if part == 0 && v.Kind != graph.Thing && v.Kind != graph.URL {
		v.Of = r.foreign[v.Element]
	}
	if late || part == 0 && (v.Aside || v.Of == graph.Related) {
		e = &r.late
	}
	e.Add(name, v)
}

// has reports whether a part has a field of the name.
func (r *reader) has(part int, name string) bool { return len(r.parts[part].entity.Get(name)) > 0 }
