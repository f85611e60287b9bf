package page

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// A tab is a page target that the session is attached to.
type tab struct {
	s       *Session
	id      target.ID
	context cdp.BrowserContextID
	popup   bool   // a page opened it
	raised  int    // when it came to the front, by count; guarded by the session
	used    int    // when it became the current one, by count; guarded by the session
	name    string // t1, t2, …; empty for a guest

	// attached is closed when the tab can be used, or when attaching failed,
	// which err tells. Before that, heard is closed: nothing that the page does
	// from then on is missed, and it may begin.
	attached chan struct{}
	err      error
	heard    chan struct{}
	hears    func() // closes heard

	life    context.Context // ends with the tab
	cancel  context.CancelFunc
	target  *mux.Link // set once listening
	track   *tracker
	cast    *cast
	console *console
	acting  acting

	listening atomic.Bool // the target's events arrive
	waited    atomic.Bool // the page did not begin before it was heard
	silent    atomic.Bool // the page did not answer the last call in time
	crashed   atomic.Bool // the page crashed, and no other is shown yet

	url, title string // as the browser told last; guarded by the session

	mu   sync.Mutex
	work context.Context // ended by a crash or the end of the tab, with the cause
	stop context.CancelCauseFunc
}

// newTab prepares a tab for a target; attach does the talking.
func newTab(s *Session, info *target.Info) *tab {
	id := info.TargetID
	heard := make(chan struct{})
	t := &tab{
		s: s, id: id, context: info.BrowserContextID, popup: isPopup(info),
		attached: make(chan struct{}), heard: heard, hears: sync.OnceFunc(func() { close(heard) }),
	}
	t.track = newTracker(s.opts.Clock, cdp.FrameID(id)) // a page's frame has the id of its target
	t.cast = &cast{t: t, viewers: map[*viewer]struct{}{}}
	t.console = newConsole(t)
	t.life, t.cancel = context.WithCancel(context.Background())
	t.work, t.stop = context.WithCancelCause(s.ctx)
	return t
}

// guest reports whether the tab is in a context that a client has made. The
// agent does not work in those; they are observed, recorded and listed as others.
func (t *tab) guest() bool { return t.context != t.s.ContextID() }

// attach connects to the target. ctx bounds it by ending the tab.
func (t *tab) attach(ctx context.Context) error {
	stop := context.AfterFunc(ctx, t.detach)
	defer stop()
	defer t.hears()
	ready, err := t.listen(ctx)
	if err == nil {
		t.hears()
		err = ready(ctx)
	}
	if err == nil && t.popup && !t.waited.Load() {
		err = t.catchUp()
	}
	if err != nil {
		return cmp.Or(context.Cause(ctx), cmp.Or(context.Cause(t.working()), classify(err)))
	}
	return nil
}

// listen begins to hear of the page and sends it what makes it ready, without
// waiting for that: a page that waits to be let go may not answer before.
func (t *tab) listen(ctx context.Context) (ready func(context.Context) error, err error) {
	res, err := cdp.Call(ctx, t.s.h.Browser(), target.AttachToTarget, target.AttachToTargetParams{TargetID: t.id, Flatten: new(true)})
	if err != nil {
		return nil, err
	}
	t.target = mux.NewLink(t.s.h.Wire(), res.SessionID, t.id, t.onEvent)
	context.AfterFunc(t.life, t.target.Close)
	t.s.wg.Go(t.target.Run)
	t.listening.Store(true)
	ready = t.setUp()
	return ready, t.listenToConsole(ctx)
}

// setUp sends what the session wants of a page.
func (t *tab) setUp() (ready func(context.Context) error) {
	choosing := t.s.choosing(t.id)
	steps := []func(context.Context, any) error{
		t.target.Start(page.Enable.Method, page.EnableParams{}),
		t.target.Start(network.Enable.Method, network.EnableParams{}),
		t.target.Start(inspector.Enable.Method, cdp.Empty{}),
		t.target.Start(page.SetInterceptFileChooserDialog.Method, page.SetInterceptFileChooserDialogParams{Enabled: true, Cancel: new(!choosing)}),
	}
	if !t.guest() { // the size of the others is their client's business
		steps = append(steps, t.target.Start(emulation.SetDeviceMetricsOverride.Method, t.viewport()))
	}
	return func(ctx context.Context) error {
		for _, answer := range steps {
			if err := answer(ctx, nil); err != nil {
				return err
			}
		}
		if choosing != t.s.choosing(t.id) {
			if err := t.s.intercept(ctx, t.target, t.id); err != nil {
				return err
			}
		}
		return t.missed(ctx)
	}
}

