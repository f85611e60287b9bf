package jobs_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/internal/telemetry/telemetrytest"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// counted is a queue whose metrics can be read, on a clock that stands.
type counted struct {
	*testing.T
	*jobs.Queue
	db    *storage.DB
	tel   *telemetry.Telemetry
	clock *clock.Manual
}

func count(t *testing.T, db *storage.DB) *counted {
	c := &counted{T: t, db: db, clock: clock.NewManual(time.Unix(1_700_000_000, 0))}
	c.tel = telemetry.New(telemetry.Options{Now: c.clock.Now})
	hub := notify.New(db, notify.Options{})
	t.Cleanup(func() { hub.Close() })
	c.Queue = jobs.New(db, hub, jobs.Options{Telemetry: c.tel, Clock: c.clock})
	c.tel.Start()
	return c
}

func (c *counted) enqueue(all ...jobs.Insert) {
	c.Helper()
	err := c.db.Write(c.Context(), func(ctx context.Context, tx *storage.Tx) error {
		for _, in := range all {
			if _, _, err := c.Enqueue(ctx, tx, in); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		c.Fatal(err)
	}
}

func TestWhatWaitsIsCounted(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		c := count(t, db)
		work := func(context.Context, jobs.Job) error { return nil }
		c.Register("function/one", work, jobs.KindOptions{Workers: 2})
		c.Register("function/other", work, jobs.KindOptions{Workers: 3})
		c.Register("idle", work, jobs.KindOptions{})
		for i := range 3 {
			c.enqueue(jobs.Insert{Kind: "function/one", ProjectID: fmt.Sprint("p", i), Ref: fmt.Sprint(i)}, jobs.Insert{Kind: "of another process", ProjectID: "p", Ref: fmt.Sprint(i)})
			c.clock.Advance(time.Minute)
		}
		c.enqueue(jobs.Insert{Kind: "function/other", ProjectID: "p", Ref: "x"}, jobs.Insert{Kind: "function/one", ProjectID: "p", Ref: "later", Delay: time.Hour})
		c.clock.Advance(time.Second)
		got := telemetrytest.Of(t, c.tel)
		got.Want(t, telemetrytest.Values{
			`drover_jobs{kind="function",state="ready"}`:           4,
			`drover_jobs{kind="function",state="delayed"}`:         1,
			`drover_jobs{kind="function",state="running"}`:         0,
			`drover_jobs{kind="idle",state="ready"}`:               0,
			`drover_job_oldest_ready_age_seconds{kind="function"}`: 181,
			`drover_job_oldest_ready_age_seconds{kind="idle"}`:     0,
			`drover_job_workers{kind="function"}`:                  5,
			`drover_job_workers_busy{kind="function"}`:             0,
		})
		if _, there := got[`drover_jobs{kind="of another process",state="ready"}`]; there {
			t.Error("a kind that nobody here knows has a series")
		}
		if again := telemetrytest.Of(t, c.tel); again[`drover_job_oldest_ready_age_seconds{kind="function"}`] != 181 {
			t.Error("within a second the database was asked again")
		}
	})
}

func TestAttemptsAreCounted(t *testing.T) {
	t.Parallel()
	c := count(t, storagetest.Open(t))
	busy, free := make(chan struct{}), make(chan struct{})
	c.Register("work/x", func(ctx context.Context, j jobs.Job) error {
		if j.Ref == "fails" {
			return jobs.Discard(nil)
		}
		busy <- struct{}{}
		<-free
		return nil
	}, jobs.KindOptions{Workers: 2})
	if err := c.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.enqueue(jobs.Insert{Kind: "work/x", ProjectID: "p", Ref: "1"}, jobs.Insert{Kind: "work/x", ProjectID: "p", Ref: "fails"}, jobs.Insert{Kind: "work/x", ProjectID: "p", Ref: "2"})
	<-busy
	<-busy
	telemetrytest.Of(t, c.tel).Want(t, telemetrytest.Values{`drover_job_workers_busy{kind="work"}`: 2, `drover_jobs{kind="work",state="running"}`: 2})
	close(free)
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	telemetrytest.Of(t, c.tel).Want(t, telemetrytest.Values{
		`drover_job_attempts_total{kind="work",outcome="done"}`:      2,
		`drover_job_attempts_total{kind="work",outcome="exhausted"}`: 1,
		`drover_job_attempt_seconds_count{kind="work"}`:              3,
		`drover_job_workers_busy{kind="work"}`:                       0,
	})
}
