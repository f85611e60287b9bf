package chrome

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"golang.org/x/sync/semaphore"

	"github.com/drover-go/drover/runs/browser/chrome/internal/policy"
)

// Pictures lie in the browser's memory several times over while they are made,
// and the browser serves other sessions as well. So there is a limit of pixels
// for all pictures that it makes at a time. Large ones are taken in turn, one of
// each session, whoever waits longest first; small ones have room of their own
// and do not wait for large ones.
type turns struct {
	limit        int64
	large, small *semaphore.Weighted
	drawing      atomic.Int64 // pixels of large pictures, now
}

const (
	smallPicture = 4_000_000         // pixels: as many as most screens have
	smallAtOnce  = 16 * smallPicture // of small pictures
	maxDrawn     = 100_000_000       // pixels of a client's picture, as it is drawn
	maxDrawnSide = 65_535            // which is what encoders can hold
	perSecond    = 10_000_000        // pixels that a busy machine draws
	documents    = 4                 // that are printed at a time, if there are no pictures
	longestTurn  = 10 * time.Second  // a page that hangs keeps others waiting no longer
)

func newTurns(limit int) *turns {
	return &turns{limit: int64(limit), large: semaphore.NewWeighted(int64(limit)), small: semaphore.NewWeighted(smallAtOnce)}
}

// take waits for a turn of a session to draw so many pixels. The turn ends with
// done, or after a while. The lane keeps the session's large pictures one behind
// the other.
func (t *turns) take(ctx context.Context, s *session, pixels int64) (done func(), err error) {
	if pixels <= smallPicture {
		pixels = max(pixels, 1)
		if err := t.small.Acquire(ctx, pixels); err != nil {
			return nil, context.Cause(ctx)
		}
		return s.endOfTurn(func() { t.small.Release(pixels) }), nil
	}
	select {
	case s.lane <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	weight := min(pixels, t.limit)
	if err := t.large.Acquire(ctx, weight); err != nil {
		<-s.lane
		return nil, context.Cause(ctx)
	}
	t.drawing.Add(weight)
	return s.endOfTurn(func() {
		t.drawing.Add(-weight)
		t.large.Release(weight)
		<-s.lane
	}), nil
}

// endOfTurn gives something back once: when it is called, or after a while.
func (s *session) endOfTurn(give func()) func() {
	once := sync.OnceFunc(give)
	timer := s.p.opts.Clock.AfterFunc(longestTurn, once)
	return func() {
		timer.Stop()
		once()
	}
}

// A drawing is what a picture of a page is asked to be.
type drawing struct {
	Clip                  *page.Viewport
	CaptureBeyondViewport bool
	ratio                 float64 // of the pixels of the screen to those of CSS
}

// drawn is how many pixels a picture has, on the screen that the page thinks it
// is on.
func (s *session) drawn(ctx context.Context, on target.SessionID, d drawing) (int64, error) {
	m, err := s.measures(ctx, on)
	if err != nil {
		return 0, err
	}
	width, height := d.size(m)
	ratio := max(d.ratio, 1)
	if width*ratio > maxDrawnSide || height*ratio > maxDrawnSide || width*height*ratio*ratio > maxDrawn {
		return 0, fmt.Errorf("the picture would be %.0f by %.0f pixels; a side can have %d, all of it %d", width*ratio, height*ratio, maxDrawnSide, maxDrawn)
	}
	return int64(width * height * ratio * ratio), nil
}

// measures asks a page for its measures. The page's process answers: there is no
// answer where that has gone.
func (s *session) measures(ctx context.Context, on target.SessionID) (*layout, error) {
	ctx, cancel := s.bounded(ctx, s.p.opts.Timeouts.Call, "answer")
	defer cancel()
	raw, err := s.proc.wire.call(ctx, on, page.GetLayoutMetrics.Method, cdp.Empty{})
	if err != nil {
		return nil, err
	}
	m := &layout{}
	return m, json.Unmarshal(raw, m)
}

// A layout is what a page says of its measures.
type layout struct {
	CSSLayoutViewport struct{ ClientWidth, ClientHeight float64 }
	CSSContentSize    struct{ Width, Height float64 }
}

// size is that of the part to draw, in pixels of CSS.
func (d drawing) size(m *layout) (width, height float64) {
	switch {
	case d.Clip != nil:
		scale := d.Clip.Scale
		if scale == 0 {
			scale = 1
		}
		return d.Clip.Width * scale, d.Clip.Height * scale
	case d.CaptureBeyondViewport:
		return m.CSSContentSize.Width, m.CSSContentSize.Height
	}
	return m.CSSLayoutViewport.ClientWidth, m.CSSLayoutViewport.ClientHeight
}

// ratio is how many pixels of the screen one of CSS has, in a row, as clients
// have it for a target.
func (v *visitors) ratio(id target.ID) float64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	most := 1.0
	for c := range v.conns {
		c.any(func(st *seat) bool {
			if st.target == id {
				most = max(most, st.ratio)
			}
			return false
		})
	}
	return most
}

// setMetrics notes on what screen a page is to think that it is.
func (c *conn) setMetrics(st *seat, cmd policy.Command) {
	p := parsed[struct{ DeviceScaleFactor float64 }](cmd)
	c.mu.Lock()
	st.ratio = p.DeviceScaleFactor
	c.mu.Unlock()
	c.forward(st, cmd)
}
