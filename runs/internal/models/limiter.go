package models

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
)

// A limiter makes those wait who ask one model, so that together they stay
// within its rate, and within what its provider has asked for. They are let go in
// the order in which they came; who gives up leaves nothing behind.
type limiter struct {
	clock  clock.Clock
	places *semaphore.Weighted // nil for any number
	turn   *semaphore.Weighted // of the one who waits for the buckets

	mu       sync.Mutex
	requests *bucket   // nil for any number
	tokens   *bucket   // nil for any number
	held     time.Time // until then the provider wants no request
}

func newLimiter(r model.Rate, c clock.Clock) *limiter {
	l := &limiter{clock: c, turn: semaphore.NewWeighted(1), requests: perMinute(r.Requests, 1), tokens: perMinute(r.Tokens, r.Tokens)}
	if r.AtOnce > 0 {
		l.places = semaphore.NewWeighted(int64(r.AtOnce))
	}
	return l
}

// acquire waits for a place for a request of so many tokens, roughly. The place
// is to be released.
func (l *limiter) acquire(ctx context.Context, tokens int) error {
	if l.places != nil {
		if err := l.places.Acquire(ctx, 1); err != nil {
			return context.Cause(ctx)
		}
	}
	err := l.wait(ctx, tokens)
	if err != nil {
		l.release()
	}
	return err
}

func (l *limiter) release() {
	if l.places != nil {
		l.places.Release(1)
	}
}

func (l *limiter) wait(ctx context.Context, tokens int) error {
	if err := l.turn.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	defer l.turn.Release(1)
	for {
		delay := l.take(tokens)
		if delay <= 0 {
			return nil
		}
		if err := clock.Sleep(ctx, l.clock, delay); err != nil {
			return err
		}
	}
}

// take takes a request of so many tokens out of the buckets, or says how long to
// wait before the next attempt.
func (l *limiter) take(tokens int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	delay := max(l.requests.delay(1, now), l.tokens.delay(int64(tokens), now), l.held.Sub(now))
	if delay <= 0 {
		l.requests.take(1, now)
		l.tokens.take(int64(tokens), now)
	}
	return delay
}

// spent puts what a request has used in the place of what was thought.
func (l *limiter) spent(thought int, used int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	l.tokens.giveBack(int64(thought), now)
	l.tokens.take(used, now)
}

// hold keeps everybody from asking for a time, as the provider wishes.
func (l *limiter) hold(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := l.clock.Now().Add(d); until.After(l.held) {
		l.held = until
	}
}
