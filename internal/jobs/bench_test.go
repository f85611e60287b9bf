package jobs_test

import (
	"context"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// startQueue returns a started queue on db with one kind, "bench".
func startQueue(tb testing.TB, db *storage.DB, w jobs.Worker, o jobs.KindOptions) *jobs.Queue {
	tb.Helper()
	hub := notify.New(db, notify.Options{})
	tb.Cleanup(func() { hub.Close() })
	q := jobs.New(db, hub, jobs.Options{})
	q.Register("bench", w, o)
	if err := q.Start(context.Background()); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := q.Stop(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return q
}

func enqueueBench(tb testing.TB, db *storage.DB, q *jobs.Queue, ref string) {
	err := db.Write(context.Background(), func(ctx context.Context, tx *storage.Tx) error {
		_, _, err := q.Enqueue(ctx, tx, jobs.Insert{Kind: "bench", ProjectID: "p", Ref: ref})
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkEnqueueToStart measures from before the transaction that enqueues
// to the first line of the worker, on a file. Goal: p50 of at most 1 ms.
func BenchmarkEnqueueToStart(b *testing.B) {
	started := make(chan time.Time)
	db := storagetest.OpenFile(b)
	q := startQueue(b, db, func(context.Context, jobs.Job) error { started <- time.Now(); return nil }, jobs.KindOptions{})
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		begun := time.Now()
		enqueueBench(b, db, q, strconv.Itoa(i))
		took = append(took, (<-started).Sub(begun))
	}
	slices.Sort(took)
	for name, part := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99} {
		b.ReportMetric(took[int(part*float64(len(took)-1))].Seconds()*1000, name)
	}
}

// BenchmarkThroughput enqueues one job a transaction while workers do them, on
// a file, until all are done.
func BenchmarkThroughput(b *testing.B) {
	done := make(chan struct{})
	var left atomic.Int64
	left.Store(int64(b.N))
	db := storagetest.OpenFile(b)
	q := startQueue(b, db, func(context.Context, jobs.Job) error {
		if left.Add(-1) == 0 {
			close(done)
		}
		return nil
	}, jobs.KindOptions{})
	b.ResetTimer()
	for i := range b.N {
		enqueueBench(b, db, q, strconv.Itoa(i))
	}
	<-done
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// BenchmarkDrain does jobs that all wait already, on a file.
func BenchmarkDrain(b *testing.B) {
	done := make(chan struct{})
	var left atomic.Int64
	left.Store(int64(b.N))
	db := storagetest.OpenFile(b)
	hub := notify.New(db, notify.Options{})
	defer hub.Close()
	q := jobs.New(db, hub, jobs.Options{})
	q.Register("bench", func(context.Context, jobs.Job) error {
		if left.Add(-1) == 0 {
			close(done)
		}
		return nil
	}, jobs.KindOptions{Workers: 16})
	for i := range b.N {
		enqueueBench(b, db, q, strconv.Itoa(i))
	}
	b.ResetTimer()
	if err := q.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	<-done
	b.StopTimer()
	if err := q.Stop(context.Background()); err != nil {
		b.Error(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
