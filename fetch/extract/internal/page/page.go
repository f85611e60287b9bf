// Package page is what the readers of a page share: its tree, its addresses
// made absolute, the count of the work, and the text of an element as it is
// shown.
package page

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/fetch/internal/link"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Page is a parsed page. Readers change nothing in its tree. It serves one
// goroutine.
type Page struct {
	// Doc is the document.
	Doc *html.Node
	// URL is the address of the page, after redirects, or nil.
	URL *url.URL
	// Language is what the page says that it is in, or "".
	Language string
	// Links makes the addresses on the page absolute.
	Links *link.Resolver
	// Meter counts the work. Everything that reads the page is to be called
	// below its Run.
	Meter *effort.Meter

	known map[string][]*graph.Entity // what was read, by the names of readers
}

// Once returns what a reader finds, and has it read the page only the first
// time. Who gets it changes nothing in it. A reader that would leave less than
// half of all steps finds nothing, and what comes after it goes on.
func (p *Page) Once(name string, read func(*Page) []*graph.Entity) []*graph.Entity {
	found, ok := p.known[name]
	if !ok {
		p.Meter.Sparing(p.Meter.Limit()/2, func() { found = read(p) })
		if p.known == nil {
			p.known = map[string][]*graph.Entity{}
		}
		p.known[name] = found
	}
	return found
}

// In returns the same page with another tree, which holds some of it: its main
// part. Addresses and the count of the work are shared. Without a tree it is the
// page itself.
func (p *Page) In(doc *html.Node) *Page {
	if doc == nil {
		return p
	}
	return &Page{Doc: doc, URL: p.URL, Language: p.Language, Links: p.Links, Meter: p.Meter}
}

// DefaultWork is how many steps reading a page may take by default: a page of
// a million nodes takes up to two thirds of them.
const DefaultWork = 20_000_000

// New returns a page that may be read in maxWork steps, [DefaultWork] if 0.
// Error kind: BadGateway for a page that takes more; the cause of a context
// that ends is returned as it is.
func New(ctx context.Context, doc *html.Node, pageURL *url.URL, maxWork int) (*Page, error) {
	if maxWork <= 0 {
		maxWork = DefaultWork
	}
	p := &Page{Doc: doc, URL: pageURL, Meter: effort.NewMeter(ctx, "read", maxWork)}
	err := p.Meter.Run(func() error {
		p.Links = link.NewResolver(p.Meter, pageURL, p.base())
		for n := doc.FirstChild; n != nil && p.Language == ""; n = n.NextSibling {
			p.Language = strings.TrimSpace(tree.AttrOr(n, "lang"))
		}
		return nil
	})
	return p, err
}

// base returns the address in the first base element that has one.
func (p *Page) base() string {
	for n := range p.Elements() {
		if n.DataAtom == atom.Base && n.Namespace == "" {
			if href := strings.TrimSpace(tree.AttrOr(n, "href")); href != "" {
				return href
			}
		}
	}
	return ""
}

// perStep is how many nodes that are only passed make one step: every form is
// looked for with a walk of its own, and most find nothing.
const perStep = 4

// Elements yields every element of the page in its order. Templates have their
// content inside in this tree, and it is left out: it is no part of the page.
func (p *Page) Elements() iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		passed := 0
		for n := p.Doc.FirstChild; n != nil; n = next(n, p.Doc) {
			if passed++; passed%perStep == 0 {
				p.Meter.Step(1)
			}
			if n.Type == html.ElementNode && !yield(n) {
				return
			}
		}
	}
}

// Children yields the elements in n that are in no other within it, without
// templates.
func (p *Page) Children(n *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			p.Meter.Step(1)
			if c.Type == html.ElementNode && c.DataAtom != atom.Template && !yield(c) {
				return
			}
		}
	}
}

// next returns what follows n in the order of the page, or nil after the last
// node below top.
func next(n, top *html.Node) *html.Node {
	if n.FirstChild != nil && !tree.Is(n, atom.Template) {
		return n.FirstChild
	}
	return After(n, top)
}

// After returns what follows n and all that is in it, or nil where that is no
// longer below top.
func After(n, top *html.Node) *html.Node {
	for n != top && n != nil {
		if n.NextSibling != nil {
			return n.NextSibling
		}
		n = n.Parent
	}
	return nil
}

// Address returns the address of the page, or "".
func (p *Page) Address() string {
	if p.URL == nil {
		return ""
	}
	return p.URL.String()
}

// Resolve returns ref as an absolute address, and ref itself where it cannot
// be one: what a machine wrote is not lost.
func (p *Page) Resolve(ref string) string {
	ref = strings.TrimSpace(ref)
	if ref == "" {
		return ""
	}
	return cmp.Or(p.Links.Resolve(ref), ref)
}
