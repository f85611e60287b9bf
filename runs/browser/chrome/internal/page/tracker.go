package page

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/internal/clock"
)

// A tracker follows what a tab is loading, from the events of its session. It
// is fed on the goroutine that reads the browser's messages and never blocks.
type tracker struct {
	clock clock.Clock
	main  cdp.FrameID

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at each change
	state   loadState
	pending map[network.RequestID]underWay
	status  map[cdp.LoaderID]int // of documents not yet committed
}

// underWay is a request that has not ended.
type underWay struct {
	loader cdp.LoaderID
	n      int // it was the n-th that counts
}

// loadState is what a tab is doing. The counters only grow, so that two states
// tell what happened between them.
type loadState struct {
	navigations int          // navigations of the page begun
	requests    int          // requests begun that count for settling
	announced   int          // navigations of frames, and windows, that the page has asked for
	inFlight    int          // of those, the ones not finished
	open        []int        // and which, by their count
	domReady    int          // documents of the page that have been read
	loading     bool         // the page has not had its load event
	document    bool         // the document of the last navigation is under way
	loader      cdp.LoaderID // of the last navigation begun
	committed   cdp.LoaderID // of the document that is shown
	shown       int          // documents, and places in them, that came to be shown
	status      int          // HTTP status of the document that is shown
	requested   string       // URL of the last document asked for, redirects followed
	unreachable string       // what could not be loaded; then an error page is shown
}

// stirred reports whether more has begun than before.
func (s loadState) stirred(before loadState) bool {
	return s.navigations > before.navigations || s.requests > before.requests || s.announced > before.announced
}

// waits reports whether a request is under way of those after the first ones, to the
// last.
func (s loadState) waits(first, last int) bool {
	return slices.ContainsFunc(s.open, func(n int) bool { return n > first && n <= last })
}

func newTracker(c clock.Clock, main cdp.FrameID) *tracker {
	return &tracker{
		clock: c, main: main, changed: make(chan struct{}),
		pending: map[network.RequestID]underWay{}, status: map[cdp.LoaderID]int{},
	}
}

// now returns the present state.
func (t *tracker) now() loadState {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.state
}

// wait returns when the state satisfies cond, when limit has passed (then the
// result is false), or when ctx ends.
func (t *tracker) wait(ctx context.Context, limit time.Duration, cond func(loadState) bool) (bool, error) {
	timer := t.clock.NewTimer(limit)
	defer timer.Stop()
	for {
		t.mu.Lock()
		state, changed := t.state, t.changed
		t.mu.Unlock()
		if cond(state) {
			return true, nil
		}
		select {
		case <-ctx.Done():
			return false, context.Cause(ctx)
		case <-timer.C():
			return false, nil
		case <-changed:
		}
	}
}

// found is for a page whose beginning was missed: it is on its way to
// somewhere, and perhaps still loading.
func (t *tracker) found(loading bool) {
	t.update(func(s *loadState) { s.navigations, s.loading = s.navigations+1, loading })
}

func (t *tracker) update(f func(*loadState)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(&t.state)
	t.state.inFlight, t.state.open = len(t.pending), nil // others have the old one
	for _, r := range t.pending {
		t.state.open = append(t.state.open, r.n)
	}
	_, t.state.document = t.pending[network.RequestID(t.state.loader)]
	close(t.changed)
	t.changed = make(chan struct{})
}

// observe takes in an event.
func (t *tracker) observe(ev any) {
	switch ev := ev.(type) {
	case *network.EventRequestWillBeSent:
		t.requestSent(ev)
	case *network.EventResponseReceived:
		t.responseReceived(ev)
	case *network.EventLoadingFinished:
		t.requestDone(ev.RequestID)
	case *network.EventLoadingFailed:
		t.requestDone(ev.RequestID)
	default:
		t.observePage(ev)
	}
}

