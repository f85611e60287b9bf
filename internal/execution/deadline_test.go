package execution

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

func TestTheTimeStandsStillWhileItIsSuspended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, d := within(t.Context(), clock.System(), time.Minute)
		defer d.stop()
		time.Sleep(20 * time.Second)
		resume := d.suspend()
		time.Sleep(time.Hour)
		if ctx.Err() != nil {
			t.Fatal("it ended while it was suspended")
		}
		resume()
		resume()
		<-ctx.Done()
		if took := time.Since(began); took != time.Hour+time.Minute || context.Cause(ctx) != ErrTimedOut {
			t.Errorf("%v, %v", took, context.Cause(ctx))
		}
		d.suspend()() // too late
	})
}

func TestWorkWithoutADeadlineIsNotBrokenOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, d := within(t.Context(), clock.System(), 0)
		d.suspend()()
		time.Sleep(1000 * time.Hour)
		if ctx.Err() != nil {
			t.Error(ctx.Err())
		}
		d.stop()
		if ctx.Err() == nil {
			t.Error("it goes on")
		}
	})
}
