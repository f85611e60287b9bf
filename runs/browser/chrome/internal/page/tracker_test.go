package page

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

func kindAndText(err error) string { return errtypes.KindOf(err).String() + ": " + err.Error() }

// step is an event and when it comes.
type step struct {
	at time.Duration
	ev any
}

const main = cdp.FrameID("main")

func sent(id string, kind network.ResourceType) any {
	return &network.EventRequestWillBeSent{RequestID: network.RequestID(id), LoaderID: "old", FrameID: main, Type: kind}
}
func finished(id string) any {
	return &network.EventLoadingFinished{RequestID: network.RequestID(id)}
}
func failed(id string) any { return &network.EventLoadingFailed{RequestID: network.RequestID(id)} }
func document(loader, url string) any {
	return &network.EventRequestWillBeSent{RequestID: network.RequestID(loader), LoaderID: cdp.LoaderID(loader), FrameID: main,
		Type: network.ResourceTypeDocument, Request: &network.Request{URL: url}}
}
func answered(loader string, status int64) any {
	return &network.EventResponseReceived{LoaderID: cdp.LoaderID(loader), FrameID: main, Type: network.ResourceTypeDocument, Response: &network.Response{Status: status}}
}
func committed(loader string) any {
	return &page.EventFrameNavigated{Frame: &cdp.Frame{ID: main, LoaderID: cdp.LoaderID(loader)}}
}

const ms = time.Millisecond

func TestActionsSettle(t *testing.T) {
	for name, c := range map[string]struct {
		steps []step
		want  time.Duration
	}{
		"nothing happens": {nil, 500 * ms},
		"pictures do not matter": {[]step{{10 * ms, sent("1", network.ResourceTypeImage)}, {10 * ms, sent("2", network.ResourceTypeEventSource)},
			{10 * ms, sent("3", network.ResourceTypePing)}}, 500 * ms},
		"data that comes soon":   {[]step{{10 * ms, sent("1", network.ResourceTypeFetch)}, {300 * ms, finished("1")}}, 1000 * ms},
		"data that comes late":   {[]step{{400 * ms, sent("1", network.ResourceTypeXHR)}, {2 * time.Second, failed("1")}}, 2500 * ms},
		"data that never comes":  {[]step{{100 * ms, sent("1", network.ResourceTypeFetch)}}, 6 * time.Second},
		"data after data":        {[]step{{100 * ms, sent("1", network.ResourceTypeFetch)}, {700 * ms, sent("2", network.ResourceTypeScript)}, {800 * ms, finished("1")}, {time.Second, finished("2")}}, 1500 * ms},
		"a poll from before":     {[]step{{0, sent("0", network.ResourceTypeFetch)}, {100 * ms, sent("1", network.ResourceTypeFetch)}, {600 * ms, finished("1")}, {700 * ms, sent("2", network.ResourceTypeFetch)}}, 1100 * ms},
		"another frame's pages":  {[]step{{100 * ms, &network.EventRequestWillBeSent{RequestID: "1", LoaderID: "1", FrameID: "other", Type: network.ResourceTypeDocument}}}, 500 * ms},
		"a page":                 {[]step{{50 * ms, document("n", "")}, {200 * ms, committed("n")}, {300 * ms, finished("n")}, {700 * ms, &page.EventLoadEventFired{}}}, 800 * ms},
		"a page after data":      {[]step{{50 * ms, sent("1", network.ResourceTypeFetch)}, {600 * ms, finished("1")}, {700 * ms, document("n", "")}, {800 * ms, finished("n")}, {900 * ms, &page.EventLoadEventFired{}}}, time.Second},
		"a page that never ends": {[]step{{50 * ms, document("n", "")}, {200 * ms, committed("n")}}, 50*ms + 10*time.Second + 2*time.Second + 100*ms},
		"a page half heard":      {[]step{{50 * ms, document("n", "")}, {100 * ms, committed("n")}, {200 * ms, &page.EventLoadEventFired{}}}, 300 * ms},
		"a page that hops":       {[]step{{50 * ms, document("n", "")}, {60 * ms, finished("n")}, {70 * ms, &page.EventLoadEventFired{}}, {100 * ms, document("m", "")}, {400 * ms, finished("m")}, {500 * ms, &page.EventLoadEventFired{}}}, 600 * ms},
		"a download":             {[]step{{50 * ms, document("n", "")}, {200 * ms, failed("n")}, {200 * ms, &page.EventFrameStoppedLoading{FrameID: main}}}, 300 * ms},
		"the page before stops":  {[]step{{50 * ms, document("n", "")}, {60 * ms, &page.EventFrameStoppedLoading{FrameID: main}}, {300 * ms, finished("n")}, {400 * ms, &page.EventLoadEventFired{}}}, 400 * ms},
		"within the document":    {[]step{{50 * ms, &page.EventFrameStartedNavigating{FrameID: main, LoaderID: "x", NavigationType: page.FrameStartedNavigatingNavigationTypeSameDocument}}}, 500 * ms},
		"data after the load":    {[]step{{50 * ms, document("n", "")}, {60 * ms, committed("n")}, {70 * ms, finished("n")}, {80 * ms, &network.EventRequestWillBeSent{RequestID: "1", LoaderID: "n", FrameID: main, Type: network.ResourceTypeFetch}}, {90 * ms, &page.EventLoadEventFired{}}, {time.Second, finished("1")}}, 1100 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr := newTracker(clock.System(), main)
				for len(c.steps) > 0 && c.steps[0].at == 0 { // before the action
					tr.observe(c.steps[0].ev)
					c.steps = c.steps[1:]
				}
				before, start := tr.now(), time.Now()
				for _, s := range c.steps {
					time.AfterFunc(s.at, func() { tr.observe(s.ev) })
				}
				if err := defaults.afterAction(t.Context(), tr, before, nil); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took != c.want {
					t.Errorf("settled after %s, want %s", took, c.want)
				}
			})
		})
	}
}

