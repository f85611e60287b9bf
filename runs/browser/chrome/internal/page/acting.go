package page

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// acting is what is known of the action that is being done in a tab.
type acting struct {
	mu    sync.Mutex
	armed []*frame // whose documents are watched
	blind bool     // something was done of which watching does not tell what comes
	drag  chan *input.DragData
}

// dragged hears that the page begins a drag and drop.
func (a *acting) dragged(ev *input.EventDragIntercepted) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.drag == nil {
		return
	}
	select {
	case a.drag <- ev.Data:
	default:
	}
}

// expectDrag makes the next one known to who waits for it.
func (a *acting) expectDrag(c chan *input.DragData) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.drag = c
}

// armTime bounds the preparation of what is only there to save time.
const armTime = 2 * time.Second

// arm begins an action: the page's document is watched for what comes of it.
func (t *tab) arm(ctx context.Context) {
	t.acting.mu.Lock()
	t.acting.armed, t.acting.blind = nil, false
	t.acting.mu.Unlock()
	t.armFrame(ctx, t.mainFrame())
}

// armFrame watches the document of a frame, too, that something is done in, and
// hears what it asks for, where it is of another site.
func (t *tab) armFrame(ctx context.Context, f *frame) {
	if f.parent == nil && t.acting.has(f) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, armTime)
	defer cancel()
	_, err := eval[any](ctx, f, "arm")
	deaf := f.root().sess != f.sess && !t.s.hearFrame(ctx, t, f)
	t.acting.mu.Lock()
	defer t.acting.mu.Unlock()
	t.acting.armed = append(t.acting.armed, f)
	t.acting.blind = t.acting.blind || err != nil || deaf
}

// hearFrame has the tracker of a tab hear what a frame in another process asks for;
// the result is false where that cannot be.
func (s *Session) hearFrame(ctx context.Context, t *tab, f *frame) bool {
	own, ok := f.sess.(*chromedp.Target)
	if !ok {
		return false
	}
	s.mu.Lock()
	at := s.frames[own.TargetID]
	first := at != nil && !at.heard
	if first {
		at.heard = true
	}
	s.mu.Unlock()
	if !first {
		return at != nil
	}
	err := chromedp.Listen(at.life, func(ev any) {
		switch ev.(type) {
		case *network.EventRequestWillBeSent, *network.EventLoadingFinished, *network.EventLoadingFailed, *page.EventFrameRequestedNavigation:
			t.track.observe(ev)
		}
	})
	if err == nil {
		_, err = cdp.Call(ctx, own, network.Enable, network.EnableParams{})
	}
	return err == nil
}

// again implements [pageQuiet]: what was watched in the action is watched anew.
func (t *tab) again(ctx context.Context) {
	t.acting.mu.Lock()
	armed := t.acting.armed
	t.acting.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, armTime)
	defer cancel()
	for _, f := range armed {
		eval[any](ctx, f, "arm", true)
	}
}

// beBlind is for an action whose consequences take their time unseen, such as the
// reading of files.
func (a *acting) beBlind() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.blind = true
}

func (a *acting) has(f *frame) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, g := range a.armed {
		if g.id == f.id {
			return true
		}
	}
	return false
}

// quiet implements [pageQuiet]. It reports whether nothing more is to be expected:
// nothing changes, and timers that were set have had their time.
func (t *tab) quiet(ctx context.Context, limit time.Duration) bool {
	t.acting.mu.Lock()
	armed, blind := t.acting.armed, t.acting.blind
	t.acting.mu.Unlock()
	if blind || len(armed) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for _, f := range armed {
		still, err := eval[bool](ctx, f, "quiet", limit.Milliseconds(), t.s.opts.Settle.Timers.Milliseconds())
		if err != nil || !still {
			return false
		}
	}
	return true
}
