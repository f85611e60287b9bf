package page

import (
	"context"
	"math"

	"github.com/chromedp/cdproto/cdp"
	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
)

// A4 in inches.
const (
	a4Width  = 8.27
	a4Height = 11.69
	maxPaper = 200
)

// PDF implements [browser.Session].
func (s *Session) PDF(ctx context.Context, o browser.PDFOptions) (_ []byte, err error) {
	defer errtypes.Wrap(&err, "chrome.PDF")
	if o.Width == 0 && o.Height == 0 {
		o.Width, o.Height = a4Width, a4Height
	}
	for _, side := range []float64{o.Width, o.Height} {
		if math.IsNaN(side) || side < 1 || side > maxPaper {
			return nil, errtypes.Field("paper", "must be between 1 and %d inches wide and high", maxPaper)
		}
	}
	t, done, err := s.work(&ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	document, err := s.print(ctx, t, o)
	return document, s.Explain(ctx, err)
}

func (s *Session) print(ctx context.Context, t *tab, o browser.PDFOptions) ([]byte, error) {
	if _, err := s.Pictures.Measures(ctx, t.target.ID()); err != nil { // see askDocument
		return nil, err
	}
	res, err := cdp.Call(ctx, t.target, page.PrintToPDF, page.PrintToPDFParams{
		PaperWidth: o.Width, PaperHeight: o.Height,
		Landscape: &o.Landscape, PrintBackground: &o.Background,
		TransferMode: page.PrintToPDFTransferModeReturnAsStream,
	})
	if err != nil {
		return nil, err
	}
	defer cdp.Call(ctx, t.target, cdpio.Close, cdpio.CloseParams{Handle: res.Stream})
	return readStream(ctx, t, res.Stream, s.opts.Limits.PDFBytes)
}

// readStream reads what the browser has put aside, limit bytes at most.
func readStream(ctx context.Context, t *tab, handle cdpio.StreamHandle, limit int64) ([]byte, error) {
	var all []byte
	for {
		part, err := cdp.Call(ctx, t.target, cdpio.Read, cdpio.ReadParams{Handle: handle, Size: 1 << 20})
		if err != nil {
			return nil, err
		}
		all = append(all, part.Data...)
		if int64(len(all)) > limit {
			return nil, errtypes.New(errtypes.Invalid, "the document is larger than %d bytes", limit)
		}
		if part.EOF {
			return all, nil
		}
	}
}
