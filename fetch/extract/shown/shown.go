// Package shown finds the data that a page shows: its tables, lists, labelled
// values and headings. It knows no schema; what the data mean is for others to say.
package shown

import (
	"context"
	"net/url"
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/pagedata"
)

// Options say how to read a page.
type Options struct {
	// URL of the page, which relative links are resolved with.
	URL string
}

// Data reads the data of a document.
func Data(document string, o Options) (pagedata.Data, error) {
	d := pagedata.Data{URL: o.URL}
	err := read(document, o, func(p *page.Page) { visible.Data(p, &d) })
	return d, err
}

// Text returns the visible text of a document, a line for each block.
func Text(document string) (text string, err error) {
	err = read(document, Options{}, func(p *page.Page) { text = visible.Text(p) })
	return text, err
}

func read(document string, o Options, do func(*page.Page)) error {
	ctx := context.Background()
	doc, err := tree.Parse(ctx, document, tree.Options{})
	if err != nil {
		return err
	}
	at, err := url.Parse(o.URL)
	if err != nil {
		at = &url.URL{}
	}
	nodes := slices.Collect(doc.Descendants())
	(&grafter{}).all(nodes, baseIn(nodes, at), 0)
	p, err := page.New(ctx, doc, at, 0)
	if err != nil {
		return err
	}
	return p.Meter.Run(func() error {
		do(p)
		return nil
	})
}
