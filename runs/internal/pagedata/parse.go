package pagedata

import (
	"cmp"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/internal/lexicon"
)

// Options say how to read a page.
type Options struct {
	// URL of the page, which relative links are resolved with.
	URL string
}

// Parse reads a document.
func Parse(document string, o Options) (Data, error) {
	doc, err := html.Parse(strings.NewReader(document))
	if err != nil {
		return Data{}, err
	}
	page, err := url.Parse(o.URL)
	if err != nil {
		page = &url.URL{}
	}
	base := baseIn(doc, page)
	graft(doc, base)
	p := &parser{base: base, labels: map[string]string{}, contents: map[*html.Node]content{}, weak: map[string]bool{}}
	for l := range below(doc, atom.Label) {
		id := attr(l, "for")
		p.labels[id] = cmp.Or(p.labels[id], textOf(l))
	}
	p.data.URL = o.URL
	p.data.Lang = attr(first(doc, atom.Html), "lang")
	if title := first(first(doc, atom.Head), atom.Title); title != nil {
		p.data.Title = rawText(title)
	}
	if body := first(doc, atom.Body, atom.Frameset); body != nil {
		p.walk(body)
	}
	p.data.Values = append(p.data.Values, p.weakValues...)
	return p.data, nil
}

// baseIn is what the addresses of a document are resolved with, which by
// itself would be the given base.
func baseIn(doc *html.Node, base *url.URL) *url.URL {
	if n := with(doc, atom.Base, "href"); n != nil {
		if u, err := base.Parse(attr(n, "href")); err == nil {
			return u
		}
	}
	return base
}

// parser walks over the document once.
type parser struct {
	base     *url.URL
	labels   map[string]string // by the id of their field
	contents map[*html.Node]content
	data     Data
	// weakValues come behind the others, each label once.
	weakValues []Value
	weak       map[string]bool
	heading    string // the last one met
	depth      int    // how many lists we are in
	aside      int    // how many navigations, headers and footers we are in
	part       Part   // where we are, headings aside
	related    int    // the level of the heading of related things we are under; 0 for none
}

// inside returns a parser for a part of the page, whose data are kept apart.
func (p *parser) inside() *parser {
	return &parser{base: p.base, labels: p.labels, contents: p.contents, weak: map[string]bool{}, depth: p.depth + 1}
}

// walk handles an element's children in order.
func (p *parser) walk(n *html.Node) {
	for _, c := range children(n) {
		if !isHidden(c) {
			p.element(c)
		}
	}
}

func (p *parser) element(n *html.Node) {
	switch {
	case isHeading(n):
		p.headingElement(n, int(n.Data[1]-'0'))
	case is(n, atom.Table):
		p.table(n)
	case is(n, atom.Dl):
		p.definitions(n)
	case is(n, atom.Nav, atom.Header, atom.Footer):
		p.aside++
		p.within(n, p.walk)
		p.aside--
	case is(n, atom.Aside, atom.Section, atom.Article, atom.Main):
		p.within(n, p.other)
	default:
		p.other(n)
	}
}

// within walks through a part of the page. What its headings say ends with it.
func (p *parser) within(n *html.Node, walk func(*html.Node)) {
	part, related := p.part, p.related
	switch {
	case is(n, atom.Nav):
		p.part = Navigation
	case is(n, atom.Aside):
		p.part = Aside
	case is(n, atom.Footer) && around(n, atom.Article) == nil:
		p.part = Footer
	}
	walk(n)
	p.part, p.related = part, related
}

var (
	relatedHeading = lexicon.Pattern(`(?i)\b(related|similar|recommend(ed|ations?)|others?|also|alternatives?|recently viewed|you (may|might)|more (like|from|products|items))\b`)
	ownHeading     = lexicon.Pattern(`(?i)\b(details?|information|specifications?|facts)\b`)
)

// here is the part of the page we are in.
func (p *parser) here() Part {
	if p.related > 0 && p.part == "" {
		return Related
	}
	return p.part
}

// headingElement keeps a heading, and whether it begins or ends what is about
// other things.
func (p *parser) headingElement(n *html.Node, level int) {
	text := textOf(n)
	if text == "" {
		return
	}
	if level <= p.related {
		p.related = 0
	}
	if p.related == 0 && level > 1 && relatedHeading().MatchString(text) && !ownHeading().MatchString(text) {
		p.related = level
	}
	if p.aside == 0 {
		p.heading = text
	}
	p.data.Headings = append(p.data.Headings, Heading{level, text})
}

// other handles what has no meaning by its tag.
func (p *parser) other(n *html.Node) {
	if p.property(n) || p.pair(n) || p.labelled(n) || p.field(n) || p.aside == 0 && p.depth < maxLists && p.list(n) {
		return
	}
	p.walk(n)
}

// addTable adds a table that has rows.
func (p *parser) addTable(t Table) {
	if len(t.Rows) == 0 {
		return
	}
	t.Name, t.Total, t.Part = cmp.Or(t.Name, p.heading), len(t.Rows), p.here()
	p.data.Tables = append(p.data.Tables, t)
}

const (
	maxLabel = 60
	maxValue = 2000
	maxLists = 4 // inside each other
)

// addValue adds a value with a label, neither too long.
func (p *parser) addValue(label string, value Cell) bool {
	label = strings.TrimSpace(strings.TrimRight(label, " :*"))
	if label == "" || len(label) > maxLabel || value == (Cell{}) || len(value.Text) > maxValue {
		return false
	}
	p.data.Values = append(p.data.Values, Value{Label: label, Value: value, Part: p.here()})
	return true
}
