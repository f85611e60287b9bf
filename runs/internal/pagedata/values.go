package pagedata

import (
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/internal/lexicon"
)

// definitions reads a dl. Several dd of one dt are one value.
func (p *parser) definitions(s *goquery.Selection) {
	var labels []string
	var values []Cell
	flush := func() {
		for _, l := range labels {
			p.addValue(l, join(values))
		}
		labels, values = nil, nil
	}
	s.Find("dt, dd").Each(func(_ int, c *goquery.Selection) {
		if isHidden(c) {
			return
		}
		if goquery.NodeName(c) == "dt" {
			if len(values) > 0 {
				flush()
			}
			labels = append(labels, textOf(c))
			return
		}
		values = append(values, p.cellOf(c))
	})
	flush()
}

func join(cells []Cell) Cell {
	var out Cell
	var texts []string
	for i, c := range cells {
		if i == 0 {
			out = c
		}
		if c.Text != "" {
			texts = append(texts, c.Text)
		}
	}
	out.Text = strings.Join(texts, ", ")
	return out
}

// property reads microdata: <span itemprop="price" content="8.95">.
func (p *parser) property(s *goquery.Selection) bool {
	name, ok := s.Attr("itemprop")
	if _, scope := s.Attr("itemscope"); !ok || scope {
		return false
	}
	c := p.cellOf(s)
	for _, a := range []string{"content", "datetime"} {
		if v, ok := s.Attr(a); ok && v != "" {
			if p.shown.has(c.Text) {
				p.data.Values = append(p.data.Values, Value{Label: name, Value: Cell{Text: fold(v)}, Part: p.here()})
			}
			return true
		}
	}
	return p.addValue(name, c)
}

var (
	labelClass = lexicon.Pattern(`(?i)(^|[\s_-])(label|key|term|name|caption|title|field)([\s_-]|$)`)
	valueClass = lexicon.Pattern(`(?i)(^|[\s_-])(value|val|data|content|text)([\s_-]|$)`)
)

// pair reads <div><span class="label">Price</span><span class="value">8</span></div>.
func (p *parser) pair(s *goquery.Selection) bool {
	children := s.Children()
	if children.Length() != 2 || ownText(s) != "" {
		return false
	}
	first, second := children.Eq(0), children.Eq(1)
	text := textOf(first)
	if !labelClass().MatchString(first.AttrOr("class", "")) && !valueClass().MatchString(second.AttrOr("class", "")) && !strings.HasSuffix(text, ":") {
		return false
	}
	if isHidden(first) || isHidden(second) || p.hasBlocks(second) {
		return false
	}
	return p.addValue(text, p.cellOf(second))
}

// ownText is the text directly in an element, folded.
func ownText(s *goquery.Selection) string {
	var b strings.Builder
	for c := s.Nodes[0].FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return fold(b.String())
}

// content says what sorts of elements are inside another.
type content struct{ blocks, fields bool }

func (p *parser) hasBlocks(s *goquery.Selection) bool { return p.contentOf(s.Nodes[0]).blocks }

// contentOf looks into each node once: an element is asked about at every
// level around it.
func (p *parser) contentOf(n *html.Node) content {
	has, known := p.contents[n]
	if known {
		return has
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		inside := p.contentOf(c)
		has.blocks = has.blocks || inside.blocks || blocks[c.DataAtom] && c.DataAtom != atom.Br
		has.fields = has.fields || inside.fields || isField(c)
	}
	p.contents[n] = has
	return has
}

// isField reports whether an element speaks for itself.
func isField(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Input, atom.Select, atom.Textarea:
		return true
	}
	return n.Type == html.ElementNode && attr(n, "itemprop") != ""
}

// A label is a few words before a colon. A time ("10:30") and an address are
// not labelled.
var labelledText = lexicon.Pattern(`^([\pL][^:]{0,40}?)\s*:\s+(\S.*)$`)

// labelled reads "Price: 8.95" that stands by itself, in whatever element.
func (p *parser) labelled(s *goquery.Selection) bool {
	if p.contentOf(s.Nodes[0]) != (content{}) {
		return false
	}
	text := textOf(s)
	m := labelledText().FindStringSubmatch(text)
	if m == nil || strings.Count(text, ": ") != 1 || len(strings.Fields(m[1])) > 5 {
		p.weakValue(s, text)
		return false
	}
	c := p.cellOf(s)
	c.Text = m[2]
	return p.addValue(m[1], c)
}

var className = lexicon.Pattern(`^[A-Za-z][A-Za-z_-]{2,30}$`)

// weakValue keeps the text of an innermost element under its class name.
func (p *parser) weakValue(s *goquery.Selection, text string) {
	if p.aside > 0 || text == "" || len(text) > 200 || s.Children().Length() > 0 || !p.shown.has(text) {
		return
	}
	for _, class := range strings.Fields(s.AttrOr("class", "")) {
		if className().MatchString(class) && !p.weak[class+string(p.here())] {
			p.weak[class+string(p.here())] = true // the first of each part
			p.weakValues = append(p.weakValues, Value{Label: class, Value: p.cellOf(s), Weak: true, Part: p.here()})
		}
	}
}

// field reads a form field by its label.
func (p *parser) field(s *goquery.Selection) bool {
	switch goquery.NodeName(s) {
	case "input", "select", "textarea", "output":
	default:
		return false
	}
	value := shownByField(s.Nodes[0])
	if goquery.NodeName(s) == "output" {
		value = textOf(s)
	}
	if value != "" && p.aside == 0 {
		p.data.Values = appendLabelled(p.data.Values, p.labelOf(s), Value{Value: Cell{Text: value}, Part: p.here()})
	}
	return true
}

func appendLabelled(values []Value, label string, v Value) []Value {
	if label == "" || len(label) > maxLabel || len(v.Value.Text) > maxValue {
		return values
	}
	v.Label = label
	return append(values, v)
}

// labelOf is the label of a form field.
func (p *parser) labelOf(s *goquery.Selection) string {
	label := fold(s.AttrOr("aria-label", ""))
	if id := s.AttrOr("id", ""); label == "" && id != "" {
		label = p.labels[id]
	}
	if around := s.Closest("label"); label == "" && around.Length() > 0 {
		label = ownText(around)
	}
	return strings.TrimRight(label, " :*")
}

// labelsOf finds the labels of a document by the id of their field.
func labelsOf(doc *goquery.Document) map[string]string {
	labels := map[string]string{}
	doc.Find("label[for]").Each(func(_ int, l *goquery.Selection) {
		if id := l.AttrOr("for", ""); labels[id] == "" {
			labels[id] = textOf(l)
		}
	})
	return labels
}
