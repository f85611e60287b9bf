package chrome

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A wire is the connection to a browser. chromedp is its main client: it gets
// every message but those of sessions that somebody else has tapped. Several
// may write at a time.
type wire struct {
	chromedp.Transport
	next atomic.Int64 // ids of messages that are not chromedp's

	mu   sync.Mutex
	taps map[target.SessionID]func(*cdproto.Message)
	mute map[target.SessionID]bool // whose consoles are too much
}

// firstID keeps our ids apart from chromedp's, which begin at 1; the browser
// takes ids of 31 bits.
const firstID = 1 << 30

func newWire(pipe chromedp.Transport) *wire {
	w := &wire{Transport: pipe, taps: map[target.SessionID]func(*cdproto.Message){}, mute: map[target.SessionID]bool{}}
	w.next.Store(firstID)
	return w
}

// tap hands the messages of a session to f, which runs on the goroutine that
// reads the wire: it must not block and must not send.
func (w *wire) tap(id target.SessionID, f func(*cdproto.Message)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.taps[id] = f
}

func (w *wire) untap(id target.SessionID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.taps, id)
}

func (w *wire) tapped(id target.SessionID) func(*cdproto.Message) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.taps[id]
}

// setMute drops what a session says of its console, or no longer. A page that
// hangs cannot be told to stop.
func (w *wire) setMute(id target.SessionID, on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if on {
		w.mute[id] = true
	} else {
		delete(w.mute, id)
	}
}

func (w *wire) muted(msg *cdproto.Message) bool {
	if string(msg.Method) != runtime.ConsoleAPICalled.Method {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mute[msg.SessionID]
}

// Read implements chromedp.Transport.
func (w *wire) Read(ctx context.Context, msg *cdproto.Message) error {
	for {
		*msg = cdproto.Message{}
		if err := w.Transport.Read(ctx, msg); err != nil {
			return err
		}
		if w.muted(msg) {
			continue
		}
		f := w.tapped(msg.SessionID)
		if msg.SessionID == "" || f == nil {
			return nil
		}
		f(msg)
	}
}

// send sends a command to a session without waiting for the answer.
func (w *wire) send(id target.SessionID, method string, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return w.Write(context.Background(), &cdproto.Message{
		ID: w.next.Add(1), SessionID: id, Method: cdproto.MethodType(method), Params: jsonv2.Value(raw),
	})
}

// allocator hands chromedp the wire of a browser that runs already.
type allocator struct{ wire *wire }

func (a *allocator) Allocate(ctx context.Context, opts ...chromedp.BrowserOption) (*chromedp.Browser, error) {
	return chromedp.NewBrowserTransport(ctx, a.wire, opts...)
}

// Attaches tells chromedp that the process is not its own to start or to kill.
func (a *allocator) Attaches() bool { return true }

func (a *allocator) Wait() {}
