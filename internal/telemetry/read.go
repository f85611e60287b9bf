package telemetry

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Report takes values that are read on demand.
type Report struct {
	names []string // what may be reported
	all   []sample
}

// sample is one value that was read.
type sample struct {
	name   string
	value  float64
	labels []string
}

// Value reports the value of a metric with these labels, once for each.
func (r *Report) Value(name string, v float64, labels ...string) {
	if !slices.Contains(r.names, name) {
		panic(fmt.Sprintf("telemetry: %q is reported and was not registered", name))
	}
	r.all = append(r.all, sample{name, v, labels})
}

// reader reads metrics on demand.
type reader struct {
	read    func(ctx context.Context, r *Report)
	every   time.Duration
	now     func() time.Time
	alone   bool // no Meter is given it
	metrics []Metric
	started *atomic.Bool

	mu    sync.Mutex
	ended bool
	at    time.Time // of last
	last  []sample
}

// get returns the values, of at most every ago. One reader is at work at a time:
// others wait for what it finds.
func (r *reader) get(ctx context.Context) []sample {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	if r.ended || !r.started.Load() || r.every > 0 && !r.at.IsZero() && now.Sub(r.at) < r.every && !now.Before(r.at) {
		return r.last
	}
	report := &Report{}
	for _, m := range r.metrics {
		report.names = append(report.names, m.Name)
	}
	r.read(ctx, report)
	if ctx.Err() != nil {
		return report.all // whoever asked has gone: the next one asks again
	}
	r.at, r.last = now, report.all
	return r.last
}

// end returns when nothing is read any more.
func (r *reader) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended, r.last = true, nil
}
