package pagedata

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// list takes children that look alike as rows: the items of a list, the cards
// of a result page.
func (p *parser) list(n *html.Node) bool {
	items := alike(n)
	if items == nil {
		return false
	}
	isLabelled := func(item *html.Node) bool {
		return labelledText().MatchString(textOf(item)) && !p.contentOf(item).blocks
	}
	if !slices.ContainsFunc(items, func(item *html.Node) bool { return !isLabelled(item) }) { // "Price: 8.95" each
		for _, item := range items {
			p.labelled(item)
		}
		return true
	}
	t := Table{List: true}
	for _, item := range items {
		if isHidden(item) {
			continue
		}
		if r := p.record(item); len(r) > 0 {
			t.addRecord(r)
		}
		if len(t.Rows) == maxRows {
			p.data.Incomplete = true
			break
		}
	}
	for i, row := range t.Rows {
		t.Rows[i] = append(row, make([]Cell, len(t.Columns)-len(row))...)
	}
	p.addTable(t)
	return true
}

// addRecord adds a row of the parts of an item; a part that no item has had yet is
// a new column.
func (t *Table) addRecord(r record) {
	var row []Cell
	for _, v := range r {
		at := slices.Index(t.Columns, v.Label)
		if at < 0 && len(t.Columns) < maxColumns {
			at = len(t.Columns)
			t.Columns = append(t.Columns, v.Label)
		}
		if at >= 0 {
			row = append(row, make([]Cell, max(at+1-len(row), 0))...)
			row[at] = v.Value
		}
	}
	t.Rows = append(t.Rows, row)
}

// alike returns the children of an element that are of one kind: the items of
// an ul or ol, or at least two elements with the same tag, class and sort of
// content. It returns nil where there are others beside them, and for what is
// more than a list.
func alike(n *html.Node) []*html.Node {
	items := children(n)
	switch {
	case is(n, atom.Ul, atom.Ol):
		items = children(n, atom.Li)
	case is(n, atom.Tr, atom.P, atom.Form, atom.Fieldset, atom.Select), len(items) < 2, ownText(n) != "", !sameKind(items):
		return nil
	}
	if slices.ContainsFunc(items, func(c *html.Node) bool {
		return isFrame(c) || first(c, atom.Table, atom.Form, atom.H1, atom.Main, atom.Iframe, atom.Frame) != nil
	}) {
		return nil
	}
	return items
}

func sameKind(items []*html.Node) bool {
	kind, parts := kindOf(items[0]), partsOf(items[0])
	return kind != "" && !slices.ContainsFunc(items, func(c *html.Node) bool { return kindOf(c) != kind || !mostlySame(partsOf(c), parts) })
}

// kindOf names elements that look alike; empty for one that says nothing.
func kindOf(n *html.Node) string {
	class := firstClass(n)
	if class == "" && !is(n, atom.Article) || len(children(n)) < 2 {
		return ""
	}
	return n.Data + "." + class
}

func firstClass(n *html.Node) string { return append(strings.Fields(attr(n, "class")), "")[0] }

// maxParts is how many elements of an item are compared with the next item's.
const maxParts = 200

// partsOf are the kinds of elements in an item.
func partsOf(n *html.Node) map[string]bool {
	parts := map[string]bool{}
	i := 0
	for c := range n.Descendants() {
		if c.Type != html.ElementNode {
			continue
		}
		parts[c.Data+"."+firstClass(c)] = true
		if i++; i == maxParts {
			break
		}
	}
	return parts
}

func mostlySame(parts, others map[string]bool) bool {
	common := 0
	for part := range parts {
		if others[part] {
			common++
		}
	}
	return 2*common >= max(len(parts), len(others))
}

// record is what one item shows, by name.
type record []Value

// record reads an item: its heading or first link is the name, other parts are
// called by their labels, microdata or classes, and what it says apart from them
// is the text.
func (p *parser) record(item *html.Node) (r record) {
	inner := p.inside()
	inner.walk(item)
	r = r.with("name", p.nameOf(item))
	for _, v := range append(inner.data.Values, inner.weakValues...) {
		r = r.with(v.Label, v.Value)
	}
	whole := p.cellOf(item)
	if len(r) == 0 || !r.covers(whole.Text) {
		r = r.with("text", whole)
	}
	if whole.Image != "" {
		r = r.with("image", Cell{Text: whole.Image, URL: whole.Image})
	}
	return r
}

// nameOf is the heading of an item, or its first link with a text.
func (p *parser) nameOf(item *html.Node) Cell {
	if h := first(item, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6); h != nil {
		c := p.cellOf(h)
		if c.URL == "" {
			c.URL = p.cellOf(item).URL
		}
		return c
	}
	for a := range below(item, atom.A) {
		if attr(a, "href") != "" && textOf(a) != "" {
			return p.cellOf(a)
		}
	}
	return Cell{}
}

// with adds a part unless there is one of that name.
func (r record) with(label string, value Cell) record {
	if value.isBlank() || slices.ContainsFunc(r, func(v Value) bool { return v.Label == label }) {
		return r
	}
	return append(r, Value{Label: label, Value: value})
}

// covers reports whether the parts say all of the text.
func (r record) covers(text string) bool {
	for _, v := range r {
		text = strings.Replace(text, v.Value.Text, "", 1)
		text = strings.Replace(text, v.Label, "", 1)
	}
	return strings.Trim(text, " :,;|·–-") == ""
}
