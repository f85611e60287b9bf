package models

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/time/rate"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
)

// A limiter makes those wait who ask one model, so that together they stay
// within its rate, and within what its provider has asked for.
type limiter struct {
	clock    clock.Clock
	requests *rate.Limiter       // nil for any number
	tokens   *rate.Limiter       // nil for any number
	places   *semaphore.Weighted // nil for any number

	mu   sync.Mutex
	held time.Time // until then the provider wants no request
}

func newLimiter(r model.Rate, c clock.Clock) *limiter {
	l := &limiter{clock: c, requests: perMinute(r.Requests, 1), tokens: perMinute(r.Tokens, r.Tokens)}
	if r.AtOnce > 0 {
		l.places = semaphore.NewWeighted(int64(r.AtOnce))
	}
	return l
}

// perMinute allows n things in a minute, burst of them at once.
func perMinute(n, burst int) *rate.Limiter {
	if n == 0 {
		return nil
	}
	return rate.NewLimiter(rate.Limit(float64(n)/60), burst)
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
	delay := max(l.take(l.requests, 1), l.take(l.tokens, tokens))
	for {
		if delay = max(delay, l.holding()); delay <= 0 {
			return nil
		}
		if err := clock.Sleep(ctx, l.clock, delay); err != nil {
			return err
		}
		delay = 0 // the provider may have spoken meanwhile
	}
}

// take takes n out of a bucket, and says how long to wait for them.
func (l *limiter) take(from *rate.Limiter, n int) time.Duration {
	if from == nil || n <= 0 {
		return 0
	}
	now := l.clock.Now()
	return from.ReserveN(now, min(n, from.Burst())).DelayFrom(now)
}

// spent counts the tokens that a request has used beyond what was thought.
func (l *limiter) spent(thought int, used int64) {
	if more := used - int64(thought); more > 0 {
		l.take(l.tokens, int(min(more, 1<<30)))
	}
}

// hold keeps everybody from asking for a time, as the provider wishes.
func (l *limiter) hold(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := l.clock.Now().Add(d); until.After(l.held) {
		l.held = until
	}
}

func (l *limiter) holding() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held.Sub(l.clock.Now())
}
