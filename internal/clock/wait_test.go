package clock_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

var errLate = errors.New("late")

func TestContextEndsByTheClock(t *testing.T) {
	c := clock.NewManual(time.Unix(0, 0))
	ctx, cancel := clock.WithTimeout(t.Context(), c, time.Minute, errLate)
	defer cancel()
	c.Advance(59 * time.Second)
	if ctx.Err() != nil {
		t.Fatal("it ended early")
	}
	c.Advance(time.Second)
	<-ctx.Done()
	if context.Cause(ctx) != errLate {
		t.Errorf("cause %v", context.Cause(ctx))
	}
}

func TestACanceledContextKeepsNoTimer(t *testing.T) {
	c := clock.NewManual(time.Unix(0, 0))
	ctx, cancel := clock.WithTimeout(t.Context(), c, time.Minute, errLate)
	cancel()
	c.Advance(time.Hour)
	if context.Cause(ctx) != context.Canceled {
		t.Errorf("cause %v", context.Cause(ctx))
	}
	unbounded, cancel := clock.WithTimeout(t.Context(), c, 0, errLate)
	c.Advance(time.Hour)
	if unbounded.Err() != nil {
		t.Error("a zero bound bounds")
	}
	cancel()
	if unbounded.Err() == nil {
		t.Error("cancel does not cancel")
	}
}

func TestSleep(t *testing.T) {
	c := clock.NewManual(time.Unix(0, 0))
	woke := make(chan error)
	go func() { woke <- clock.Sleep(t.Context(), c, time.Minute) }()
	c.WaitForTimers(1)
	c.Advance(time.Minute)
	if err := <-woke; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errLate)
	if err := clock.Sleep(ctx, c, time.Minute); err != errLate {
		t.Error(err)
	}
}
