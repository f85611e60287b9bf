package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/shorten"
)

// A hand does in a session's tabs what a viewer with an interactive link does on
// the picture. It is a client of the browser's protocol in this process, so that
// it may no more than the table lets every client do; and of that it says only
// what acts.go makes of a person's acts.
type hand struct {
	v      *view
	client *inside
	ctx    context.Context // ends when the browser has enough of the client, too
	stop   context.CancelFunc
	work   chan func()
	slots  chan struct{} // of what is done aside
	wg     sync.WaitGroup
	seats  map[string]string // sessions of the protocol by tab
}

// Bounds of a hand: the longest message, in bytes, what may wait, and how long
// the browser has to answer.
const (
	maxAct     = 128 << 10
	maxWaiting = 64
	maxAside   = 4
	handTime   = 10 * time.Second
)

var errHand = errtypes.New(errtypes.GatewayTimeout, "the page does not answer")

func newHand(v *view) *hand {
	h := &hand{v: v, client: newInside(), work: make(chan func(), maxWaiting), slots: make(chan struct{}, maxAside), seats: map[string]string{}}
	h.ctx, h.stop = context.WithCancel(v.ctx)
	return h
}

// hold keeps the client connected until the viewer leaves.
func (h *hand) hold() {
	defer h.wg.Wait()
	defer h.stop()
	h.wg.Go(h.run)
	err := h.v.live.browser.Serve(h.ctx, h.client)
	h.v.notice(err)
}

// run does one thing after the other.
func (h *hand) run() {
	for {
		select {
		case f := <-h.work:
			f()
		case <-h.ctx.Done():
			return
		}
	}
}

func (h *hand) later(f func()) {
	select {
	case h.work <- f:
	case <-h.ctx.Done():
	}
}

// aside does what the next act need not wait for, and tells the viewer what is
// refused.
func (h *hand) aside(f func(ctx context.Context) error) {
	select {
	case h.slots <- struct{}{}:
	case <-h.ctx.Done():
		return
	}
	h.wg.Go(func() {
		defer func() { <-h.slots }()
		ctx, cancel := clock.WithTimeout(h.ctx, h.v.live.conf.Clock, handTime, errHand)
		defer cancel()
		h.v.notice(f(ctx))
	})
}

// notice tells the viewer why something cannot be done.
func (v *view) notice(err error) {
	if err == nil || v.ctx.Err() != nil {
		return
	}
	text := err.Error()
	if _, ok := errors.AsType[*errtypes.Error](err); ok {
		text = errtypes.Public(err).Message
	}
	_ = v.send(liveMessage{Notice: shownText(v.live.clean(text))}) // who has gone need not know
}

// reach takes hold of a tab that is shown. From then on its dialogs wait for the
// viewer.
func (h *hand) reach(tab string) {
	h.later(func() { h.seat(tab) })
}

// seat returns the session of the protocol with a tab; empty where there is
// none.
func (h *hand) seat(tab string) string {
	if seat, known := h.seats[tab]; known {
		return seat
	}
	ctx, cancel := clock.WithTimeout(h.ctx, h.v.live.conf.Clock, handTime, errHand)
	defer cancel()
	seat, err := h.client.attach(ctx, tab)
	if err != nil {
		h.v.notice(errtypes.New(errtypes.Forbidden, "this tab can only be watched: %v", err))
	}
	h.seats[tab] = seat
	if seat != "" {
		_ = h.client.post(ctx, seat, "Page.enable", struct{}{})
	}
	return seat
}

// take does what a message of the viewer says. What makes no sense is left out.
func (h *hand) take(data []byte) {
	var a act
	if json.Unmarshal(data, &a) != nil {
		return
	}
	h.v.live.privacy.heard(a)
	h.v.mu.Lock()
	shown := h.v.frame
	h.v.mu.Unlock()
	h.later(func() { h.do(a, shown) })
}

// do does it in its tab, unless it was meant for another than the one that was
// shown: the picture has changed under the viewer's hand.
func (h *hand) do(a act, shown liveFrame) {
	switch a.Type {
	case "dialog":
		h.aside(func(context.Context) error { return h.answer(a) })
		return
	case "raise":
		h.aside(func(ctx context.Context) error {
			return h.client.call(ctx, "", "Target.activateTarget", map[string]string{"targetId": a.Tab}, nil)
		})
		return
	}
	if a.Tab != shown.Tab || h.seat(a.Tab) == "" {
		return
	}
	seat := h.seats[a.Tab]
	switch a.Type {
	case "navigate":
		h.aside(func(ctx context.Context) error { return h.navigate(ctx, seat, a.Text) })
	case "history":
		h.aside(func(ctx context.Context) error { return h.history(ctx, seat, a.Steps) })
	default:
		for _, c := range a.commands(shown) {
			_ = h.client.post(h.ctx, seat, c.Method, c.Params) // else the viewer has gone
		}
	}
}

// answer answers a dialog, and shows at once that it has gone.
func (h *hand) answer(a act) error {
	defer h.v.look()
	return h.v.live.browser.AnswerDialog(a.Tab, a.Accept, shorten.Bytes(a.Text, maxAnswer))
}
