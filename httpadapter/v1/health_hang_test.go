package v1

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A disk that hangs hears of no context: whoever asks is answered all the same,
// and nothing more is asked of it until it has answered.
func TestHealthOfADiskThatHangs(t *testing.T) {
	t.Parallel()
	disk := make(chan error)
	asked := make(chan struct{}, 10)
	c := &healthCheck{check: func(context.Context) error {
		asked <- struct{}{}
		return <-disk
	}}
	for range 3 {
		if err := c.ask(time.Millisecond); !errors.Is(err, errHealthTime) {
			t.Errorf("while it hangs: %v", err)
		}
	}
	<-asked
	if n := len(asked); n != 0 {
		t.Errorf("it is asked %d times more while it hangs", n)
	}
	disk <- nil
	if err := c.ask(time.Minute); err != nil {
		t.Errorf("when it goes on: %v", err)
	}
}
