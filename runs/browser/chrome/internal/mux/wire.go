package mux

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A Wire is the connection to a browser. chromedp is its main client: it gets
// every message but those of sessions that are routed elsewhere, and the answers to calls made here. Several may write at a time.
type Wire struct {
	frames Framed
	next   atomic.Int64  // ids of messages that are not chromedp's
	heard  atomic.Int64  // how many messages have come
	lost   chan struct{} // closed when no more can be read
	lose   func()

	mu     sync.Mutex
	routes map[target.SessionID]func(id target.SessionID, frame []byte)
	calls  map[int64]chan<- []byte
	// foreign are the sessions that chromedp has never had, until they end.
	foreign map[target.SessionID]struct{}
}

// firstID keeps our ids apart from chromedp's, which begin at 1, and from those
// of external clients, which must be below it; the browser takes ids of 31 bits.
const firstID = 1 << 30

// NewWire returns the wire of a browser that is reached by f.
func NewWire(f Framed) *Wire {
	lost := make(chan struct{})
	return &Wire{
		frames: f, lost: lost, lose: sync.OnceFunc(func() { close(lost) }),
		routes: map[target.SessionID]func(target.SessionID, []byte){},
		calls:  map[int64]chan<- []byte{}, foreign: map[target.SessionID]struct{}{},
	}
}

// nextID begins again when the ids have been used up, long after the first was
// answered.
func (w *Wire) nextID() int64 { return firstID + w.next.Add(1)%firstID }

// Route hands the messages of a session to f as they are, who may keep them. f
// runs on the goroutine that reads the wire: it must not send, nor wait for what
// has still to come.
func (w *Wire) Route(id target.SessionID, f func(target.SessionID, []byte)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.routes[id] = f
	w.foreign[id] = struct{}{}
}

// Unroute ends that.
func (w *Wire) Unroute(id target.SessionID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.routes, id)
}

// Routes is how many sessions are routed.
func (w *Wire) Routes() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.routes)
}

// Read implements [chromedp.Transport].
func (w *Wire) Read(ctx context.Context, msg *cdproto.Message) error {
	for {
		frame, err := w.frames.ReadFrame()
		if err != nil {
			w.lose()
			return err
		}
		w.heard.Add(1)
		if w.dispatch(frame) {
			continue
		}
		*msg = cdproto.Message{}
		if err := DecodeMessage(frame, msg); err != nil {
			return err
		}
		if w.endsForeign(msg) {
			continue
		}
		if msg.ID != 0 || msg.Method != "" { // else the answer to a frame that the browser could not read
			return nil
		}
	}
}

// Write implements [chromedp.Transport].
func (w *Wire) Write(_ context.Context, msg *cdproto.Message) error {
	frame, err := jsonv2.Marshal(msg, chromedp.DefaultMarshalOptions)
	if err != nil {
		return err
	}
	return w.writeFrame(frame)
}

