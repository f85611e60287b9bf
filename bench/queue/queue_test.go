package queue

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// workers is how many jobs run at the same time.
const workers = 4

// An engine is a queue under test. enqueue writes a job in a transaction of its
// own; start lets the workers begin and stop waits for them.
type engine struct {
	enqueue     func(number int)
	start, stop func()
}

// fastPoll is the shortest interval at which River may look for jobs. It costs
// a query each time, whether or not there is work.
const fastPoll = time.Millisecond

// BenchmarkEnqueueToStart measures from before the transaction that enqueues to
// the first line of the worker, one job at a time, first with the one queue and
// then with the other. "x-river" is how many times as fast Drover's median is.
// Goal of Drover: p50 of at most 1 ms.
func BenchmarkEnqueueToStart(b *testing.B) {
	for _, poll := range []struct {
		name     string
		interval time.Duration
	}{{"river with its defaults", time.Second}, {"river polls every 1ms", fastPoll}} {
		b.Run(poll.name, func(b *testing.B) {
			ours := newRace(b, newDrover)
			theirs := newRace(b, func(b *testing.B, work func(int)) engine { return newRiver(b, poll.interval, work) })
			for i := 0; b.Loop(); i++ {
				ours.run(i)
				theirs.run(i)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ours.part(0.5), "drover-p50-ms")
			b.ReportMetric(ours.part(0.99), "drover-p99-ms")
			b.ReportMetric(theirs.part(0.5), "river-p50-ms")
			b.ReportMetric(theirs.part(0.99), "river-p99-ms")
			b.ReportMetric(theirs.part(0.5)/ours.part(0.5), "x-river")
		})
	}
}

// A race times one job after the other.
type race struct {
	engine
	started chan time.Time
	took    []time.Duration
}

func newRace(b *testing.B, open func(*testing.B, func(int)) engine) *race {
	r := &race{started: make(chan time.Time)}
	r.engine = open(b, func(int) { r.started <- time.Now() })
	r.start()
	b.Cleanup(r.stop)
	return r
}

func (r *race) run(number int) {
	begun := time.Now()
	r.enqueue(number)
	r.took = append(r.took, (<-r.started).Sub(begun))
}

// part returns the time in milliseconds that the given part of the jobs stayed
// below.
func (r *race) part(p float64) float64 {
	slices.Sort(r.took)
	return r.took[int(p*float64(len(r.took)-1))].Seconds() * 1000
}

// BenchmarkThroughput enqueues one job a transaction while workers do them,
// until all are done, with each queue in turn.
func BenchmarkThroughput(b *testing.B) { throughput(b, true) }

// BenchmarkDrain does jobs that all wait already, with each queue in turn.
func BenchmarkDrain(b *testing.B) { throughput(b, false) }

// batch is how many jobs a round has.
const batch = 1000

func throughput(b *testing.B, startFirst bool) {
	var ours, theirs time.Duration
	rounds := 0
	for b.Loop() {
		rounds++
		ours += round(b, startFirst, newDrover)
		theirs += round(b, startFirst, func(b *testing.B, work func(int)) engine { return newRiver(b, fastPoll, work) })
	}
	jobs := float64(batch * rounds)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(jobs/ours.Seconds(), "drover-jobs/s")
	b.ReportMetric(jobs/theirs.Seconds(), "river-jobs/s")
	b.ReportMetric(float64(theirs)/float64(ours), "x-river")
}

// round returns how long a batch takes on a fresh database.
func round(b *testing.B, startFirst bool, open func(*testing.B, func(int)) engine) time.Duration {
	done := make(chan struct{})
	var left atomic.Int64
	left.Store(batch)
	e := open(b, func(int) {
		if left.Add(-1) == 0 {
			close(done)
		}
	})
	if startFirst {
		e.start()
	}
	begun := time.Now()
	for i := range batch {
		e.enqueue(i)
	}
	if !startFirst {
		begun = time.Now()
		e.start()
	}
	<-done
	took := time.Since(begun)
	e.stop()
	return took
}
