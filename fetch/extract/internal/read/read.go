// Package read brings everything that a page says into one graph.
package read

import (
	"slices"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/address"
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/markup"
	"github.com/drover-go/drover/fetch/extract/internal/meta"
	"github.com/drover-go/drover/fetch/extract/internal/microformats"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/scripts"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
)

// Forms are the readers of what pages say for machines, in the order in which
// they are believed. They are asked once a page.
type Forms struct{ JSONLD, Microdata, RDFa, Microformats, Meta []*graph.Entity }

// FormsOf reads what a page says for machines. It is to be called below the Run
// of the page's meter.
func FormsOf(p *page.Page) Forms {
	return Forms{
		JSONLD:       p.Once("jsonld", scripts.JSONLD),
		Microdata:    p.Once("microdata", markup.Microdata),
		RDFa:         p.Once("rdfa", markup.RDFa),
		Microformats: p.Once("microformats", microformats.Read),
		Meta:         p.Once("meta", meta.Read),
	}
}

// Read returns all that a page says. shown is the tree that holds what is to be seen
// of it; nil is the page's own. It changes nothing in the tree. Error kind:
// BadGateway for a page that takes too many steps; the cause of a context that ends
// is returned as it is.
func Read(p *page.Page, shown *html.Node) (*graph.Graph, error) {
	g := &graph.Graph{}
	err := p.Meter.Run(func() error {
		f := FormsOf(p)
		g.Roots = slices.Concat(f.JSONLD, f.Microdata, f.RDFa, f.Microformats, f.Meta, p.Once("state", scripts.State), visible.Read(p.In(shown)), address.Read(p, f.Meta))
		return nil
	})
	return g, err
}
