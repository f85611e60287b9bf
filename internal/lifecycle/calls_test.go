package lifecycle_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/drover-go/drover/internal/lifecycle"
)

func TestCallsAreWaitedForAndCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		closing := errors.New("closing")
		calls := lifecycle.NewCalls(closing)
		ctx, leave, err := calls.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		closed := make(chan struct{})
		until, cut := context.WithCancel(t.Context())
		go func() {
			defer close(closed)
			calls.Close(until)
		}()
		synctest.Wait()
		if _, _, err := calls.Enter(t.Context()); err != closing {
			t.Errorf("while it closes: %v", err)
		}
		if ctx.Err() != nil {
			t.Error("the call is cut off at once")
		}
		cut()
		<-ctx.Done()
		if cause := context.Cause(ctx); cause != closing {
			t.Errorf("it is cut off by %v", cause)
		}
		select {
		case <-closed:
			t.Error("Close does not wait")
		default:
		}
		leave()
		<-closed
		calls.Close(until)
	})
}
