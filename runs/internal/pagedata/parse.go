package pagedata

import (
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/internal/lexicon"
)

// Options say how to read a page.
type Options struct {
	// URL of the page, which relative links are resolved with.
	URL string
	// Shown are the texts that the browser says are visible. What is in the
	// document but in none of them is left out. Default nil: all is visible.
	Shown []string
}

// Parse reads a document.
func Parse(document string, o Options) (Data, error) {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(document))
	if err != nil {
		return Data{}, err
	}
	base := baseOf(doc, o.URL)
	graft(doc, base)
	p := &parser{base: base, shown: newShown(o.Shown), labels: labelsOf(doc), contents: map[*html.Node]content{}, weak: map[string]bool{}}
	p.data.URL = o.URL
	p.data.Title = fold(doc.Find("head > title").First().Text())
	p.data.Lang, _ = doc.Find("html").Attr("lang")
	doc.Find("body, frameset").First().Each(func(_ int, body *goquery.Selection) { p.walk(body) })
	p.data.Values = append(p.data.Values, p.weakValues...)
	return p.data, nil
}

func baseOf(doc *goquery.Document, page string) *url.URL {
	base, err := url.Parse(page)
	if err != nil {
		base = &url.URL{}
	}
	return baseIn(doc, base)
}

// baseIn is what the addresses of a document are resolved with, which by
// itself would be the given base.
func baseIn(doc *goquery.Document, base *url.URL) *url.URL {
	if href, ok := doc.Find("base[href]").First().Attr("href"); ok {
		if u, err := base.Parse(href); err == nil {
			return u
		}
	}
	return base
}

// parser walks over the document once.
type parser struct {
	base     *url.URL
	shown    shown
	labels   map[string]string
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
	return &parser{base: p.base, shown: p.shown, labels: p.labels, contents: p.contents, weak: map[string]bool{}, depth: p.depth + 1}
}

// walk handles an element's children in order.
func (p *parser) walk(s *goquery.Selection) {
	s.Contents().Each(func(_ int, c *goquery.Selection) {
		if c.Nodes[0].Type == html.ElementNode && !isHidden(c) {
			p.element(c)
		}
	})
}

func (p *parser) element(s *goquery.Selection) {
	switch tag := goquery.NodeName(s); tag {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		p.headingElement(s, int(tag[1]-'0'))
	case "table":
		p.table(s)
	case "dl":
		p.definitions(s)
	case "nav", "header", "footer":
		p.aside++
		p.within(s, tag, p.walk)
		p.aside--
	case "aside", "section", "article", "main":
		p.within(s, tag, p.other)
	default:
		p.other(s)
	}
}

// within walks through a part of the page. What its headings say ends with it.
func (p *parser) within(s *goquery.Selection, tag string, walk func(*goquery.Selection)) {
	part, related := p.part, p.related
	switch {
	case tag == "nav":
		p.part = Navigation
	case tag == "aside":
		p.part = Aside
	case tag == "footer" && s.Closest("article").Length() == 0:
		p.part = Footer
	}
	walk(s)
	p.part, p.related = part, related
}

var (
	relatedHeading = lexicon.Pattern(`(?i)\b(related|similar|recommend(ed|ations?)|others?|also|alternatives?|recently viewed|you (may|might)|more (like|from|products|items))\b`)
	ownHeading     = lexicon.Pattern(`(?i)\b(details?|information|specifications?|facts)\b`)
)

// noteRelated keeps whether a heading begins or ends what is about other things.
func (p *parser) noteRelated(text string, level int) {
	if level <= p.related {
		p.related = 0
	}
	if p.related == 0 && level > 1 && relatedHeading().MatchString(text) && !ownHeading().MatchString(text) {
		p.related = level
	}
}

// here is the part of the page we are in.
func (p *parser) here() Part {
	if p.related > 0 && p.part == "" {
		return Related
	}
	return p.part
}

func (p *parser) headingElement(s *goquery.Selection, level int) {
	text := textOf(s)
	if text == "" || !p.shown.has(text) {
		return
	}
	p.noteRelated(text, level)
	if p.aside == 0 {
		p.heading = text
	}
	p.data.Headings = append(p.data.Headings, Heading{level, text})
}

// other handles what has no meaning by its tag.
func (p *parser) other(s *goquery.Selection) {
	if p.property(s) || p.pair(s) || p.labelled(s) || p.field(s) {
		return
	}
	if p.aside == 0 && p.depth < maxLists && p.list(s) {
		return
	}
	p.walk(s)
}

// addTable adds a table that has rows.
func (p *parser) addTable(t Table) {
	if len(t.Rows) == 0 {
		return
	}
	if t.Name == "" {
		t.Name = p.heading
	}
	t.Total, t.Part = len(t.Rows), p.here()
	p.data.Tables = append(p.data.Tables, t)
}

const (
	maxLabel = 60
	maxValue = 2000
	maxLists = 4 // inside each other
)

func (p *parser) addValue(label string, value Cell) bool {
	label = strings.TrimSpace(strings.TrimRight(label, " :*"))
	if label == "" || len(label) > maxLabel || value == (Cell{}) || len(value.Text) > maxValue || !p.shown.has(value.Text) {
		return false
	}
	p.data.Values = append(p.data.Values, Value{Label: label, Value: value, Part: p.here()})
	return true
}
