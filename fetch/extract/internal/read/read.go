// Package read brings everything that a page says into one graph.
package read

import (
	"context"
	"net/url"
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

// Options are the limits of reading.
type Options struct {
	// MaxWork is how many steps reading a page may take. Default
	// [page.DefaultWork].
	MaxWork int
	// State are the limits on what a page carries for its scripts.
	State scripts.Options
	// Visible are the limits on what is seen of a page.
	Visible visible.Options
	// Shown is the tree that holds what is to be seen of the page. Default the
	// page's own.
	Shown *html.Node
}

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

// Read returns all that a page says. It changes nothing in the tree. Error
// kind: BadGateway for a page that takes too many steps; the cause of a
// context that ends is returned as it is.
func Read(ctx context.Context, doc *html.Node, pageURL *url.URL, o Options) (*graph.Graph, error) {
	p, err := page.New(ctx, doc, pageURL, o.MaxWork)
	if err != nil {
		return nil, err
	}
	return From(p, o)
}

// From is [Read] for a page that is open.
func From(p *page.Page, o Options) (*graph.Graph, error) {
	g := &graph.Graph{}
	err := p.Meter.Run(func() error {
		f := FormsOf(p)
		scripts := p.Once("state", func(p *page.Page) []*graph.Entity { return scripts.State(p, o.State) })
		g.Roots = slices.Concat(f.JSONLD, f.Microdata, f.RDFa, f.Microformats, f.Meta, scripts, o.Visible.Read(p.In(o.Shown)), address.Read(p, f.Meta))
		return nil
	})
	return g, err
}
