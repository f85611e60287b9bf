package page

import (
	"context"
	"time"
)

// Settle says when a page counts as settled; see chrome.Settle.
type Settle struct {
	Watch, Timers, Load, Requests, Quiet, Document, NavigateLoad, AfterLoad, Still, Linger time.Duration
}

func loaded(s loadState) bool { return !s.loading && !s.document }
func idle(s loadState) bool   { return s.inFlight == 0 }

// pageQuiet waits until the page has done what an action made it do, and what
// timers that this has set do soon, limit at most; see [tab.quiet].
type pageQuiet interface {
	quiet(ctx context.Context, limit time.Duration) bool
	// again watches the page anew, for what its requests brought.
	again(ctx context.Context)
}

// afterAction waits until the page has settled after something was done to it
// in the state before. A page that is quiet has; one that is no longer there to be
// asked, or never rests, is watched for what may come. Requests are waited for
// that the page began since; those that were under way before, and what begins
// later without being brought about by these, are not the action's.
func (s Settle) afterAction(ctx context.Context, t *tracker, before loadState, page pageQuiet) error {
	began := t.clock.Now()
	navigated := func(now loadState) bool { return now.navigations > before.navigations }
	still := page != nil && !t.now().stirred(before) && page.quiet(ctx, s.Watch)
	if still && !t.now().stirred(before) {
		return nil
	}
	if !still || t.now().announced > before.announced {
		if _, err := t.wait(ctx, max(s.Watch-t.clock.Now().Sub(began), 0), navigated); err != nil {
			return err
		}
	}
	if !navigated(t.now()) {
		if t.now().requests == before.requests {
			return nil
		}
		rest, err := s.requests(ctx, t, before.requests, navigated)
		if err != nil {
			return err
		}
		if err := s.shown(ctx, t, rest, page, navigated); err != nil || !navigated(t.now()) {
			return err
		}
	}
	return s.afterNavigation(ctx, t, s.Load)
}

// chain is how soon a request that another has brought about follows its end.
const chain = 50 * time.Millisecond

// requests waits for the requests begun after the first ones, and for those that
// follow them at once. The result is what is left of Quiet then.
func (s Settle) requests(ctx context.Context, t *tracker, first int, navigated func(loadState) bool) (rest time.Duration, err error) {
	began := t.clock.Now()
	for {
		last := t.now().requests
		done := func(now loadState) bool { return navigated(now) || !now.waits(first, last) }
		left := max(s.Requests-t.clock.Now().Sub(began), 0)
		if ended, err := t.wait(ctx, left, done); err != nil || !ended {
			return s.Quiet, err
		}
		if moved, err := t.wait(ctx, min(chain, s.Quiet), navigated); err != nil || moved || t.now().requests == last {
			return max(s.Quiet-chain, 0), err
		}
		first = last
	}
}

// shown waits, limit at most, until the page shows what its requests brought.
func (s Settle) shown(ctx context.Context, t *tracker, limit time.Duration, page pageQuiet, navigated func(loadState) bool) error {
	began := t.clock.Now()
	if page != nil && !navigated(t.now()) {
		page.again(ctx)
		if page.quiet(ctx, limit) {
			return nil
		}
	}
	_, err := t.wait(ctx, max(limit-t.clock.Now().Sub(began), 0), navigated)
	return err
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
