// Package read brings everything that a page says into one graph.
package read

import (
	"context"
	"net/url"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/jsonld"
	"github.com/drover-go/drover/fetch/extract/internal/microdata"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/rdfa"
)

// Options are the limits of reading.
type Options struct {
	// MaxWork is how many steps reading a page may take. Default
	// [page.DefaultWork].
	MaxWork int
}

// Readers are what find things on a page, in the order in which they are
// believed.
var Readers = []func(*page.Page) []*graph.Entity{
	jsonld.Read, microdata.Read, rdfa.Read,
}

// Read returns all that a page says. It changes nothing in the tree. Error
// kind: BadGateway for a page that takes too many steps; the cause of a
// context that ends is returned as it is.
func Read(ctx context.Context, doc *html.Node, pageURL *url.URL, o Options) (*graph.Graph, error) {
	p, err := page.New(ctx, doc, pageURL, o.MaxWork)
	if err != nil {
		return nil, err
	}
	return From(p)
}

// From is [Read] for a page that is open.
func From(p *page.Page) (*graph.Graph, error) {
	g := &graph.Graph{}
	err := p.Meter.Run(func() error {
		for _, read := range Readers {
			g.Roots = append(g.Roots, read(p)...)
		}
		return nil
	})
	return g, err
}
