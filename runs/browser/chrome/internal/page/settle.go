package page

import (
	"context"
	"time"
)

// Settle says when a page counts as settled; see chrome.Settle.
type Settle struct {
	Watch, Load, Requests, Quiet, Document, NavigateLoad, AfterLoad, Still, Linger time.Duration
}

func loaded(s loadState) bool { return !s.loading && !s.document }
func idle(s loadState) bool   { return s.inFlight == 0 }

// afterAction waits until the page has settled after something was done to it
// in the state before. A page that is quiet has; one that has set timers, or is
// no longer there to be asked, is watched for what may come.
func (s Settle) afterAction(ctx context.Context, t *tracker, before loadState, quiet func(context.Context, time.Duration) bool) error {
	began, watch := t.clock.Now(), s.Watch
	if quiet != nil && !t.now().stirred(before) {
		if quiet(ctx, watch) && !t.now().stirred(before) {
			return nil
		}
		watch = max(watch-t.clock.Now().Sub(began), 0)
	}
	navigated := func(now loadState) bool { return now.navigations > before.navigations }
	moved, err := t.wait(ctx, watch, navigated)
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
