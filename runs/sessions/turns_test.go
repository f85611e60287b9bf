package sessions

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

func TestWhoWaitsForItsTurnMayGo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &live{turns: make(chan struct{}, 1)}
		over, err := l.turn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		left, came := make(chan error, 1), make(chan error, 1)
		go func() {
			_, err := inTurn(ctx, l, func() (int, error) { return 0, errors.New("it was not its turn") })
			left <- err
		}()
		go func() {
			_, err := inTurn(t.Context(), l, func() (int, error) { return 0, nil })
			came <- err
		}()
		synctest.Wait()
		if len(left)+len(came) > 0 {
			t.Error("two have their turn")
		}
		gone := errors.New("the caller has gone")
		cancel(gone)
		if err := <-left; !errors.Is(err, gone) {
			t.Error(err)
		}
		over()
		if err := <-came; err != nil {
			t.Error(err)
		}
	})
}
