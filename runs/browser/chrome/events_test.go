package chrome

import (
	"context"
	"log/slog"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/runs/browser"
)

// listeningTab is a tab, in a session of a process, that hears events and can
// say nothing.
func listeningTab(t testing.TB) (*process, *tab) {
	o := Options{Logger: slog.New(slog.DiscardHandler), kind: launchKind{}}.withDefaults()
	s := newSession(newProvider(o), browser.Options{ID: "s", Observe: func(browser.Event) {}})
	proc := &process{opts: o, wire: newWire(nil), log: o.Logger, router: newDownloadRouter(), sessions: map[cdp.BrowserContextID]*session{"C": s}}
	s.proc, s.contextID, s.closing = proc, "C", true
	s.beginWatch()
	t.Cleanup(s.watch().close)
	tb := &tab{s: s, id: "T", context: "C", attached: make(chan struct{}), track: newTracker(o.Clock, "T")}
	tb.life, tb.cancel = context.WithCancel(context.Background())
	tb.target = newLink(proc.wire, "x", tb.id, tb.onEvent)
	t.Cleanup(tb.cancel)
	tb.cast = &cast{t: tb, viewers: map[*viewer]struct{}{{wake: make(chan struct{}, 1)}: {}}}
	tb.console = newConsole(tb)
	tb.work, tb.stop = context.WithCancelCause(s.ctx)
	s.tabs = append(s.tabs, tb)
	return proc, tb
}

// A newer browser may send what this one does not: values that are missing, or
// unknown, or of another kind. None of it may bring the program down.
func FuzzEvents(f *testing.F) {
	methods := []string{
		"Target.targetCreated", "Target.targetInfoChanged", "Target.attachedToTarget", "Target.targetDestroyed", "Target.targetCrashed",
		"Browser.downloadWillBegin", "Browser.downloadProgress", "Page.frameNavigated", "Page.frameAttached", "Page.loadEventFired",
		"Page.screencastFrame", "Page.fileChooserOpened", "Page.frameStartedNavigating", "Page.navigatedWithinDocument",
		"Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFailed", "Network.webSocketCreated", "Network.webSocketClosed",
		"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Inspector.targetCrashed", "Page.javascriptDialogOpening", "Future.event",
	}
	for _, method := range methods {
		for _, params := range []string{
			`{}`, `null`, `[]`, `{"targetInfo":{"targetId":"T","type":"hologram","browserContextId":"C"},"sessionId":"x","waitingForDebugger":true}`,
			`{"targetInfo":{"targetId":"N","type":"page","browserContextId":"C"}}`, `{"guid":"../x","frameId":"T","url":"data:,x","suggestedFilename":"f"}`,
			`{"guid":"g","state":"paused","receivedBytes":1e300,"totalBytes":-5}`, `{"frame":{"id":"T"},"type":"beam"}`, `{"args":[null,{"type":"quark"}],"type":"shout"}`,
			`{"requestId":"r","type":"Telepathy","request":{"headers":{"A":5}},"response":{"status":9e9,"headers":{"B":null}},"redirectResponse":{}}`,
			`{"data":"AAAA","metadata":null,"sessionId":1}`, `{"exceptionDetails":{"exception":null}}`,
		} {
			f.Add(method, []byte(params))
		}
	}
	proc, tb := listeningTab(f)
	f.Fuzz(func(t *testing.T, method string, params []byte) {
		msg := &cdproto.Message{Method: cdproto.MethodType(method), Params: jsonv2.Value(params)}
		ev, err := cdproto.UnmarshalMessage(msg, chromedp.DefaultUnmarshalOptions)
		if err != nil {
			return
		}
		proc.onEvent(ev)
		tb.onEvent(ev)
	})
}
