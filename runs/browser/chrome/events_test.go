package chrome

import (
	"log/slog"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

// listening is a process with a session that hears events and can do nothing.
func listening(t testing.TB) *process.Process {
	p := newProvider(Options{Logger: slog.New(slog.DiscardHandler)}.withDefaults())
	s := newSession(p, browser.Options{ID: "s", Observe: func(browser.Event) {}})
	s.running.Store(process.Quiet(p.browsers))
	s.SetContextID("C")
	s.process().Add("C", s)
	s.Release(func() {}) // it starts nothing any more
	s.BeginWatch()
	t.Cleanup(s.EndWatch)
	return s.process()
}

// A newer browser may send what this one does not: values that are missing, or
// unknown, or of another kind. None of it may bring the program down. What is said
// in tabs is package page's.
func FuzzEvents(f *testing.F) {
	methods := []string{
		"Target.targetCreated", "Target.targetInfoChanged", "Target.attachedToTarget", "Target.targetDestroyed", "Target.targetCrashed",
		"Browser.downloadWillBegin", "Browser.downloadProgress", "Future.event",
	}
	for _, method := range methods {
		for _, params := range []string{
			`{}`, `null`, `[]`, `{"targetInfo":{"targetId":"T","type":"hologram","browserContextId":"C"},"sessionId":"x","waitingForDebugger":true}`,
			`{"targetInfo":{"targetId":"N","type":"page","browserContextId":"C"}}`, `{"guid":"../x","frameId":"T","url":"data:,x","suggestedFilename":"f"}`,
			`{"guid":"g","state":"paused","receivedBytes":1e300,"totalBytes":-5}`,
		} {
			f.Add(method, []byte(params))
		}
	}
	proc := listening(f)
	f.Fuzz(func(t *testing.T, method string, params []byte) {
		msg := &cdproto.Message{Method: cdproto.MethodType(method), Params: jsonv2.Value(params)}
		if ev, err := cdproto.UnmarshalMessage(msg, chromedp.DefaultUnmarshalOptions); err == nil {
			proc.Hear(ev)
		}
	})
}
