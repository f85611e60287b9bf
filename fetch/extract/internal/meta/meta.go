// Package meta reads the meta and link elements of a page: Open Graph
// (ogp.me), Twitter cards, Dublin Core, what libraries cite by, and plain names.
package meta

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxValues is how many meta and link elements of a page are read.
const maxValues = 2000

// Read returns one thing with all that the elements say, or nothing. The names
// are those of the page: "og:title", "description", and of links their rel:
// "canonical". An image or another object of Open Graph of which more is said
// than its address is a thing with url, width and so on; a link to the page in
// another language is one with url and hreflang.
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
	return []*graph.Entity{r.all}
}

type reader struct {
	page *page.Page
	all  *graph.Entity
	left int
	// object is the latest object of Open Graph, and of what name.
	object *graph.Value
	of     string
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
	names := tree.AttrOr(n, "property")
	if names == "" {
		names = tree.AttrOr(n, "name")
	}
	if names == "" && strings.EqualFold(tree.AttrOr(n, "http-equiv"), "content-language") {
		names = "content-language"
	}
	if content == "" || names == "" {
		return
	}
	r.page.Meter.Read(len(content))
	if strings.ContainsAny(names, ":") {
		for name := range strings.FieldsSeq(names) { // a property may be several
			r.named(n, name, content)
		}
		return
	}
	r.named(n, strings.TrimSpace(names), content)
}

func (r *reader) named(n *html.Node, name, content string) {
	key := strings.ToLower(name)
	if isPrivate(key) || r.part(n, key, content) {
		return
	}
	v := r.value(n, key, content)
	r.labelled(key, content, v, n)
	if isObject(key) {
		name = strings.TrimSuffix(key, ":url")
		key = name
	}
	r.add(n, name, v)
	if isObject(key) && r.all != nil {
		values := r.all.Get(name)
		r.object, r.of = &values[len(values)-1], key
	}
}

// maxLabel is the length of the label of a Twitter card, in bytes.
const maxLabel = 40

// labelled reads the values of Twitter cards that have a label of their own:
// twitter:label1 is the name of twitter:data1. Only those
// with a number are read: a price, a time.
func (r *reader) labelled(key, content string, v graph.Value, n *html.Node) {
	if at, ok := strings.CutPrefix(key, "twitter:label"); ok && len(at) == 1 && len(content) <= maxLabel {
		if r.labels == nil {
			r.labels = map[string]string{}
		}
		r.labels[at] = content
		return
	}
	at, ok := strings.CutPrefix(key, "twitter:data")
	if label := r.labels[at]; ok && label != "" && strings.ContainsAny(content, "0123456789") {
		r.add(n, label, v)
	}
}

func (r *reader) value(n *html.Node, key, content string) graph.Value {
	v := r.page.Word(n, r.page.OfAttribute(content))
	switch {
	case isObject(key), isAddress(key):
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

// isObject reports whether more may be said of the value of a name.
func isObject(key string) bool {
	switch key {
	case "og:image", "og:image:url", "og:video", "og:video:url", "og:audio", "og:audio:url":
		return true
	}
	return false
}

// isAddress reports whether the values of a name are addresses.
func isAddress(key string) bool {
	for _, end := range [...]string{":url", ":secure_url", ":image", ":image:src", "_url", "image_src", "thumbnail"} {
		if strings.HasSuffix(key, end) {
			return true
		}
	}
	return false
}

// part adds to the latest object what the name says of it, as og:image:width
// does. What stands before any object, or belongs to another, is no part.
func (r *reader) part(n *html.Node, key, content string) bool {
	name, what := "", ""
	if i := strings.LastIndexByte(key, ':'); i > 0 {
		name, what = key[:i], key[i+1:]
	}
	if r.object == nil || name == "" || name != r.of {
		return false
	}
	v := r.value(n, key, content)
	if what == "url" {
		if same := r.object.Text == v.Text && r.object.Entity == nil; same {
			return true
		}
		return false
	}
	if r.object.Entity == nil {
		e := &graph.Entity{Source: graph.Meta, Types: []string{objectType(name)}, Element: r.object.Element}
		e.Add("url", *r.object)
		*r.object = graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element}
	}
	r.object.Entity.Add(what, v)
	return true
}

func objectType(name string) string {
	switch name {
	case "og:image":
		return "ImageObject"
	case "og:video":
		return "VideoObject"
	}
	return "AudioObject"
}