// writeFrame says ErrLost where the browser's end is closed: a command may find
// that out before the goroutine that reads does.
func (w *Wire) writeFrame(frame []byte) error {
	if err := w.frames.WriteFrame(frame); err != nil {
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
	return nil
}

// Close implements [chromedp.Transport].
func (w *Wire) Close() error { return w.frames.Close() }

// DecodeMessage reads a message.
func DecodeMessage(frame []byte, msg *cdproto.Message) error {
	return jsonv2.Unmarshal(frame, msg, chromedp.DefaultUnmarshalOptions)
}

// endsForeign reports whether a message says that a session has ended which is
// not chromedp's. chromedp leaves its reader behind for good where two such
// messages come as it is being stopped.
func (w *Wire) endsForeign(msg *cdproto.Message) bool {
	if msg.Method != cdproto.EventTargetDetachedFromTarget || msg.SessionID != "" {
		return false
	}
	var ended target.EventDetachedFromTarget
	if jsonv2.Unmarshal(msg.Params, &ended, chromedp.DefaultUnmarshalOptions) != nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, foreign := w.foreign[ended.SessionID]
	delete(w.foreign, ended.SessionID)
	return foreign
}

// dispatch reports whether the frame was for somebody else than chromedp.
func (w *Wire) dispatch(frame []byte) bool {
	id, session := frameID(frame), frameSession(frame)
	w.mu.Lock()
	call, route := w.calls[id], w.routes[session]
	if call != nil {
		delete(w.calls, id)
	}
	w.mu.Unlock()
	switch {
	case call != nil:
		call <- frame
	case route != nil:
		route(session, frame)
	default:
		return false
	}
	return true
}

// frameID is the id of an answer, which the browser puts first; 0 for what is
// not one.
func frameID(frame []byte) int64 {
	rest, ok := bytes.CutPrefix(frame, []byte(`{"id":`))
	if !ok {
		return 0
	}
	end := bytes.IndexAny(rest[:min(len(rest), 20)], ",}")
	if end < 0 {
		return 0
	}
	id, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// sessionKey comes before the session's id, which the browser puts last. What
// a page says cannot look like it: its quotes are escaped.
const sessionKey = `,"sessionId":"`

// frameSession is the session of a message, empty for none.
func frameSession(frame []byte) target.SessionID {
	const most = 128
	end := frame[max(0, len(frame)-most):]
	rest, ok := bytes.CutSuffix(end, []byte(`"}`))
	if !ok {
		return ""
	}
	at := bytes.LastIndex(rest, []byte(sessionKey))
	if at < 0 {
		return ""
	}
	id := rest[at+len(sessionKey):]
	if bytes.ContainsAny(id, `"\`) {
		return ""
	}
	return target.SessionID(id)
}

// stripped is a message of a session as if it were the root's. It changes the
// frame.
func stripped(frame []byte, id target.SessionID) []byte {
	frame = frame[:len(frame)-len(sessionKey)-len(id)-len(`"}`)]
	return append(frame, '}')
}

// Send sends a command to a session without waiting for the answer.
func (w *Wire) Send(id target.SessionID, method string, params any) error {
	return w.write(w.nextID(), id, method, params)
}

func (w *Wire) write(id int64, session target.SessionID, method string, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return w.Write(context.Background(), &cdproto.Message{
		ID: id, SessionID: session, Method: cdproto.MethodType(method), Params: jsonv2.Value(raw),
	})
}

// Call sends a command to a session and waits for the answer. It must not be
// called on the goroutine that reads the wire.
func (w *Wire) Call(ctx context.Context, session target.SessionID, method string, params any) (json.RawMessage, error) {
	answer := make(chan []byte, 1)
	id, forget := w.expect(answer)
	defer forget()
	if err := w.write(id, session, method, params); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-w.lost:
		return nil, fmt.Errorf("%s: %w", method, ErrLost)
	case frame := <-answer:
		return Result(frame)
	}
}

// expect has the answer to a command, of which there is one at most, sent to
// the channel, which must have room for it.
func (w *Wire) expect(answer chan<- []byte) (id int64, forget func()) {
	id = w.nextID()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[id] = answer
	return id, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.calls, id)
	}
}

// Result takes an answer apart.
func Result(frame []byte) (json.RawMessage, error) {
	var msg cdproto.Message
	switch err := DecodeMessage(frame, &msg); {
	case err != nil:
		return nil, err
	case msg.Error != nil:
		return nil, msg.Error
	}
	return json.RawMessage(msg.Result), nil
}

// Decoded is what Call returns, as a T.
func Decoded[T any](raw json.RawMessage, err error) (res T, _ error) {
	if err == nil {
		err = json.Unmarshal(raw, &res)
	}
	return res, err
}

// Heard is how many messages have come.
func (w *Wire) Heard() int64 { return w.heard.Load() }

// Lost is closed when no more can be read.
func (w *Wire) Lost() <-chan struct{} { return w.lost }

// Lose gives up a connection that nobody reads any more.
func (w *Wire) Lose() { w.lose() }

// Allocator hands the wire to chromedp.
func (w *Wire) Allocator() chromedp.Allocator { return &allocator{w} }

// allocator hands chromedp the wire of a browser that runs already.
type allocator struct{ wire *Wire }

func (a *allocator) Allocate(ctx context.Context, opts ...chromedp.BrowserOption) (*chromedp.Browser, error) {
	return chromedp.NewBrowserTransport(ctx, a.wire, opts...)
}

// Attaches tells chromedp that the process is not its own to start or to kill.
func (a *allocator) Attaches() bool { return true }

func (a *allocator) Wait() {}
