package jobs

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/storage"
)

// metrics are what is counted of the attempts of this process.
type metrics struct {
	attempts *telemetry.Counter
	lasts    *telemetry.Histogram
}

// The metrics that are read when somebody asks.
const (
	workersMetric = "drover_job_workers"
	busyMetric    = "drover_job_workers_busy"
	depthMetric   = "drover_jobs"
	oldestMetric  = "drover_job_oldest_ready_age_seconds"
)

func newMetrics(q *Queue) metrics {
	t := q.opts.Telemetry
	t.Read(0, q.reportWorkers,
		telemetry.Metric{Name: workersMetric, Help: "How many jobs of a kind this process does at the same time.", Kind: telemetry.GaugeKind, Labels: []string{"kind"}},
		telemetry.Metric{Name: busyMetric, Help: "How many of them are at work.", Kind: telemetry.GaugeKind, Labels: []string{"kind"}})
	t.Read(time.Second, q.reportDepth,
		telemetry.Metric{Name: depthMetric, Help: "Jobs in the database of the kinds that this process knows, by state (ready, delayed, running). At most 100,000 ready ones of a kind and 10,000 delayed ones are counted.", Kind: telemetry.GaugeKind, Labels: []string{"kind", "state"}},
		telemetry.Metric{Name: oldestMetric, Help: "How long the oldest of the next 1,000 ready jobs of a kind has been ready; 0 without one.", Kind: telemetry.GaugeKind, Labels: []string{"kind"}})
	return metrics{
		attempts: t.Counter("drover_job_attempts_total", "Attempts that have ended in this process: done, again (it waits on), exhausted (no attempt is left), or lost (another process has it).", "kind", "outcome"),
		lasts:    t.Histogram("drover_job_attempt_seconds", "How long an attempt took.", nil, "kind"),
	}
}

func (v verdict) label() string { return [...]string{"done", "again", "exhausted", "lost"}[v] }

// Telemetry is where the queue reports to, for those whose rows its jobs are about.
func (q *Queue) Telemetry() *telemetry.Telemetry { return q.opts.Telemetry }

// Label is what metrics call a kind: what stands before its first slash, because
// behind that a domain may have an id.
func Label(kind string) string {
	label, _, _ := strings.Cut(kind, "/")
	return label
}

// reportWorkers reports the workers of this process.
func (q *Queue) reportWorkers(_ context.Context, r *telemetry.Report) {
	workers, busy := map[string]int{}, map[string]int{}
	for name, k := range q.kinds {
		workers[Label(name)] += k.opts.Workers
	}
	for _, e := range q.running.all() {
		busy[Label(e.Kind)]++
	}
	for label, n := range workers {
		r.Value(workersMetric, float64(n), label)
		r.Value(busyMetric, float64(busy[label]), label)
	}
}

// reportDepth reports what waits in the database, for all processes.
func (q *Queue) reportDepth(ctx context.Context, r *telemetry.Report) {
	kinds := slices.Sorted(maps.Keys(q.kinds))
	now := q.opts.Clock.Now()
	var all map[string]depth
	err := q.db.Read(ctx, func(ctx context.Context, qu storage.Querier) (err error) {
		all, err = depths(ctx, qu, kinds)
		return err
	})
	if err != nil {
		q.opts.Logger.Debug("the jobs that wait cannot be counted", "error", err)
		return
	}
	for label, d := range byLabel(all) {
		age := 0.0
		if !d.oldest.IsZero() {
			age = max(0, now.Sub(d.oldest).Seconds())
		}
		r.Value(depthMetric, float64(d.ready), label, "ready")
		r.Value(depthMetric, float64(d.delayed), label, "delayed")
		r.Value(depthMetric, float64(d.running), label, "running")
		r.Value(oldestMetric, age, label)
	}
}

// byLabel puts kinds together that metrics have one name for.
func byLabel(all map[string]depth) map[string]depth {
	labels := map[string]depth{}
	for kind, d := range all {
		sum := labels[Label(kind)]
		sum.ready, sum.delayed, sum.running = sum.ready+d.ready, sum.delayed+d.delayed, sum.running+d.running
		if sum.oldest.IsZero() || !d.oldest.IsZero() && d.oldest.Before(sum.oldest) {
			sum.oldest = d.oldest
		}
		labels[Label(kind)] = sum
	}
	return labels
}
