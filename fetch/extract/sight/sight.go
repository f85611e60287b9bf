// Package sight finds the data that people see on a page: its tables, lists, labelled
// values and headings. It knows no schema; what the data mean is for others to say.
package sight

import (
	"context"
	"net/url"
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/pagedata"
)

// Data returns the data of a document, whose address makes its links absolute.
func Data(document, address string) (pagedata.Data, error) {
	d := pagedata.Data{URL: address}
	err := read(document, address, func(p *page.Page) { visible.Data(p, &d) })
	return d, err
}

// Text returns the visible text of a document, a line for each block.
func Text(document string) (text string, err error) {
	err = read(document, "", func(p *page.Page) { text = visible.Text(p) })
	return text, err
}

func read(document, address string, do func(*page.Page)) error {
	ctx := context.Background()
	doc, err := tree.Parse(ctx, document, tree.Options{})
	if err != nil {
		return err
	}
	at, err := url.Parse(address)
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
