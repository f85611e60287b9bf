package extract

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/read"
	"github.com/drover-go/drover/fetch/extract/internal/shape"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/schema"
)

// offer is what a page declares of the one product that it is about, "" for
// what it does not.
type offer struct{ Price, SKU, Availability string }

// offerOf returns the offer that a page declares; ok is false where it declares
// none, or several products.
func offerOf(ctx context.Context, doc *html.Node, at *url.URL) (o offer, ok bool, err error) {
	g, err := formsOf(ctx, doc, at)
	if err != nil || !isOfOneProduct(g) {
		return o, false, err
	}
	s, err := schema.Compile(json.RawMessage(productSchema), schema.Options{})
	if err != nil {
		return o, false, err
	}
	r, err := shape.Fill(ctx, g, s, shape.Options{Resolve: func(ref string) string { return ref }})
	if err != nil {
		return o, false, err
	}
	var content struct {
		Price        json.Number `json:"price"`
		SKU          string      `json:"sku"`
		Availability string      `json:"availability"`
	}
	if err := json.Unmarshal(r.Content, &content); err != nil {
		return o, false, err
	}
	o = offer{string(content.Price), content.SKU, content.Availability}
	for _, origin := range r.Origins {
		if origin.Pointer == "/availability" && origin.Value.Shown != "" {
			o.Availability = "" // worked out from the price
		}
	}
	return o, o.Price != "" || o.Availability != "", nil
}

func formsOf(ctx context.Context, doc *html.Node, at *url.URL) (*graph.Graph, error) {
	p, err := page.New(ctx, doc, at, 0)
	if err != nil {
		return nil, err
	}
	g := &graph.Graph{}
	err = p.Meter.Run(func() error {
		f := read.FormsOf(p)
		g.Roots = slices.Concat(f.JSONLD, f.Microdata, f.RDFa, f.Meta)
		return nil
	})
	return g, err
}

// isOfOneProduct reports whether all products that a page declares have one
// name: the variants of a product do.
func isOfOneProduct(g *graph.Graph) bool {
	names, sells := map[string]bool{}, false
	for _, e := range g.Roots {
		switch {
		case e.Is("Product", "ProductGroup", "IndividualProduct"):
			sells = true
			if n := e.Get("name"); len(n) > 0 {
				names[strings.ToLower(strings.TrimSpace(n[0].Text))] = true
			}
		case e.Source == graph.Meta:
			sells = sells || len(e.Get("product:price:amount")) > 0 || len(e.Get("og:price:amount")) > 0
		}
	}
	return sells && len(names) < 2
}

// undeclare takes out of a tree all that it declares.
func undeclare(doc *html.Node) {
	var gone []*html.Node
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if isDeclaration(n) {
			gone = append(gone, n)
			continue
		}
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return declares[a.Key] || a.Key == "content" && n.DataAtom != atom.Meta })
	}
	for _, n := range gone {
		n.Parent.RemoveChild(n)
	}
}

var declares = map[string]bool{"itemscope": true, "itemtype": true, "itemprop": true, "itemid": true, "itemref": true, "typeof": true, "property": true, "vocab": true, "resource": true, "about": true}

func isDeclaration(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		return strings.Contains(tree.AttrOr(n, "type"), "ld+json")
	case atom.Meta:
		return tree.AttrOr(n, "itemprop") != "" || isOfProduct(tree.AttrOr(n, "property")) || isOfProduct(tree.AttrOr(n, "name"))
	case atom.Link:
		return tree.AttrOr(n, "itemprop") != ""
	}
	return false
}

func isOfProduct(name string) bool {
	name = strings.ToLower(name)
	for _, prefix := range []string{"product:", "og:price", "og:availability", "twitter:data", "twitter:label"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
