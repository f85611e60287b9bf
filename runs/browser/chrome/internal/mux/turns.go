package mux

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"golang.org/x/sync/semaphore"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
)

// Pictures lie in the browser's memory several times over while they are made,
// and the browser serves other sessions as well. So there is a limit of pixels
// for all pictures that it makes at a time. Large ones are taken in turn, one of
// each session, whoever waits longest first; small ones have room of their own
// and do not wait for large ones. No session can take all of a room: of small
// pictures it has a share, and of huge ones, which are larger than a share of
// the large ones' room, there is one at a time, beside which there is a share
// left.
type Turns struct {
	limit        int64
	large, small *semaphore.Weighted
	huge         *semaphore.Weighted // of one place
	drawing      atomic.Int64        // pixels of large pictures, now
}

const (
	smallPicture   = 4_000_000         // pixels: as many as most screens have
	smallAtOnce    = 16 * smallPicture // of small pictures
	smallOfSession = 3 * smallPicture  // of small pictures of one session
	largeShares    = 4                 // of the room for large pictures
	maxDrawn       = 100_000_000       // pixels of a client's picture, as it is drawn
	maxDrawnSide   = policy.MaxDrawnSide
	perSecond      = 10_000_000       // pixels that a busy machine draws
	documents      = largeShares      // that are printed at a time, if there are no pictures
	longestTurn    = 10 * time.Second // a page that hangs keeps others waiting no longer
	longestWait    = time.Minute      // for a turn
)

var errNoTurn = errtypes.New(errtypes.Unavailable, "the browser makes other pictures; there was no turn for this one within %s", longestWait)

// NewTurns returns the turns of a browser, in which it may draw so many pixels at a
// time.
func NewTurns(limit int) *Turns {
	return &Turns{
		limit: int64(limit),
		large: semaphore.NewWeighted(int64(limit)), small: semaphore.NewWeighted(smallAtOnce), huge: semaphore.NewWeighted(1),
	}
}

// Drawing is how many pixels large pictures have that are drawn now.
func (t *Turns) Drawing() int64 { return t.drawing.Load() }

// A share is a part of a room that is taken.
type share struct {
	of     *semaphore.Weighted
	weight int64
}

// take waits for a turn of a session to draw so many pixels, a while at most.
// The turn ends with done, which may be called again. The lane keeps the
// session's large pictures one behind the other.
func (t *Turns) take(ctx context.Context, p *Pictures, pixels int64) (done func(), err error) {
	ctx, cancel := p.s.Within(ctx, longestWait, errNoTurn)
	defer cancel()
	if pixels <= smallPicture {
		pixels = max(pixels, 1)
		return takeAll(ctx, share{p.small, pixels}, share{t.small, pixels})
	}
	one := t.limit / largeShares
	shares := []share{{p.lane, 1}}
	if pixels > one {
		shares = append(shares, share{t.huge, 1})
	}
	give, err := takeAll(ctx, append(shares, share{t.large, min(pixels, t.limit-one)})...)
	if err != nil {
		return nil, err
	}
	t.drawing.Add(pixels)
	return sync.OnceFunc(func() {
		t.drawing.Add(-pixels)
		give()
	}), nil
}

// takeAll takes shares one after the other, and all of them or none.
func takeAll(ctx context.Context, shares ...share) (give func(), err error) {
	for i, one := range shares {
		if err := one.of.Acquire(ctx, one.weight); err != nil {
			giveBack(shares[:i])
			return nil, context.Cause(ctx)
		}
	}
	return sync.OnceFunc(func() { giveBack(shares) }), nil
}

// giveBack begins with what was taken last.
func giveBack(shares []share) {
	for _, one := range slices.Backward(shares) {
		one.of.Release(one.weight)
	}
}

// A Drawing is what a picture of a page is asked to be.
type Drawing struct {
	Clip                  *page.Viewport
	CaptureBeyondViewport bool
	Ratio                 float64 // of the pixels of the screen to those of CSS
}

// drawn is how many pixels a picture has, on the screen that the page thinks it
// is on.
func (p *Pictures) drawn(ctx context.Context, on target.SessionID, d Drawing) (int64, error) {
	m, err := p.Measures(ctx, on)
	if err != nil {
		return 0, err
	}
	width, height := d.size(m)
	ratio := max(d.Ratio, 1)
	if width*ratio > maxDrawnSide || height*ratio > maxDrawnSide || width*height*ratio*ratio > maxDrawn {
		return 0, fmt.Errorf("the picture would be %.0f by %.0f pixels; a side can have %d, all of it %d", width*ratio, height*ratio, maxDrawnSide, maxDrawn)
	}
	return int64(width * height * ratio * ratio), nil
}

// Measures asks a page for its measures. The page's process answers: there is no
// answer where that has gone.
func (p *Pictures) Measures(ctx context.Context, on target.SessionID) (*Layout, error) {
	ctx, cancel := p.s.Bounded(ctx, p.o.Call, "answer")
	defer cancel()
	m, err := Decoded[Layout](p.s.Wire().Call(ctx, on, page.GetLayoutMetrics.Method, cdp.Empty{}))
	return &m, err
}

// A Layout is what a page says of its measures.
type Layout struct {
	CSSLayoutViewport struct{ ClientWidth, ClientHeight float64 }
	CSSContentSize    struct{ Width, Height float64 }
}

// size is that of the part to draw, in pixels of CSS.
func (d Drawing) size(m *Layout) (width, height float64) {
	switch {
	case d.Clip != nil:
		scale := cmp.Or(d.Clip.Scale, 1)
		return d.Clip.Width * scale, d.Clip.Height * scale
	case d.CaptureBeyondViewport:
		return m.CSSContentSize.Width, m.CSSContentSize.Height
	}
	return m.CSSLayoutViewport.ClientWidth, m.CSSLayoutViewport.ClientHeight
}

// Ratio is how many pixels of the screen one of CSS has, in a row, as clients
// have it for a target.
func (v *Clients) Ratio(id target.ID) float64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	most := 1.0
	for c := range v.conns {
		c.those(func(st *attachment) bool {
			if st.target == id {
				most = max(most, st.ratio)
			}
			return false
		})
	}
	return most
}

// setMetrics notes on what screen a page is to think that it is.
func (c *conn) setMetrics(st *attachment, cmd policy.Command) {
	p := parsed[struct{ DeviceScaleFactor float64 }](cmd)
	c.locked(func() { st.ratio = p.DeviceScaleFactor })
	c.forward(st, cmd)
}
