package chrome

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/inspector"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// A tab is a page target that chromedp is attached to.
type tab struct {
	s     *session
	id    target.ID
	popup bool // a page opened it

	// attached is closed when the tab can be used, or when attaching failed,
	// which err tells.
	attached chan struct{}
	err      error

	// life is the chromedp context; it ends with the tab. chromedp binds to
	// the context of the first call, so no caller's context may be that.
	life    context.Context
	cancel  context.CancelFunc
	target  *chromedp.Target
	track   *tracker
	cast    *cast
	console *console

	listening atomic.Bool // the target's events arrive through chromedp
	silent    atomic.Bool // the page did not answer the last call in time
	crashed   atomic.Bool // the page crashed, and no other is shown yet

	url, title string // as the browser told last; guarded by the session

	mu   sync.Mutex
	work context.Context // ended by a crash or the end of the tab, with the cause
	stop context.CancelCauseFunc
}

// newTab prepares a tab for a target; attach does the talking.
func newTab(s *session, id target.ID, popup bool) *tab {
	t := &tab{s: s, id: id, popup: popup, attached: make(chan struct{})}
	t.track = newTracker(s.p.opts.Clock, cdp.FrameID(id)) // a page's frame has the id of its target
	t.cast = &cast{t: t, viewers: map[*viewer]struct{}{}}
	t.console = newConsole(t)
	t.life, t.cancel = chromedp.NewContext(s.proc.root, chromedp.WithTargetID(id), chromedp.WithDetachOnCancel())
	t.work, t.stop = context.WithCancelCause(s.ctx)
	return t
}

// attach connects to the target. ctx bounds it by ending the tab.
func (t *tab) attach(ctx context.Context) error {
	stop := context.AfterFunc(ctx, t.detach)
	defer stop()
	err := chromedp.Listen(t.life, t.onEvent)
	if err == nil {
		t.listening.Store(true)
		t.target = t.known()
		err = t.setUp()
	}
	if err != nil {
		return cmpErr(context.Cause(ctx), cmpErr(context.Cause(t.working()), classify(err)))
	}
	return nil
}

// setUp makes the target ready.
func (t *tab) setUp() error {
	if err := quiet(t.life, t.target); err != nil {
		return err
	}
	if err := t.applySettings(t.life); err != nil || !t.popup {
		return err
	}
	// What a popup did before it was listened to has to be asked for.
	info, err := about(t.life, t.mainFrame())
	if loading := info.Ready != "complete"; err == nil && (loading || info.URL != "about:blank") {
		t.track.found(loading)
	}
	return err
}

// resize gives the page the viewport of its session.
func (t *tab) resize(ctx context.Context) error {
	o := t.s.options()
	_, err := cdp.Call(ctx, t.target, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: int64(o.Width), Height: int64(o.Height), DeviceScaleFactor: 1,
	})
	return err
}

// quiet turns off what chromedp has turned on in a target and nothing here
// needs. That is not only for speed: with the DOM domain on, chromedp asks the
// page for its document on a goroutine that must keep up with events, so a
// page that hangs while it floods the console would stall every session of the
// process.
func quiet(ctx context.Context, t *chromedp.Target) error {
	for _, call := range []struct {
		method string
		params any
	}{
		{dom.Disable.Method, cdp.Empty{}},
		{css.Disable.Method, cdp.Empty{}},
		{cdplog.Disable.Method, cdp.Empty{}},
		{runtime.Disable.Method, cdp.Empty{}},
		{target.SetDiscoverTargets.Method, target.SetDiscoverTargetsParams{Discover: false}},
		{target.SetAutoAttach.Method, target.SetAutoAttachParams{AutoAttach: false}},
	} {
		if err := t.Call(ctx, call.method, call.params, nil); err != nil {
			return err
		}
	}
	return nil
}

// onEvent runs on the goroutine that reads the tab's messages, so it does no
// more than note things down and start others.
func (t *tab) onEvent(ev any) {
	t.s.watch().see(string(t.id), ev)
	switch ev := ev.(type) {
	case *page.EventJavascriptDialogOpening:
		t.s.onDialog(t, ev, t.answerDialog)
	case *page.EventJavascriptDialogClosed:
		t.s.onDialogClosed(t, ev)
	case *page.EventFileChooserOpened:
		t.s.chooser.opened(t.known(), ev)
	case *page.EventScreencastFrame:
		t.cast.onFrame(ev)
	case *page.EventFrameNavigated:
		t.onNavigated(ev)
		t.track.observe(ev)
	case *page.EventLoadEventFired:
		t.s.spawn(t.askTitle)
		t.track.observe(ev)
	case *page.EventFrameAttached:
		t.s.addOwnFrame(t.s.contextID, ev.FrameID)
	case *inspector.EventTargetCrashed:
		t.crash()
	case *network.EventResponseReceived:
		t.s.downloads.noteType(ev)
		t.track.observe(ev)
	default:
		t.track.observe(ev)
	}
}

// known is the target as chromedp knows it, which is there as soon as events
// are.
func (t *tab) known() *chromedp.Target { return chromedp.FromContext(t.life).Target }

func (t *tab) mainFrame() *frame { return &frame{sess: t.target, id: cdp.FrameID(t.id)} }

// crash ends what is being done in the tab. The tab itself can go on: a
// navigation gives it a new process.
func (t *tab) crash() {
	t.crashed.Store(true)
	t.end(errCrashed)
}

// onNavigated brings to a new page what the last one has lost. It runs on the
// goroutine that reads the tab's messages.
func (t *tab) onNavigated(ev *page.EventFrameNavigated) {
	if ev.Frame == nil || ev.Frame.ParentID != "" {
		return
	}
	t.console.again()
	if t.crashed.CompareAndSwap(true, false) {
		t.cast.again()
	}
}

// end gives what is being done in the tab, now and from now on, the cause.
func (t *tab) end(cause error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stop(cause)
}

// working returns the context that ends when the tab can no longer be used.
func (t *tab) working() context.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.work
}

// unstick crashes the page of a tab that has not answered a call and does not
// answer now: the next page of the same site would be put into the same
// process, and wait behind it.
func (t *tab) unstick(ctx context.Context) {
	if !t.silent.Load() {
		return
	}
	probeCtx, cancel := t.s.during(ctx, t, probeLimit, "answer")
	defer cancel()
	if _, err := about(probeCtx, t.mainFrame()); err == nil || t.working().Err() != nil {
		return
	}
	// The call ends when the page has: a navigation that begins before would
	// be taken for the one that crashed.
	crashCtx, cancel := t.s.during(ctx, t, t.s.p.opts.Timeouts.Close, "end")
	defer cancel()
	cdp.Call(crashCtx, t.target, page.Crash, cdp.Empty{})
}

// probeLimit is what a page that was silent once is given to show a life sign.
const probeLimit = time.Second

// revive makes a crashed tab usable again, for a navigation.
func (t *tab) revive() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if context.Cause(t.work) == error(errCrashed) {
		t.work, t.stop = context.WithCancelCause(t.s.ctx)
	}
}

// detach ends chromedp's part in the tab. It may take a moment.
func (t *tab) detach() {
	t.console.close()
	t.cancel()
}
