package mux

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A Link is a session's own protocol session with a page. chromedp's would ask
// for much that nothing here needs, one thing after the other, of a page that
// may have no renderer to answer before it is let go; commands to a link can be
// sent ahead of their answers. Answers and events are taken in the order in
// which they come, by one goroutine: when a call returns, what happened before
// its answer has been heard.
type Link struct {
	wire   *Wire
	id     target.SessionID
	page   target.ID
	hear   func(ev any) // must not block
	frames chan []byte
	gone   chan struct{} // closed when nothing more is to be said
	close  func()

	mu    sync.Mutex
	calls map[int64]chan<- *cdproto.Message
}

var _ cdp.Session = (*Link)(nil)

// maxUnheard is how many messages of a page may wait to be taken in. Whoever
// reads the wire waits then: a page that talks faster than it can be heard is
// slowed down with the others.
const maxUnheard = 1024

// NewLink makes a link of a protocol session that nothing has been said on. The
// caller runs it.
func NewLink(w *Wire, id target.SessionID, page target.ID, hear func(ev any)) *Link {
	gone := make(chan struct{})
	l := &Link{
		wire: w, id: id, page: page, hear: hear, frames: make(chan []byte, maxUnheard),
		gone: gone, close: sync.OnceFunc(func() { w.Unroute(id); close(gone) }), calls: map[int64]chan<- *cdproto.Message{},
	}
	w.Route(id, l.onFrame)
	return l
}

// ID is the protocol session's.
func (l *Link) ID() target.SessionID { return l.id }

// Close ends it, on this side.
func (l *Link) Close() { l.close() }

// onFrame runs on the goroutine that reads the wire.
func (l *Link) onFrame(_ target.SessionID, frame []byte) {
	select {
	case l.frames <- frame:
	case <-l.gone:
	}
}

// Run takes in what comes, until close.
func (l *Link) Run() {
	for {
		select {
		case frame := <-l.frames:
			l.take(frame)
		case <-l.gone:
			return
		}
	}
}

func (l *Link) take(frame []byte) {
	msg := new(cdproto.Message)
	if DecodeMessage(frame, msg) != nil {
		return
	}
	if msg.Method == "" {
		l.mu.Lock()
		answer := l.calls[msg.ID]
		delete(l.calls, msg.ID)
		l.mu.Unlock()
		if answer != nil {
			answer <- msg
		}
		return
	}
	// What cannot be decoded is of another version of the protocol.
	if ev, err := cdproto.UnmarshalMessage(msg, chromedp.DefaultUnmarshalOptions); err == nil {
		l.hear(ev)
	}
}

// Call implements [cdp.Session].
func (l *Link) Call(ctx context.Context, method string, params, result any) error {
	return l.Start(method, params)(ctx, result)
}

// Start sends a command; what it returns waits for the answer, once.
func (l *Link) Start(method string, params any) (answer func(ctx context.Context, result any) error) {
	came := make(chan *cdproto.Message, 1)
	id := l.wire.nextID()
	l.mu.Lock()
	l.calls[id] = came
	l.mu.Unlock()
	err := l.send(id, method, params)
	return func(ctx context.Context, result any) error {
		defer l.forget(id)
		if err == nil {
			err = l.await(ctx, came, result)
		}
		if _, said := err.(*cdproto.Error); said || err == nil {
			return err
		}
		return fmt.Errorf("%s: %w", method, err)
	}
}

func (l *Link) send(id int64, method string, params any) error {
	raw, err := jsonv2.Marshal(params, chromedp.DefaultMarshalOptions)
	if err != nil {
		return err
	}
	return l.wire.write(id, l.id, method, json.RawMessage(raw))
}

func (l *Link) await(ctx context.Context, came <-chan *cdproto.Message, result any) error {
	select {
	case msg := <-came:
		if msg.Error != nil {
			return msg.Error
		}
		if result == nil {
			return nil
		}
		return jsonv2.Unmarshal(msg.Result, result, chromedp.DefaultUnmarshalOptions)
	case <-ctx.Done():
		return ctx.Err()
	case <-l.wire.lost:
		return ErrLost
	case <-l.gone:
		return chromedp.ErrTargetDetached
	}
}

func (l *Link) forget(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.calls, id)
}

// Subscribe implements [cdp.Session]: all events of a link go to who made it.
func (l *Link) Subscribe(string) (<-chan jsonv2.Value, func()) {
	none := make(chan jsonv2.Value)
	close(none)
	return none, func() {}
}
