package pagedata

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/internal/lexicon"
)

// definitions reads a dl. Several dd of one dt are one value.
func (p *parser) definitions(n *html.Node) {
	var labels, texts []string
	var value Cell
	defined := false
	flush := func() {
		value.Text = strings.Join(texts, ", ")
		for _, l := range labels {
			p.addValue(l, value)
		}
		labels, texts, defined = nil, nil, false
	}
	for c := range below(n, atom.Dt, atom.Dd) {
		switch {
		case isHidden(c):
		case is(c, atom.Dt):
			if defined {
				flush()
			}
			labels = append(labels, textOf(c))
		default:
			cell := p.cellOf(c)
			if !defined {
				value, defined = cell, true
			}
			if cell.Text != "" {
				texts = append(texts, cell.Text)
			}
		}
	}
	if defined {
		flush()
	}
}

// property reads microdata: <span itemprop="price" content="8.95">.
func (p *parser) property(n *html.Node) bool {
	name, ok := lookup(n, "itemprop")
	if _, scope := lookup(n, "itemscope"); !ok || scope {
		return false
	}
	for _, a := range []string{"content", "datetime"} {
		if v := attr(n, a); v != "" {
			p.data.Values = append(p.data.Values, Value{Label: name, Value: Cell{Text: fold(v)}, Part: p.here()})
			return true
		}
	}
	return p.addValue(name, p.cellOf(n))
}

var (
	labelClass = lexicon.Pattern(`(?i)(^|[\s_-])(label|key|term|name|caption|title|field)([\s_-]|$)`)
	valueClass = lexicon.Pattern(`(?i)(^|[\s_-])(value|val|data|content|text)([\s_-]|$)`)
)

// pair reads <div><span class="label">Price</span><span class="value">8</span></div>.
func (p *parser) pair(n *html.Node) bool {
	both := children(n)
	if len(both) != 2 || ownText(n) != "" {
		return false
	}
	text := textOf(both[0])
	marked := labelClass().MatchString(attr(both[0], "class")) || valueClass().MatchString(attr(both[1], "class")) || strings.HasSuffix(text, ":")
	return marked && !isHidden(both[0]) && !isHidden(both[1]) && !p.contentOf(both[1]).blocks && p.addValue(text, p.cellOf(both[1]))
}

// content says what sorts of elements are inside another.
type content struct{ blocks, fields bool }

// contentOf looks into each node once: an element is asked about at every
// level around it.
func (p *parser) contentOf(n *html.Node) content {
	has, known := p.contents[n]
	if known {
		return has
	}
	for c := range n.ChildNodes() {
		inside := p.contentOf(c)
		has.blocks = has.blocks || inside.blocks || is(c, blocks...) && !is(c, atom.Br)
		has.fields = has.fields || inside.fields || isField(c) || attr(c, "itemprop") != ""
	}
	p.contents[n] = has
	return has
}

// A label is a few words before a colon. A time ("10:30") and an address are
// not labelled.
var labelledText = lexicon.Pattern(`^([\pL][^:]{0,40}?)\s*:\s+(\S.*)$`)

// labelled reads "Price: 8.95" that stands by itself, in whatever element.
func (p *parser) labelled(n *html.Node) bool {
	if p.contentOf(n) != (content{}) {
		return false
	}
	text := textOf(n)
	m := labelledText().FindStringSubmatch(text)
	if m == nil || strings.Count(text, ": ") != 1 || len(strings.Fields(m[1])) > 5 {
		p.weakValue(n, text)
		return false
	}
	c := p.cellOf(n)
	c.Text = m[2]
	return p.addValue(m[1], c)
}

var className = lexicon.Pattern(`^[A-Za-z][A-Za-z_-]{2,30}$`)

// weakValue keeps the text of an innermost element under its class name.
func (p *parser) weakValue(n *html.Node, text string) {
	if p.aside > 0 || text == "" || len(text) > 200 || len(children(n)) > 0 {
		return
	}
	for _, class := range strings.Fields(attr(n, "class")) {
		if key := class + string(p.here()); className().MatchString(class) && !p.weak[key] {
			p.weak[key] = true // the first of each part
			p.weakValues = append(p.weakValues, Value{Label: class, Value: p.cellOf(n), Weak: true, Part: p.here()})
		}
	}
}

// field reads a form field by its label. What browsers show of a field is not
// always its value.
func (p *parser) field(n *html.Node) bool {
	value := ""
	switch {
	case isField(n):
		value = shownByField(n)
	case is(n, atom.Output):
		value = textOf(n)
	default:
		return false
	}
	label := fold(attr(n, "aria-label"))
	if id := attr(n, "id"); label == "" && id != "" {
		label = p.labels[id]
	}
	if l := around(n, atom.Label); label == "" && l != nil {
		label = ownText(l)
	}
	if label = strings.TrimRight(label, " :*"); value != "" && p.aside == 0 && label != "" && len(label) <= maxLabel && len(value) <= maxValue {
		p.data.Values = append(p.data.Values, Value{Label: label, Value: Cell{Text: value}, Part: p.here()})
	}
	return true
}
