package pagedata

import (
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
)

// list takes children that look alike as rows: the items of a list, the cards
// of a result page.
func (p *parser) list(s *goquery.Selection) bool {
	items := alike(s)
	if items == nil {
		return false
	}
	if p.labelledItems(items) {
		return true
	}
	var rows []record
	items.EachWithBreak(func(_ int, item *goquery.Selection) bool {
		if isHidden(item) {
			return true
		}
		if r := p.record(item); len(r) > 0 && p.shown.hasRow(r.cells()) {
			rows = append(rows, r)
		}
		p.data.Incomplete = p.data.Incomplete || len(rows) == maxRows
		return len(rows) < maxRows
	})
	t := Table{List: true, Columns: columnsOf(rows)}
	for _, r := range rows {
		t.Rows = append(t.Rows, r.row(t.Columns))
	}
	p.addTable(t)
	return true
}

// labelledItems takes a list whose every item is of the form "Price: 8.95".
func (p *parser) labelledItems(items *goquery.Selection) bool {
	all := true
	items.EachWithBreak(func(_ int, item *goquery.Selection) bool {
		all = labelledText().MatchString(textOf(item)) && !p.hasBlocks(item)
		return all
	})
	if all {
		items.Each(func(_ int, item *goquery.Selection) { p.labelled(item) })
	}
	return all && items.Length() > 0
}

// alike returns the children of an element that are of one kind: the items of
// an ul or ol, or at least two elements with the same tag, class and sort of
// content. It returns nil where there are others beside them, and for what is
// more than a list.
func alike(s *goquery.Selection) *goquery.Selection {
	children := s.Children()
	switch goquery.NodeName(s) {
	case "ul", "ol":
		children = children.Filter("li")
	case "tr", "p", "form", "fieldset", "select":
		return nil
	default:
		if children.Length() < 2 || ownText(s) != "" || !sameKind(children) {
			return nil
		}
	}
	if children.Length() == 0 || children.Find("table, form, h1, main, iframe, frame").Length() > 0 || children.Is("iframe, frame") {
		return nil
	}
	return children
}

func sameKind(children *goquery.Selection) bool {
	kind, parts := kindOf(children.First()), partsOf(children.First())
	if kind == "" {
		return false
	}
	other := children.FilterFunction(func(_ int, c *goquery.Selection) bool {
		return kindOf(c) != kind || !mostlyIn(partsOf(c), parts)
	})
	return other.Length() == 0
}

// maxParts is how many elements of an item are compared with the next item's.
const maxParts = 200

// partsOf are the kinds of elements in an item.
func partsOf(s *goquery.Selection) map[string]bool {
	parts := map[string]bool{}
	n := 0
	for c := range s.Nodes[0].Descendants() {
		if c.Type != html.ElementNode {
			continue
		}
		class, _, _ := strings.Cut(attr(c, "class"), " ")
		parts[c.Data+"."+class] = true
		if n++; n == maxParts {
			break
		}
	}
	return parts
}

func mostlyIn(parts, others map[string]bool) bool {
	common := 0
	for part := range parts {
		if others[part] {
			common++
		}
	}
	return 2*common >= len(parts) && 2*common >= len(others)
}

// kindOf names elements that look alike; empty for one that says nothing.
func kindOf(s *goquery.Selection) string {
	classes := strings.Fields(s.AttrOr("class", ""))
	tag := goquery.NodeName(s)
	if len(classes) == 0 && tag != "article" || s.Children().Length() < 2 {
		return ""
	}
	if len(classes) == 0 {
		return tag
	}
	return tag + "." + classes[0]
}

// record is what one item shows, by name.
type record []Value

func (r record) cells() []Cell {
	cells := make([]Cell, len(r))
	for i, v := range r {
		cells[i] = v.Value
	}
	return cells
}

// textColumn is the column of what an item says apart from its named parts.
const textColumn = "text"

// record reads an item: its heading or first link is the name, other parts are
// called by their labels, microdata or classes.
func (p *parser) record(item *goquery.Selection) record {
	inner := p.inside()
	inner.walk(item)
	var r record
	if name := p.nameOf(item); name != (Cell{}) {
		r = r.with("name", name)
	}
	for _, v := range inner.data.Values {
		r = r.with(v.Label, v.Value)
	}
	for _, v := range inner.weakValues {
		r = r.with(v.Label, v.Value)
	}
	whole := p.cellOf(item)
	if len(r) == 0 || !r.covers(whole.Text) {
		r = r.with(textColumn, whole)
	}
	if whole.Image != "" {
		r = r.with("image", Cell{Text: whole.Image, URL: whole.Image})
	}
	return r
}

// nameOf is the heading of an item, or its first link with a text.
func (p *parser) nameOf(item *goquery.Selection) Cell {
	links := item.Find("a[href]").FilterFunction(func(_ int, a *goquery.Selection) bool { return textOf(a) != "" })
	if h := item.Find("h1, h2, h3, h4, h5, h6").First(); h.Length() > 0 {
		c := p.cellOf(h)
		if c.URL == "" && item.Find("a[href]").Length() > 0 {
			c.URL = p.cellOf(item).URL
		}
		return c
	}
	if links.Length() > 0 {
		return p.cellOf(links.First())
	}
	return Cell{}
}

// with adds a part unless there is one of that name.
func (r record) with(label string, value Cell) record {
	if slices.ContainsFunc(r, func(v Value) bool { return v.Label == label }) {
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

// columnsOf are the names of the parts in the order they first come up.
func columnsOf(rows []record) []string {
	var names []string
	for _, r := range rows {
		for _, v := range r {
			if !slices.Contains(names, v.Label) && len(names) < maxColumns {
				names = append(names, v.Label)
			}
		}
	}
	return names
}

func (r record) row(columns []string) []Cell {
	row := make([]Cell, len(columns))
	for _, v := range r {
		if i := slices.Index(columns, v.Label); i >= 0 {
			row[i] = v.Value
		}
	}
	return row
}