func TestADocumentThatLoadedUnheard(t *testing.T) {
	for name, c := range map[string]struct {
		then   any
		loaded bool
	}{
		"it is shown":          {committed("n"), true},
		"another is shown":     {committed("m"), false},
		"another is asked for": {document("m", ""), false},
	} {
		tr := newTracker(clock.System(), main)
		for _, ev := range []any{document("n", ""), c.then} {
			tr.observe(ev)
		}
		tr.complete("n")
		if now := tr.now(); loaded(now) != c.loaded {
			t.Errorf("%s: %+v", name, now)
		}
	}
}

func TestSettlingEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cause := errors.New("crashed")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(100*ms, func() { cancel(cause) })
		tr := newTracker(clock.System(), main)
		if err := defaults.afterAction(ctx, tr, tr.now(), nil); !errors.Is(err, cause) {
			t.Error(err)
		}
	})
}

func TestTheTrackerKnowsTheDocument(t *testing.T) {
	tr := newTracker(clock.System(), main)
	for _, ev := range []any{
		document("n", "http://a.test/"), document("n", "http://b.test/"), // a redirect
		answered("n", 404), committed("n"),
		&page.EventFrameNavigated{Frame: &cdp.Frame{ID: "child", ParentID: main, LoaderID: "c", UnreachableURL: "x"}},
		sent("old", network.ResourceTypeFetch), nil, &page.EventFrameNavigated{}, &network.EventResponseReceived{Type: network.ResourceTypeDocument, FrameID: main},
	} {
		tr.observe(ev)
	}
	got := tr.now()
	if got.status != 404 || got.requested != "http://b.test/" || got.navigations != 1 || got.requests != 2 || got.unreachable != "" || got.inFlight != 2 {
		t.Errorf("%+v", got)
	}
	tr.observe(document("m", "http://c.test/"))
	tr.observe(&page.EventFrameNavigated{Frame: &cdp.Frame{ID: main, LoaderID: "m", UnreachableURL: "http://c.test/"}})
	if got := tr.now(); got.status != 0 || got.unreachable != "http://c.test/" || got.inFlight != 1 || !got.loading {
		t.Errorf("%+v", got)
	}
}

// defaults are those of chrome.Settle.
var defaults = Settle{
	Watch: 500 * time.Millisecond, Timers: 150 * time.Millisecond, Load: 10 * time.Second, Requests: 5 * time.Second, Quiet: 500 * time.Millisecond, Document: 15 * time.Second,
	NavigateLoad: 5 * time.Second, AfterLoad: 2 * time.Second, Still: 3 * time.Second, Linger: 100 * time.Millisecond,
}
