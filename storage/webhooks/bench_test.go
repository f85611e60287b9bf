package webhooks

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage"
)

// dead is the URL of a receiver on a host of its own, which takes connections and never
// answers.
func dead(t testing.TB, n int) string {
	t.Helper()
	l, err := net.Listen("tcp", fmt.Sprintf("127.1.%d.%d:0", n/250, n%250+1))
	if err != nil {
		t.Skip("this system has one address of loopback:", err)
	}
	t.Cleanup(func() { l.Close() })
	return "http://" + l.Addr().String()
}

// besideDead has a world with a fast receiver, and dead ones that are told of other events.
func besideDead(t testing.TB, o setup, receivers int) (*world, *receiver) {
	t.Helper()
	o.limits.PerProject, o.clock = 10_000, clock.System()
	w, r := opened(t, o), receive(t, nil)
	w.platform(t, r.URL)
	for n := range receivers {
		w.platform(t, dead(t, n), func(s *Settings) { s.Events = []string{"ACTOR.RUN.FAILED"} })
	}
	return w, r
}

// manyHappen emits so many events of a type in transactions of a hundred.
func (w *world) manyHappen(t testing.TB, event string, n int) {
	t.Helper()
	project := w.projectID(t, context.Background())
	for from := 0; from < n; from += 100 {
		w.write(t, func(ctx context.Context, tx *storage.Tx) error {
			for i := from; i < min(n, from+100); i++ {
				e := ended(fmt.Sprint(event, i), 1)
				e.ProjectID, e.Type = project, event
				if err := w.Emit(ctx, tx, e); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// A receiver that works is not held up by a hundred that are dead, each of which has a
// hundred dispatches of its own.
func BenchmarkBesideDead(b *testing.B) {
	const each = 10_000
	for range b.N {
		w, r := besideDead(b, setup{dir: b.TempDir()}, 100)
		w.manyHappen(b, "ACTOR.RUN.FAILED", 100)
		start := time.Now()
		w.manyHappen(b, succeeded, each)
		for range each {
			<-r.got
		}
		b.ReportMetric(each/time.Since(start).Seconds(), "webhooks/s")
	}
}

// Emit is what an event costs that nobody is told of, and one that somebody is.
func BenchmarkEmit(b *testing.B) {
	for name, event := range map[string]string{"nobody": "ACTOR.RUN.ABORTED", "somebody": succeeded} {
		b.Run(name, func(b *testing.B) {
			w := opened(b, setup{idle: true, limits: Limits{MaxActive: 1 << 30}})
			w.platform(b, "http://127.0.0.1:1/")
			project := w.projectID(b, context.Background())
			b.ResetTimer()
			w.write(b, func(ctx context.Context, tx *storage.Tx) error {
				for i := range b.N {
					e := ended(fmt.Sprint(i), 1)
					e.ProjectID, e.Type = project, event
					if err := w.Emit(ctx, tx, e); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}
