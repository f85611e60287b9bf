package extract

import (
	"context"
	"net/url"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract/internal/page"
)

// Page is a page that is read once, whatever is asked of it. It serves one
// goroutine, and one call at a time.
type Page struct{ page *page.Page }

// OpenOptions are the limits of [Open]. The zero value is useful.
type OpenOptions struct {
	// MaxRead is how many steps all reading of the page may take, a step being a
	// node that is visited or 64 bytes that are copied. Default 20,000,000.
	MaxRead int
}

// Open returns a page, whose tree must stay as it is while questions are asked
// of it. pageURL is the address that answered with it, after redirects; where
// it is nil, relative addresses stay as they are. The context is that of all
// reading.
//
// Error kind: BadGateway for a page that takes more than MaxRead. The cause of
// a context that ends is returned as it is.
func Open(ctx context.Context, doc *html.Node, pageURL *url.URL, o OpenOptions) (_ *Page, err error) {
	defer errtypes.Wrap(&err, "extract.Open")
	p, err := page.New(ctx, doc, pageURL, o.MaxRead)
	if err != nil {
		return nil, err
	}
	return &Page{p}, nil
}