func (t *tracker) observePage(ev any) {
	switch ev := ev.(type) {
	case *page.EventFrameStartedNavigating:
		if ev.FrameID == t.main && ev.NavigationType != page.FrameStartedNavigatingNavigationTypeSameDocument &&
			ev.NavigationType != page.FrameStartedNavigatingNavigationTypeHistorySameDocument {
			t.navigationBegan(ev.LoaderID)
		}
	case *page.EventFrameRequestedNavigation, *page.EventWindowOpen:
		t.update(func(s *loadState) { s.announced++ })
	case *page.EventFrameStartedLoading:
		t.mainLoading(ev.FrameID, true)
	case *page.EventFrameStoppedLoading:
		t.mainLoading(ev.FrameID, false)
	case *page.EventFrameNavigated:
		t.frameNavigated(ev.Frame, ev.Type)
	case *page.EventNavigatedWithinDocument:
		if ev.FrameID == t.main {
			t.update(func(s *loadState) { s.shown++ })
		}
	case *page.EventDomContentEventFired:
		t.update(func(s *loadState) { s.domReady++ })
	case *page.EventLoadEventFired:
		t.update(func(s *loadState) {
			s.loading = false
			t.received(s)
		})
	}
}

// complete is for a document whose load event may have been missed.
func (t *tracker) complete(loader cdp.LoaderID) {
	t.update(func(s *loadState) {
		if s.loader == loader && s.committed == loader {
			s.loading = false
			t.received(s)
		}
	})
}

// received forgets the request of a document that has loaded: where its renderer
// was attached to late, the end of the request is never reported.
func (t *tracker) received(s *loadState) {
	if s.loader == s.committed {
		delete(t.pending, network.RequestID(s.loader))
	}
}

// counts reports whether a page that has settled has no such request under
// way. Pictures and fonts change little; streams never end; the end of a
// frame's document may be told to another session, that of the frame's site.
func (t *tracker) counts(ev *network.EventRequestWillBeSent) bool {
	switch ev.Type {
	case network.ResourceTypeDocument:
		return ev.FrameID == t.main
	case network.ResourceTypeStylesheet, network.ResourceTypeScript, network.ResourceTypeXHR, network.ResourceTypeFetch:
		return true
	}
	return false
}

func (t *tracker) requestSent(ev *network.EventRequestWillBeSent) {
	if !t.counts(ev) {
		return
	}
	// The request of a document has the id of its loader.
	document := ev.Type == network.ResourceTypeDocument && string(ev.RequestID) == string(ev.LoaderID)
	if document {
		t.navigationBegan(ev.LoaderID)
	}
	t.update(func(s *loadState) {
		if document && ev.Request != nil {
			s.requested = ev.Request.URL
		}
		r, redirected := t.pending[ev.RequestID]
		if !redirected {
			s.requests++
			r.n = s.requests
		}
		r.loader = ev.LoaderID
		t.pending[ev.RequestID] = r
	})
}

func (t *tracker) navigationBegan(loader cdp.LoaderID) {
	t.update(func(s *loadState) {
		if s.loader != loader {
			s.loader = loader
			s.navigations++
			s.loading = true
		}
	})
}

func (t *tracker) responseReceived(ev *network.EventResponseReceived) {
	if ev.FrameID != t.main || ev.Type != network.ResourceTypeDocument || ev.Response == nil {
		return
	}
	t.update(func(s *loadState) {
		t.status[ev.LoaderID] = int(ev.Response.Status)
		if s.committed == ev.LoaderID {
			s.status = int(ev.Response.Status)
		}
	})
}

func (t *tracker) requestDone(id network.RequestID) {
	t.mu.Lock()
	_, known := t.pending[id]
	delete(t.pending, id)
	t.mu.Unlock()
	if known {
		t.update(func(*loadState) {})
	}
}

func (t *tracker) mainLoading(id cdp.FrameID, loading bool) {
	if id == t.main {
		t.update(func(s *loadState) { s.loading = loading })
	}
}

// frameNavigated sees a document take its place. Requests of the one before
// are forgotten, since their end may never be reported.
func (t *tracker) frameNavigated(f *cdp.Frame, how page.NavigationType) {
	if f == nil || f.ParentID != "" {
		return
	}
	t.update(func(s *loadState) {
		s.committed, s.unreachable = f.LoaderID, f.UnreachableURL
		s.shown++
		if how == page.NavigationTypeBackForwardCacheRestore { // it is as it was, and has loaded long ago
			s.loading, s.loader = false, f.LoaderID
		}
		s.status = t.status[f.LoaderID]
		clear(t.status)
		t.status[f.LoaderID] = s.status
		for id, r := range t.pending {
			if r.loader != f.LoaderID {
				delete(t.pending, id)
			}
		}
	})
}