// missed makes good that a page which had no renderer when it was attached to
// does not tell of its first document: what the browser tells of it, its request
// and its answer, has been heard.
func (t *tab) missed(ctx context.Context) error {
	if begun := t.track.now(); begun.loader == begun.committed {
		return nil
	}
	tree, err := cdp.Call(ctx, t.target, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return err
	}
	begun := t.track.now()
	if f := tree.FrameTree.Frame; f.LoaderID == begun.loader && f.LoaderID != begun.committed {
		t.onEvent(&page.EventFrameNavigated{Frame: f})
		t.s.Spawn(func() { t.missedLoad(f.LoaderID) })
	}
	return nil
}

// missedLoad makes good that a short document may have loaded before its renderer
// was attached to. Who works with the tab does not wait for it: the page may have
// opened a dialog.
func (t *tab) missedLoad(loader cdp.LoaderID) {
	ctx, done := t.s.Bounded(t.life, t.s.opts.Call, "answer")
	defer done()
	if info, err := about(ctx, t.mainFrame()); err == nil && info.Ready == "complete" {
		t.track.complete(loader)
	}
}

// catchUp asks for what a popup did before it was listened to, where the browser
// did not let it wait. One that moves on meanwhile is heard.
func (t *tab) catchUp() error {
	info, err := about(t.life, t.mainFrame())
	if replaced(err) {
		return nil
	}
	if loading := info.Ready != "complete"; err == nil && (loading || info.URL != "about:blank") {
		t.track.found(loading)
	}
	return err
}

// viewport is what the session gives its pages.
func (t *tab) viewport() emulation.SetDeviceMetricsOverrideParams {
	o := t.s.Options()
	return emulation.SetDeviceMetricsOverrideParams{Width: int64(o.Width), Height: int64(o.Height), DeviceScaleFactor: max(o.DeviceScaleFactor, 1)}
}

// resize gives the page the viewport of its session.
func (t *tab) resize(ctx context.Context) error {
	_, err := cdp.Call(ctx, t.target, emulation.SetDeviceMetricsOverride, t.viewport())
	return err
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
		if !t.guest() {
			t.s.chooser.opened(t.target, ev)
		}
	case *input.EventDragIntercepted:
		t.acting.dragged(ev)
	case *page.EventScreencastFrame:
		t.cast.onFrame(ev)
	case *page.EventFrameNavigated:
		t.onNavigated(ev)
		t.track.observe(ev)
	case *page.EventLoadEventFired:
		t.s.Spawn(t.askTitle)
		t.track.observe(ev)
	case *page.EventFrameAttached:
		t.s.addOwnFrame(t.context, ev.FrameID)
	case *network.EventRequestWillBeSent: // of a frame that a new page does not tell of: see missed
		t.s.addOwnFrame(t.context, ev.FrameID)
		t.track.observe(ev)
	case *inspector.EventTargetCrashed:
		t.crash()
	case *network.EventResponseReceived:
		t.s.h.NoteType(ev)
		t.track.observe(ev)
	default:
		t.track.observe(ev)
	}
}

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
		return
	}
	t.cast.navigated()
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
	crashCtx, cancel := t.s.during(ctx, t, t.s.opts.Close, "end")
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

// detach ends what is kept of the tab.
func (t *tab) detach() {
	t.console.close()
	t.cancel()
}

// Heard implements [mux.Tab].
func (t *tab) Heard() <-chan struct{} { return t.heard }

// Fill implements [mux.Tab].
func (t *tab) Fill(address string) {
	ctx, done := t.s.during(context.Background(), t, t.s.opts.Navigate, "load")
	defer done()
	res, err := cdp.Call(ctx, t.target, page.Navigate, page.NavigateParams{URL: address})
	if err == nil && res.ErrorText == "" && !res.IsDownload {
		cdp.Call(ctx, t.target, page.ResetNavigationHistory, cdp.Empty{})
	}
}
