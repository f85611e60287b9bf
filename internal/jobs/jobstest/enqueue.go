package jobstest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
)

var enqueueTests = []test{
	{"a commit wakes a worker that gets the job", false, commitWakes},
	{"a rollback leaves no job", false, rollbackLeavesNothing},
	{"a key is unique among the unfinished of its kind", false, keyIsUnique},
	{"what waits is done by the next start", false, waitingIsDoneByNextStart},
	{"the first enqueue starts a lazy queue", false, firstUseStarts},
	{"a lazy queue starts at once if a job waits", false, waitingStarts},
	{"a job of an unknown kind waits", false, unknownKindWaits},
	{"a bad job is refused by field", false, badJobIsRefused},
	{"done removes the job with the worker's own write", false, doneIsAtomic},
}

func commitWakes(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{MaxAttempts: 7}, r.work)
	in := jobs.Insert{Kind: "k", ProjectID: "p", Ref: "row", Key: "key", Owner: db.InstanceID()}
	made, inserted := b.enqueue(in)
	got := <-r.got
	if !inserted || made.ID == "" || got.ID != made.ID {
		t.Errorf("enqueued %+v (%t), got %+v", made, inserted, got)
	}
	if got.Kind != "k" || got.ProjectID != "p" || got.Ref != "row" || got.Key != "key" || got.Owner != db.InstanceID() {
		t.Errorf("got %+v of %+v", got, in)
	}
	if got.Attempt != 1 || got.MaxAttempts != 7 || got.LeaseLost || got.OwnerLost || !got.CreatedAt.Equal(made.CreatedAt) {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(0)
}

func rollbackLeavesNothing(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{}, r.work)
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		_, _, err := b.Enqueue(ctx, tx, jobs.Insert{Kind: "k", Ref: "undone"})
		return errors.Join(err, errBoom)
	})
	if !errors.Is(err, errBoom) {
		t.Fatal(err)
	}
	b.enqueue(jobs.Insert{Kind: "k", Ref: "done"})
	if got := <-r.got; got.Ref != "done" {
		t.Errorf("got %q", got.Ref)
	}
	r.answer <- nil
	b.drained(0)
}

func keyIsUnique(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{})
	first, _ := b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	waits, again := b.enqueue(jobs.Insert{Kind: "k", Ref: "row", Delay: time.Hour})
	if again || waits.ID != first.ID {
		t.Errorf("the second is %+v, inserted %t", waits, again)
	}
	if _, inserted := b.enqueue(jobs.Insert{Kind: "other", Ref: "row"}); !inserted {
		t.Error("kinds share their keys")
	}
	if _, inserted := b.enqueue(jobs.Insert{Kind: "other", Ref: "row", Key: "second"}); !inserted {
		t.Error("a second key for the same ref is refused")
	}
	b.start()
	<-r.got
	if runs, again := b.enqueue(jobs.Insert{Kind: "k", Ref: "row"}); again || runs.ID != first.ID {
		t.Error("a job that runs does not count")
	}
	r.answer <- nil
	b.drained(2)
	if next, inserted := b.enqueue(jobs.Insert{Kind: "k", Ref: "row"}); !inserted || next.ID == first.ID {
		t.Error("the key of a finished job is still taken")
	}
}

func waitingIsDoneByNextStart(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{})
	b.enqueue(jobs.Insert{Kind: "k", Ref: "1"})
	for range 2 {
		b.start()
		<-r.got
		r.answer <- nil
		b.drained(0)
		b.enqueue(jobs.Insert{Kind: "k", Ref: "2"})
	}
}

func firstUseStarts(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{})
	started := b.Started()
	if err := b.StartLazily(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-started:
		t.Error("started with nothing to do")
	default:
	}
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	<-started
	<-r.got
	r.answer <- nil
	b.drained(0)
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	b.drained(1) // a stopped queue is not started by use
}

func waitingStarts(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := newBench(t, db, jobs.Options{})
	b.Register("k", r.work, jobs.KindOptions{})
	b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	if err := b.StartLazily(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-r.got
	r.answer <- nil
	b.drained(0)
}

func unknownKindWaits(t *testing.T, db *storage.DB) {
	r := newRecorder()
	b := start(t, db, jobs.KindOptions{}, r.work)
	b.enqueue(jobs.Insert{Kind: "unknown", Ref: "row"}, jobs.Insert{Kind: "k", Ref: "row"})
	if got := <-r.got; got.Kind != "k" {
		t.Errorf("got %+v", got)
	}
	r.answer <- nil
	b.drained(1)
}

func badJobIsRefused(t *testing.T, db *storage.DB) {
	b := newBench(t, db, jobs.Options{})
	long := strings.Repeat("x", 513)
	for field, in := range map[string]jobs.Insert{
		"kind":        {Ref: "row"},
		"key":         {Kind: "k"},
		"delay":       {Kind: "k", Ref: "row", Delay: -1},
		"at":          {Kind: "k", Ref: "row", Delay: 1, At: time.Unix(1, 0)},
		"weight":      {Kind: "k", Ref: "row", Weight: -1},
		"maxAttempts": {Kind: "k", Ref: "row", MaxAttempts: -1},
		"ref":         {Kind: "k", Ref: long},
		"projectId":   {Kind: "k", Ref: "row", ProjectID: long},
		"owner":       {Kind: "k", Ref: "row", Owner: long},
	} {
		err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			_, _, err := b.Enqueue(ctx, tx, in)
			return err
		})
		var e *errtypes.Error
		if !errors.As(err, &e) || e.Kind != errtypes.Invalid || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func doneIsAtomic(t *testing.T, db *storage.DB) {
	b := newBench(t, db, jobs.Options{})
	tries := make(chan int, 2)
	b.Register("k", func(ctx context.Context, j jobs.Job) error {
		tries <- j.Attempt
		return db.Write(ctx, func(ctx context.Context, tx *storage.Tx) error {
			if err := b.Done(ctx, tx, j); err != nil || j.Attempt == 2 {
				return err
			}
			return errBoom // takes Done back
		})
	}, jobs.KindOptions{Backoff: func(int) time.Duration { return 0 }})
	b.start()
	j, _ := b.enqueue(jobs.Insert{Kind: "k", Ref: "row"})
	if first, second := <-tries, <-tries; first != 1 || second != 2 {
		t.Errorf("attempts %d and %d", first, second)
	}
	b.drained(0)
	err := db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error { return b.Done(ctx, tx, j) })
	if !errors.Is(err, jobs.ErrLeaseLost) {
		t.Errorf("Done without a lease: %v", err)
	}
}
