// Package read brings everything that a page says into one graph.
package read

import (
	"context"
	"net/url"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/address"
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/jsonld"
	"github.com/drover-go/drover/fetch/extract/internal/meta"
	"github.com/drover-go/drover/fetch/extract/internal/microdata"
	"github.com/drover-go/drover/fetch/extract/internal/microformats"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/rdfa"
	"github.com/drover-go/drover/fetch/extract/internal/state"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
)

// Options are the limits of reading.
type Options struct {
	// MaxWork is how many steps reading a page may take. Default
	// [page.DefaultWork].
	MaxWork int
	// State are the limits on what a page carries for its scripts.
	State state.Options
	// Visible are the limits on what is seen of a page.
	Visible visible.Options
}

// readers are what find things on a page, in the order in which they are
// believed.
func readers(o Options) []func(*page.Page) []*graph.Entity {
	return []func(*page.Page) []*graph.Entity{
		jsonld.Read, microdata.Read, rdfa.Read, microformats.Read, meta.Read,
		func(p *page.Page) []*graph.Entity { return state.Read(p, o.State) },
		o.Visible.Read, address.Read,
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
		for _, read := range readers(o) {
			g.Roots = append(g.Roots, read(p)...)
		}
		return nil
	})
	return g, err
}
