package runs

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/storage"
)

// ended makes runs that ended one after the other, each with a message, and
// one that has not.
func (w *working) ended(t *testing.T, n int, c *clock.Manual, step time.Duration) (ids []string, pending string) {
	t.Helper()
	for range n {
		r := w.create(t, Create{Task: "x"})
		say := model.Message{Role: model.Assistant, Content: []model.Part{model.Text("hello")}}
		if err := w.write(t.Context(), r.ID, say); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Stop(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
		c.Advance(step)
		ids = append(ids, r.ID)
	}
	return ids, w.create(t, Create{Task: "x"}).ID
}

// left counts the rows of runs and messages.
func (w *working) left(t *testing.T) (runs, messages int) {
	t.Helper()
	err := w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		if err := q.QueryRow(ctx, `SELECT count(*) FROM agent_runs`).Scan(&runs); err != nil {
			return err
		}
		return q.QueryRow(ctx, `SELECT count(*) FROM run_messages`).Scan(&messages)
	})
	if err != nil {
		t.Fatal(err)
	}
	return runs, messages
}

func TestFinishedRunsAreDeletedWhenTheirTimeIsOver(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{"memory": "", "file": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			c := clock.NewManual(noon)
			w := quick(t, setup{dir: dir, clock: c, idle: true, retention: 24 * time.Hour})
			ids, pending := w.ended(t, 2*retainBatch+5, c, time.Minute)
			c.Advance(24*time.Hour - 3*time.Minute) // the time of all but the last two is over
			w.keeper.Do(t.Context())
			if _, err := w.Get(t.Context(), ids[0]); !errtypes.Is(err, errtypes.NotFound) {
				t.Errorf("the oldest: %v", err)
			}
			if _, err := w.ListMessages(t.Context(), ids[0], MessageFilter{}); !errtypes.Is(err, errtypes.NotFound) {
				t.Errorf("its messages: %v", err)
			}
			for _, id := range append(ids[len(ids)-2:], pending) {
				if _, err := w.Get(t.Context(), id); err != nil {
					t.Errorf("one that is to stay: %v", err)
				}
			}
			if err := w.queue.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			w.wait(t, pending)
			for range 25 { // it looks at least once an hour
				c.Advance(time.Hour)
				w.keeper.Do(t.Context())
			}
			if r, m := w.left(t); r != 0 || m != 0 {
				t.Errorf("%d runs and %d messages are left", r, m)
			}
		})
	}
}

func TestRunsAreKeptForEverWhenThatIsWanted(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	w := quick(t, setup{clock: c, retention: -1})
	id := w.do(t, Create{Task: "x"}).ID
	c.Advance(100 * 365 * 24 * time.Hour)
	w.keeper.Do(t.Context())
	if _, err := w.Get(t.Context(), id); err != nil {
		t.Error(err)
	}
}

func TestTwoProcessesDeleteTheSameRuns(t *testing.T) {
	t.Parallel()
	dir, c := t.TempDir(), clock.NewManual(noon)
	w := quick(t, setup{dir: dir, clock: c, idle: true})
	ids, _ := w.ended(t, 3*retainBatch, c, time.Second)
	other := quick(t, setup{dir: dir, clock: c, idle: true})
	c.Advance(30 * 24 * time.Hour) // the default
	var both sync.WaitGroup
	for _, one := range []*working{w, other} {
		both.Go(func() { one.keeper.Do(t.Context()) })
	}
	both.Wait()
	if _, m := w.left(t); m > 2 { // those of the run that was pending
		t.Errorf("%d messages are left of %d runs", m, len(ids))
	}
	for _, log := range []string{w.log.String(), other.log.String()} {
		if strings.Contains(log, "cannot be deleted") {
			t.Error(log)
		}
	}
}
