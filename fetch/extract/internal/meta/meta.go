// Package meta reads the meta and link elements of a page: Open Graph
// (ogp.me), Twitter cards, Dublin Core, what libraries cite by, and plain names.
package meta

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
)

// maxValues is how many meta and link elements of a page are read.
const maxValues = 2000

// Read returns one thing with all that the elements say, or nothing. The names
// are those of the page: "og:title", "description", and of links their rel:
// "canonical". Of an image or another object of Open Graph only the address is
// told; a link to the page in another language is a thing with url and hreflang.
func Read(p *page.Page) []*graph.Entity {
	r := &reader{page: p, left: maxValues}
	for n := range p.Elements() {
		switch {
		case n.Namespace != "" || r.left == 0:
		case n.DataAtom == atom.Meta:
			r.meta(n)
		case n.DataAtom == atom.Link:
			r.link(n)
		}
	}
	if r.all == nil {
		return nil
	}
	r.labelled()
	return []*graph.Entity{r.all}
}

type reader struct {
	page *page.Page
	all  *graph.Entity
	left int
}

func (r *reader) add(n *html.Node, name string, v graph.Value) {
	if v.Text == "" && v.Entity == nil {
		return
	}
	if r.all == nil {
		r.all = &graph.Entity{Source: graph.Meta, Element: n}
	}
	r.all.Add(name, v)
	r.left--
}

func (r *reader) meta(n *html.Node) {
	content := strings.TrimSpace(tree.AttrOr(n, "content"))
	names := cmp.Or(tree.AttrOr(n, "property"), tree.AttrOr(n, "name"))
	if names == "" && strings.EqualFold(tree.AttrOr(n, "http-equiv"), "content-language") {
		names = "content-language"
	}
	if content == "" || names == "" {
		return
	}
	r.page.Meter.Read(len(content))
	all := []string{strings.TrimSpace(names)}
	if strings.Contains(names, ":") {
		all = strings.Fields(names) // a property may be several
	}
	for _, name := range all {
		r.named(n, name, content)
	}
}

var (
	// ofObject is the name of what is said of an object of Open Graph besides its
	// address.
	ofObject = lexicon.Pattern(`^og:(?:image|video|audio):`)
	// private is a name that is for the page's own scripts, or proves to a service
	// whose page it is.
	private = lexicon.Pattern(`csrf|token|verif|nonce|^viewport$`)
	// ofAddress is a name whose values are addresses.
	ofAddress = lexicon.Pattern(`(?::(?:url|secure_url|image|video|audio|image:src)|_url|image_src|thumbnail)$`)
)

func (r *reader) named(n *html.Node, name, content string) {
	key := strings.ToLower(name)
	if ofObject().MatchString(key) {
		object, isAddress := strings.CutSuffix(key, ":url")
		if !isAddress || slices.ContainsFunc(r.all.Get(object), func(v graph.Value) bool { return v.Text == r.page.Resolve(content) }) {
			return
		}
		name, key = object, object
	}
	if private().MatchString(key) {
		return
	}
	v := r.page.Word(n, r.page.OfAttribute(content))
	switch {
	case ofAddress().MatchString(key):
		v = r.page.Link(n, content)
	case v.Kind == graph.Text && strings.HasSuffix(key, "_time"):
		v.Kind = graph.Time
	}
	r.add(n, name, v)
}

const (
	// maxLabels is how many values of a card have a label, and maxLabel the length
	// of a label in bytes.
	maxLabels = 4
	maxLabel  = 40
)

// labelled adds the values of Twitter cards that have a label of their own:
// twitter:label1 is the name of twitter:data1. Only those
// with a number are read: a price, a time.
func (r *reader) labelled() {
	for i := range maxLabels {
		at := strconv.Itoa(i + 1)
		label, data := r.all.Get("twitter:label"+at), r.all.Get("twitter:data"+at)
		if len(label) > 0 && len(data) > 0 && len(label[0].Text) <= maxLabel && strings.ContainsAny(data[0].Text, "0123456789") {
			r.all.Add(label[0].Text, data[0])
		}
	}
}

// ofReaders are the links that say something of the page to those who read it, and
// not how to load it.
const ofReaders = " canonical author license icon apple-touch-icon amphtml alternate shortlink image_src next prev first last up me publisher help search privacy-policy terms-of-service "

// link reads a link element, whose rel is the name.
func (r *reader) link(n *html.Node) {
	href := strings.TrimSpace(tree.AttrOr(n, "href"))
	for rel := range strings.FieldsSeq(strings.ToLower(tree.AttrOr(n, "rel"))) {
		if href == "" || !strings.Contains(ofReaders, " "+rel+" ") {
			continue
		}
		v := graph.Value{Kind: graph.URL, Text: r.page.Links.Resolve(href), Element: n}
		if rel == "alternate" && v.Text != "" {
			v = alternate(n, v)
		}
		r.add(n, rel, v)
	}
}

func alternate(n *html.Node, url graph.Value) graph.Value {
	e := &graph.Entity{Source: graph.Meta, Element: n}
	e.Add("url", url)
	for _, key := range [...]string{"hreflang", "type", "title", "media"} {
		if text := strings.TrimSpace(tree.AttrOr(n, key)); text != "" {
			e.Add(key, graph.Value{Text: text, Element: n})
		}
	}
	return graph.Value{Kind: graph.Thing, Entity: e, Element: n}
}
