package page

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// mute is the rest of a session that can say nothing.
type mute struct {
	Host // nil: what is not here is not called
	wire *mux.Wire
}

func (m mute) Wire() *mux.Wire                            { return m.wire }
func (m mute) NoteType(*network.EventResponseReceived)    {}
func (m mute) OwnFrame(cdp.BrowserContextID, cdp.FrameID) {}

// alone are the clients of a session that has none.
type alone struct{ mux.Session }

func (alone) Alone() bool { return true }

// listeningTab is a tab that hears events and can say nothing.
func listeningTab(t testing.TB) *tab {
	o := Options{
		MaxTabs: 5, Call: time.Second, Clock: clock.System(), Logger: slog.New(slog.DiscardHandler),
		Limits: Limits{Dialogs: 5, Message: 100, Events: 100, EventRate: 100, Dialog: time.Second},
	}
	s := New(mute{wire: mux.NewWire(nil)}, browser.Options{ID: "s", Observe: func(browser.Event) {}}, o)
	s.Clients = mux.NewClients(alone{}, nil, mux.Options{Clock: o.Clock, Logger: o.Logger})
	s.SetContextID("C")
	s.closing = true // it starts nothing
	s.BeginWatch()
	t.Cleanup(s.EndWatch)
	tb := &tab{s: s, id: "T", context: "C", attached: make(chan struct{}), track: newTracker(o.Clock, "T")}
	tb.life, tb.cancel = context.WithCancel(context.Background())
	tb.target = mux.NewLink(s.h.Wire(), "x", tb.id, tb.onEvent)
	t.Cleanup(tb.cancel)
	tb.cast = &cast{t: tb, viewers: map[*viewer]struct{}{{wake: make(chan struct{}, 1)}: {}}}
	tb.console = newConsole(tb)
	tb.work, tb.stop = context.WithCancelCause(s.ctx)
	s.tabs = append(s.tabs, tb)
	return tb
}

// hear takes in an event, of the browser's or of a tab.
func hear(t *tab, ev any) {
	switch ev := ev.(type) {
	case *target.EventTargetCreated:
		if ev.TargetInfo != nil {
			t.s.TargetCreated(ev.TargetInfo)
		}
	case *target.EventTargetInfoChanged:
		if ev.TargetInfo != nil {
			t.s.TargetChanged(ev.TargetInfo)
		}
	case *target.EventAttachedToTarget:
		if ev.TargetInfo != nil {
			t.s.TargetPaused(ev.TargetInfo, ev.SessionID)
		}
	case *target.EventTargetCrashed:
		t.s.TargetCrashed(ev.TargetID)
	default:
		t.onEvent(ev)
	}
}

// A newer browser may send what this one does not: values that are missing, or
// unknown, or of another kind. None of it may bring the program down.
func FuzzEvents(f *testing.F) {
	methods := []string{
		"Target.targetCreated", "Target.targetInfoChanged", "Target.attachedToTarget", "Target.targetDestroyed", "Target.targetCrashed",
		"Page.frameNavigated", "Page.frameAttached", "Page.loadEventFired",
		"Page.screencastFrame", "Page.fileChooserOpened", "Page.frameStartedNavigating", "Page.navigatedWithinDocument",
		"Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFailed", "Network.webSocketCreated", "Network.webSocketClosed",
		"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Inspector.targetCrashed", "Page.javascriptDialogOpening", "Future.event",
	}
	for _, method := range methods {
		for _, params := range []string{
			`{}`, `null`, `[]`, `{"targetInfo":{"targetId":"T","type":"hologram","browserContextId":"C"},"sessionId":"x","waitingForDebugger":true}`,
			`{"targetInfo":{"targetId":"N","type":"page","browserContextId":"C"}}`,
			`{"frame":{"id":"T"},"type":"beam"}`, `{"args":[null,{"type":"quark"}],"type":"shout"}`,
			`{"requestId":"r","type":"Telepathy","request":{"headers":{"A":5}},"response":{"status":9e9,"headers":{"B":null}},"redirectResponse":{}}`,
			`{"data":"AAAA","metadata":null,"sessionId":1}`, `{"exceptionDetails":{"exception":null}}`,
		} {
			f.Add(method, []byte(params))
		}
	}
	tb := listeningTab(f)
	f.Fuzz(func(t *testing.T, method string, params []byte) {
		msg := &cdproto.Message{Method: cdproto.MethodType(method), Params: jsonv2.Value(params)}
		if ev, err := cdproto.UnmarshalMessage(msg, chromedp.DefaultUnmarshalOptions); err == nil {
			hear(tb, ev)
		}
	})
}
