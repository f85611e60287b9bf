package page

import (
	"cmp"
	"context"
	"encoding/json"
	"math"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// maxSide and maxPixels bound a picture: beyond them the browser's own memory,
// and what encoders can hold, give out.
const (
	maxSide   = 16384
	maxPixels = 50_000_000
)

// Screenshot implements [browser.Session].
func (s *Session) Screenshot(ctx context.Context, o browser.ScreenshotOptions) (_ []byte, err error) {
	defer errtypes.Wrap(&err, "chrome.Screenshot")
	if err := checkScreenshot(o); err != nil {
		return nil, err
	}
	t, done, err := s.work(&ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	picture, err := capture(ctx, t, o)
	return picture, s.Explain(ctx, err)
}

func checkScreenshot(o browser.ScreenshotOptions) error {
	switch {
	case o.Quality < 0 || o.Quality > 100:
		return errtypes.Field("quality", "must be between 1 and 100")
	case o.Quality > 0 && !o.JPEG:
		return errtypes.Field("quality", "is for JPEG pictures")
	case o.FullPage && o.Clip != nil:
		return errtypes.Field("clip", "and fullPage cannot both be asked for")
	case o.Clip != nil:
		return checkClip(*o.Clip)
	}
	return nil
}

func checkClip(c browser.Clip) error {
	for _, v := range []float64{c.X, c.Y, c.Width, c.Height} {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return errtypes.Field("clip", "must have numbers from 0")
		}
	}
	return checkSize("clip", c.Width, c.Height)
}

func checkSize(field string, width, height float64) error {
	switch {
	case width < 1 || height < 1:
		return errtypes.Field(field, "must be at least 1 pixel wide and high")
	case width > maxSide || height > maxSide:
		return errtypes.Field(field, "would be %.0f by %.0f pixels; a side can have %d", width, height, maxSide)
	case width*height > maxPixels:
		return errtypes.Field(field, "would be %.0f by %.0f pixels; a picture can have %d million", width, height, maxPixels/1_000_000)
	}
	return nil
}

func capture(ctx context.Context, t *tab, o browser.ScreenshotOptions) ([]byte, error) {
	p := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng}
	if o.JPEG {
		p.Format, p.Quality = page.CaptureScreenshotFormatJpeg, new(int64(cmp.Or(o.Quality, 80)))
	}
	clip, err := clipOf(ctx, t, o)
	if err != nil {
		return nil, err
	}
	if clip != nil {
		p.CaptureBeyondViewport = new(true)
		p.Clip = &page.Viewport{X: clip.X, Y: clip.Y, Width: clip.Width, Height: clip.Height, Scale: 1}
	}
	frame, err := t.s.Pictures.Capture(ctx, t.target.ID(), p, mux.Drawing{Clip: p.Clip, Ratio: t.ratio()})
	if err != nil {
		return nil, err
	}
	raw, err := mux.Result(frame)
	var res struct{ Data []byte }
	if err == nil {
		err = json.Unmarshal(raw, &res)
	}
	return res.Data, err
}

// ratio is how many pixels of a picture a CSS pixel has, at most.
func (t *tab) ratio() float64 { return max(t.s.Clients.Ratio(t.id), t.s.Options().DeviceScaleFactor) }

// clipOf is the part of the page to take; nil for the viewport.
func clipOf(ctx context.Context, t *tab, o browser.ScreenshotOptions) (*browser.Clip, error) {
	if !o.FullPage {
		return o.Clip, nil
	}
	res, err := cdp.Call(ctx, t.target, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil || res.CSSContentSize == nil {
		return nil, cmp.Or(err, errScript)
	}
	size := browser.Clip{Width: math.Ceil(res.CSSContentSize.Width), Height: math.Ceil(res.CSSContentSize.Height)}
	return &size, checkSize("fullPage", size.Width, size.Height)
}
