// Package meta reads the meta and link elements of a page: Open Graph
// (ogp.me), Twitter cards, Dublin Core, what libraries cite by, and plain names.
package meta

import (
	"cmp"
	"slices"
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
	r := &reader{page: p, left: maxValues, labels: map[string]string{}}
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
	return []*graph.Entity{r.all}
}

type reader struct {
	page *page.Page
	all  *graph.Entity
	left int
	// labels are those of Twitter cards, by their numbers.
	labels map[string]string
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

// ofObject is the name of what is said of an object of Open Graph besides its address.
var ofObject = lexicon.Pattern(`^og:(?:image|video|audio):`)

func (r *reader) named(n *html.Node, name, content string) {
	key := strings.ToLower(name)
	if ofObject().MatchString(key) {
		object, isAddress := strings.CutSuffix(key, ":url")
		if !isAddress || slices.ContainsFunc(r.all.Get(object), func(v graph.Value) bool { return v.Text == r.page.Resolve(content) }) {
			return
		}
		name, key = object, object
	}
	if isPrivate(key) {
		return
	}
	v := r.value(n, key, content)
	r.labelled(n, key, content, v)
	r.add(n, name, v)
}

// maxLabel is the length of the label of a Twitter card, in bytes.
const maxLabel = 40

// labelled reads the values of Twitter cards that have a label of their own:
// twitter:label1 is the name of twitter:data1. Only those
// with a number are read: a price, a time.
func (r *reader) labelled(n *html.Node, key, content string, v graph.Value) {
	if at, ok := strings.CutPrefix(key, "twitter:label"); ok && len(at) == 1 && len(content) <= maxLabel {
		r.labels[at] = content
	}
	at, ok := strings.CutPrefix(key, "twitter:data")
	if label := r.labels[at]; ok && label != "" && strings.ContainsAny(content, "0123456789") {
		r.add(n, label, v)
	}
}

func (r *reader) value(n *html.Node, key, content string) graph.Value {
	v := r.page.Word(n, r.page.OfAttribute(content))
	switch {
	case isAddress(key):
		v = r.page.Link(n, content)
	case v.Kind == graph.Text && strings.HasSuffix(key, "_time"):
		v.Kind = graph.Time
	}
	return v
}

// isPrivate reports whether a name is for the page's own scripts, or proves to
// a service whose page it is.
func isPrivate(key string) bool {
	return strings.Contains(key, "csrf") || strings.Contains(key, "token") || strings.Contains(key, "verif") ||
		strings.Contains(key, "nonce") || key == "viewport"
}

// isAddress reports whether the values of a name are addresses.
func isAddress(key string) bool {
	return slices.ContainsFunc([]string{":url", ":secure_url", ":image", ":video", ":audio", ":image:src", "_url", "image_src", "thumbnail"}, func(end string) bool { return strings.HasSuffix(key, end) })
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
