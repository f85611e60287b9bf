package page

import (
	"context"
	"sync"
	"time"

	"github.com/chromedp/cdproto/input"
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

// armFrame watches the document of a frame, too, that something is done in. What
// pages of other sites ask for is not heard, so for those quiet tells nothing.
func (t *tab) armFrame(ctx context.Context, f *frame) {
	if f.parent == nil && t.acting.has(f) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, armTime)
	defer cancel()
	_, err := eval[any](ctx, f, "arm")
	t.acting.mu.Lock()
	defer t.acting.mu.Unlock()
	t.acting.armed = append(t.acting.armed, f)
	t.acting.blind = t.acting.blind || err != nil || f.root().sess != f.sess
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

// quiet waits, limit at most, until the page has done what the action made it do.
// It reports whether nothing more is to be expected: nothing changes, and no
// timer has been set.
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
		still, err := eval[bool](ctx, f, "quiet", limit.Milliseconds())
		if err != nil || !still {
			return false
		}
	}
	return true
}
