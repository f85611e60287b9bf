package fetch

import (
	"context"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract"
)

// note keeps what the page says about itself for the answer. A page of which
// that cannot be told within the limits has a content all the same.
func (a *answer) note(doc *html.Node) error {
	m, err := extract.MetadataOf(a.one.ctx, doc, a.url, extract.MetadataOptions{})
	switch {
	case a.one.ctx.Err() != nil:
		return context.Cause(a.one.ctx)
	case errtypes.KindOf(err) == errtypes.BadGateway:
		return nil
	}
	a.metadata = m
	return err
}
