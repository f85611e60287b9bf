package meta

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// link reads a link element, whose rel is the name.
func (r *reader) link(n *html.Node) {
	href := strings.TrimSpace(tree.AttrOr(n, "href"))
	if href == "" {
		return
	}
	for rel := range strings.FieldsSeq(strings.ToLower(tree.AttrOr(n, "rel"))) {
		if !isOfReaders(rel) {
			continue
		}
		abs := r.page.Links.Resolve(href)
		if abs == "" {
			return
		}
		v := graph.Value{Kind: graph.URL, Text: abs, Element: n}
		if rel == "alternate" {
			v = r.alternate(n, v)
		}
		r.add(n, rel, v)
	}
}

// isOfReaders reports whether a link says something of the page to those who
// read it, and not how to load it.
func isOfReaders(rel string) bool {
	switch rel {
	case "canonical", "author", "license", "icon", "apple-touch-icon", "amphtml", "alternate", "shortlink", "image_src",
		"next", "prev", "first", "last", "up", "me", "publisher", "help", "search", "privacy-policy", "terms-of-service":
		return true
	}
	return false
}

func (r *reader) alternate(n *html.Node, url graph.Value) graph.Value {
	e := &graph.Entity{Source: graph.Meta, Element: n}
	e.Add("url", url)
	for _, key := range [...]string{"hreflang", "type", "title", "media"} {
		if text := strings.TrimSpace(tree.AttrOr(n, key)); text != "" {
			e.Add(key, graph.Value{Text: text, Element: n})
		}
	}
	return graph.Value{Kind: graph.Thing, Entity: e, Element: n}
}
