package webhooks

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// wrongClock is the machine's until its hands are set.
type wrongClock struct {
	clock.Clock
	wrong atomic.Int64
}

func (c *wrongClock) Now() time.Time {
	return c.Clock.Now().Add(time.Duration(c.wrong.Load())).Round(0)
}

// opening opens a world of its own, and returns how to close it.
func opening(t *testing.T, o setup) (w *world, shut func()) {
	t.Helper()
	o.limits.AllowHTTP = true
	var closing []func()
	w, err := newWorld(context.Background(), o, func(f func()) { closing = append(closing, f) })
	if err != nil {
		t.Fatal(err)
	}
	return w, func() {
		for i := range closing {
			closing[len(closing)-1-i]()
		}
	}
}

// What closing breaks off is sent again by the next process.
func TestWhatClosingBreaksOffIsSentAgain(t *testing.T) {
	t.Parallel()
	var well atomic.Bool
	r := receive(t, func(_ http.ResponseWriter, q *http.Request) {
		if !well.Load() {
			<-q.Context().Done()
		}
	})
	dir := t.TempDir()
	w, shut := opening(t, setup{dir: dir})
	w.platform(t, r.URL)
	w.happen(t, ended("a", 1), ended("a", 2))
	first := <-r.got
	shut()
	well.Store(true)
	w, shut = opening(t, setup{dir: dir})
	defer shut()
	again, next := <-r.got, <-r.got
	if again.id() != first.id() || next.row(t).State != 2 {
		t.Errorf("%q came again as %q, then %s", first.id(), again.id(), next.body)
	}
	if d := w.over(t, first.id()); d.Status != Succeeded || len(d.Attempts) != 1 {
		t.Errorf("%+v", d)
	}
}

// An event that is from the future, as the clock was put back since, is sent at once, and so
// is what was to be sent long ago.
func TestTheClockIsSet(t *testing.T) {
	t.Parallel()
	for name, by := range map[string]time.Duration{"back": -24 * time.Hour, "forward": 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &wrongClock{Clock: clock.System()}
			w, r := opened(t, setup{idle: true, clock: c}), receive(t, nil)
			w.platform(t, r.URL)
			w.standard(t, r.URL)
			w.happen(t, ended("a", 1), done("a", 1))
			c.wrong.Store(int64(by))
			must(0, w.queue.Start(t.Context()))(t)
			t.Cleanup(w.stop)
			for range 2 {
				if d := w.over(t, (<-r.got).id()); d.Status != Succeeded {
					t.Errorf("%+v", d)
				}
			}
		})
	}
}
