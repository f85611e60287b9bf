package page

import (
	"cmp"
	"context"
	"math"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
)

// A cast is the screencast of one tab, which all who look at it share: the
// browser is asked for the best of what they want.
type cast struct {
	t  *tab
	op sync.Mutex // held while the browser is told what to cast

	mu      sync.Mutex
	viewers map[*viewer]struct{}
	running castParams // what the browser was asked for
	stale   bool       // it casts a page that has crashed, and waits for what is lost with that
	last    browser.Frame
	seq     int // of last; it only grows
	acked   time.Time
}

// castParams are what a viewer wants; the zero value is nothing.
type castParams struct{ quality, width, height int }

// unbounded is a side without a bound.
const unbounded = math.MaxInt32

// best is what satisfies both.
func (p castParams) best(other castParams) castParams {
	return castParams{max(p.quality, other.quality), max(p.width, other.width), max(p.height, other.height)}
}

// A viewer is one who looks at a tab.
type viewer struct {
	want castParams
	wake chan struct{} // a frame that is newer than seen
	seen int
}

func wanted(o browser.ScreencastOptions) castParams {
	return castParams{cmp.Or(o.Quality, 60), cmp.Or(o.MaxWidth, unbounded), cmp.Or(o.MaxHeight, unbounded)}
}

// join begins to look at the tab; leave ends it. The browser is told in the
// background, since a page may keep it waiting.
func (c *cast) join(want castParams) *viewer {
	v := &viewer{want: want, wake: make(chan struct{}, 1)}
	c.mu.Lock()
	c.viewers[v] = struct{}{}
	if c.last.Data != nil { // a page at rest sends no other
		v.wake <- struct{}{}
	}
	c.mu.Unlock()
	c.t.s.Spawn(c.adjust)
	return v
}

func (c *cast) leave(v *viewer) {
	c.mu.Lock()
	delete(c.viewers, v)
	c.mu.Unlock()
	c.t.s.Spawn(c.adjust)
}

// newest returns a frame that the viewer has not seen; false if there is none.
func (c *cast) newest(v *viewer) (browser.Frame, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seq == v.seen || c.last.Data == nil {
		return browser.Frame{}, false
	}
	v.seen = c.seq
	return c.last, true
}

// adjust makes the browser cast what the viewers want.
func (c *cast) adjust() {
	c.op.Lock()
	defer c.op.Unlock()
	c.mu.Lock()
	var want castParams
	for v := range c.viewers {
		want = want.best(v.want)
	}
	running, stale := c.running, c.stale
	c.stale = false
	c.mu.Unlock()
	if want == running && !stale {
		return
	}
	if err := c.tell(want, running); err != nil {
		c.t.s.opts.Logger.Debug("chrome: a screencast does not start or stop", "session", c.t.s.ID(), "error", err)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = want
	if want == (castParams{}) {
		c.last = browser.Frame{}
	}
}

func (c *cast) tell(want, running castParams) error {
	ctx, done := c.t.s.during(context.Background(), c.t, c.t.s.opts.Call, "answer")
	defer done()
	if running != (castParams{}) {
		if _, err := cdp.Call(ctx, c.t.target, page.StopScreencast, cdp.Empty{}); err != nil {
			return err
		}
	}
	if want == (castParams{}) {
		return nil
	}
	p := page.StartScreencastParams{
		Format: page.StartScreencastFormatJpeg, Quality: new(int64(want.quality)),
		MaxFramesInFlight: 1, SendLastFrame: new(true),
	}
	if want.width != unbounded {
		p.MaxWidth = int64(want.width)
	}
	if want.height != unbounded {
		p.MaxHeight = int64(want.height)
	}
	_, err := cdp.Call(ctx, c.t.target, page.StartScreencast, p)
	return err
}

// again makes the browser cast anew what it was casting, for a page that has
// crashed and was left.
func (c *cast) again() {
	c.mu.Lock()
	c.stale = true
	c.mu.Unlock()
	c.t.s.Spawn(c.adjust)
}

// castPatience is how long a new page may show nothing.
const castPatience = 2 * time.Second

// navigated casts a new page anew that shows nothing for a while: on a busy
// machine Chromium 156 sometimes makes no frame of a page any more, and who
// looks at one at rest would wait for ever.
func (c *cast) navigated() {
	c.mu.Lock()
	before, looked := c.seq, len(c.viewers) > 0
	c.mu.Unlock()
	if !looked {
		return
	}
	c.t.s.Spawn(func() {
		ctx, done := c.t.s.during(context.Background(), c.t, 2*castPatience, "answer")
		defer done()
		if clock.Sleep(ctx, c.t.s.opts.Clock, castPatience) != nil {
			return
		}
		c.mu.Lock()
		dark := c.seq == before
		c.mu.Unlock()
		if dark {
			c.again()
		}
	})
}

// castTime is the least time between two frames: a page that moves all the
// time is not encoded as often as it is drawn.
const castTime = time.Second / 15

// onFrame takes in a frame and lets the browser make the next. It runs on the
// goroutine that reads the tab's messages.
func (c *cast) onFrame(ev *page.EventScreencastFrame) {
	c.mu.Lock()
	now := c.t.s.opts.Clock.Now()
	wait := max(castTime-now.Sub(c.acked), 0)
	c.acked = now.Add(wait)
	if len(c.viewers) > 0 {
		c.last, c.seq = frameOf(c.t, ev, now), c.seq+1
		for v := range c.viewers {
			select {
			case v.wake <- struct{}{}:
			default:
			}
		}
	}
	c.mu.Unlock()
	c.t.s.Spawn(func() { c.ack(ev.SessionID, wait) })
}

// ack says that a frame has come, after a while.
func (c *cast) ack(number int64, after time.Duration) {
	ctx, done := c.t.s.during(context.Background(), c.t, c.t.s.opts.Call, "answer")
	defer done()
	if after > 0 && clock.Sleep(ctx, c.t.s.opts.Clock, after) != nil {
		return
	}
	cdp.Call(ctx, c.t.target, page.ScreencastFrameAck, page.ScreencastFrameAckParams{SessionID: number})
}

func frameOf(t *tab, ev *page.EventScreencastFrame, now time.Time) browser.Frame {
	f := browser.Frame{Tab: string(t.id), Time: now, Data: ev.Data}
	if m := ev.Metadata; m != nil {
		f.Width, f.Height = int(m.DeviceWidth), int(m.DeviceHeight)
		if seconds := m.Timestamp.Float64(); seconds > 0 {
			f.Time = time.UnixMicro(int64(seconds * 1e6))
		}
	}
	return f
}
