//go:build unix

package jobs_test

import (
	"context"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// BenchmarkIdle measures what a process with started workers on a file takes
// of one core while nothing happens: an iteration is a second of idleness. Run
// it with -benchtime 60x. Goal: below 0.5 % for the process "alone".
func BenchmarkIdle(b *testing.B) {
	nothing := func(context.Context, jobs.Job) error { return nil }
	b.Run("alone", func(b *testing.B) {
		startQueue(b, storagetest.OpenFile(b), nothing, jobs.KindOptions{})
		measureIdle(b)
	})
	b.Run("another-instance", func(b *testing.B) {
		db := storagetest.OpenFile(b)
		storagetest.OpenWith(b, storage.Options{Dir: db.Dir()})
		startQueue(b, db, nothing, jobs.KindOptions{})
		measureIdle(b)
	})
	b.Run("job-running", func(b *testing.B) {
		db, started := storagetest.OpenFile(b), make(chan struct{})
		end := make(chan struct{})
		q := startQueue(b, db, func(context.Context, jobs.Job) error { close(started); <-end; return nil }, jobs.KindOptions{})
		enqueueBench(b, db, q, "row")
		<-started
		measureIdle(b)
		close(end)
	})
}

func measureIdle(b *testing.B) {
	second := time.NewTicker(time.Second)
	defer second.Stop()
	cpu, wall := cpuTime(b), time.Now()
	for range b.N {
		<-second.C
	}
	b.ReportMetric(100*(cpuTime(b)-cpu).Seconds()/time.Since(wall).Seconds(), "%core")
}

// cpuTime is what this process has used so far, user and system.
func cpuTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
