package chrome

import (
	"cmp"
	"context"
	"time"
)

// Settle says when a page counts as settled: after a click or typing it is
// watched for a while. If it navigates, its load event is waited for; if it
// sends requests for documents, styles, scripts or data, their end is. A zero
// field has its default.
type Settle struct {
	// Watch is how long a page is given to react to an action. Default 500 ms.
	Watch time.Duration
	// Load bounds the wait for the load event of a navigation that an action
	// caused. Default 10 s.
	Load time.Duration
	// Requests bounds the wait for the requests that an action caused.
	// Default 5 s.
	Requests time.Duration
	// Quiet is how long a page is given to show what its requests brought.
	// Default 500 ms.
	Quiet time.Duration
	// Document bounds the wait for the end of a document after Navigate, once
	// it has begun to come; then what is there is all that is read. Default
	// 15 s.
	Document time.Duration
	// NavigateLoad bounds the wait for the load event after Navigate, once
	// the document is there. Default 5 s.
	NavigateLoad time.Duration
	// AfterLoad bounds the wait for requests that are under way when a page
	// has loaded. Default 2 s.
	AfterLoad time.Duration
	// Still is how long an element that moves is waited for to come to rest
	// before it is clicked where it is. Default 3 s.
	Still time.Duration
	// Linger is how long a loaded page is watched for moving on to another by
	// itself. Default 100 ms.
	Linger time.Duration
}

func (s Settle) withDefaults() Settle {
	s.Watch = cmp.Or(s.Watch, 500*time.Millisecond)
	s.Load = cmp.Or(s.Load, 10*time.Second)
	s.Requests = cmp.Or(s.Requests, 5*time.Second)
	s.Quiet = cmp.Or(s.Quiet, 500*time.Millisecond)
	s.Document = cmp.Or(s.Document, 15*time.Second)
	s.NavigateLoad = cmp.Or(s.NavigateLoad, 5*time.Second)
	s.AfterLoad = cmp.Or(s.AfterLoad, 2*time.Second)
	s.Still = cmp.Or(s.Still, 3*time.Second)
	s.Linger = cmp.Or(s.Linger, 100*time.Millisecond)
	return s
}

func loaded(s loadState) bool { return !s.loading && !s.document }
func idle(s loadState) bool   { return s.inFlight == 0 }

// afterAction waits until the page has settled after something was done to it
// in the state before.
func (s Settle) afterAction(ctx context.Context, t *tracker, before loadState) error {
	navigated := func(now loadState) bool { return now.navigations > before.navigations }
	moved, err := t.wait(ctx, s.Watch, navigated)
	if err != nil {
		return err
	}
	if !moved && t.now().requests == before.requests {
		return nil
	}
	if !moved {
		done := func(now loadState) bool { return navigated(now) || idle(now) }
		if _, err := t.wait(ctx, s.Requests, done); err != nil {
			return err
		}
		if moved, err = t.wait(ctx, s.Quiet, navigated); err != nil || !moved {
			return err
		}
	}
	return s.afterNavigation(ctx, t, s.Load)
}

// maxHops is how many pages that move on by themselves are followed.
const maxHops = 5

// afterNavigation waits, load at most, until the page has loaded, and then for
// what it is still fetching. A page that moves on by itself is followed.
func (s Settle) afterNavigation(ctx context.Context, t *tracker, load time.Duration) error {
	for range maxHops {
		if _, err := t.wait(ctx, load, loaded); err != nil {
			return err
		}
		now := t.now()
		moved := func(later loadState) bool { return later.navigations > now.navigations }
		if _, err := t.wait(ctx, s.AfterLoad, func(later loadState) bool { return moved(later) || idle(later) }); err != nil {
			return err
		}
		if hop, err := t.wait(ctx, s.Linger, moved); err != nil || !hop {
			return err
		}
	}
	return nil
}

// afterOpening waits until a tab that a page opened shows what it was opened
// for: such a tab begins empty.
func (s Settle) afterOpening(ctx context.Context, t *tracker) error {
	began := func(now loadState) bool { return now.navigations > 0 }
	if _, err := t.wait(ctx, s.Watch, began); err != nil {
		return err
	}
	return s.afterNavigation(ctx, t, s.Load)
}

// longest bounds everything that settling can take, as a last resort.
func (s Settle) longest() time.Duration {
	hop := max(s.Load, s.NavigateLoad) + s.AfterLoad + s.Linger
	return s.Watch + s.Requests + s.Quiet + s.Document + maxHops*hop + time.Second
}
