package admission

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/machine"
	"github.com/drover-go/drover/internal/telemetry"
)

// metrics are what is counted of requests that wait.
type metrics struct{ waits *telemetry.Histogram }

func newMetrics(t *telemetry.Telemetry, l *Ledger) metrics {
	gauge := func(name, help string) telemetry.Metric {
		return telemetry.Metric{Name: "drover_memory_" + name, Help: help, Kind: telemetry.GaugeKind}
	}
	t.Read(0, func(_ context.Context, r *telemetry.Report) { l.State().report(r) },
		gauge("limit_bytes", "Memory that browsers, functions and Actors may have together; not there without a limit."),
		gauge("granted_bytes", "Memory that is granted: what was reserved for processes until they have been measured, then what they take."),
		gauge("measured_bytes", "Memory that their processes were last measured to take."),
		gauge("held_bytes", "Memory that is kept free for the first request that waits."),
		gauge("grants", "Grants of memory."),
		gauge("waiting", "Requests for memory that wait."))
	return metrics{waits: t.Histogram("drover_memory_wait_seconds", "How long requests have waited for memory that had to wait, by whether they were granted or given up.", nil, "outcome")}
}

func (s State) report(r *telemetry.Report) {
	if s.Total != machine.Unlimited {
		r.Value("drover_memory_limit_bytes", float64(s.Total))
	}
	r.Value("drover_memory_granted_bytes", float64(s.Used))
	r.Value("drover_memory_measured_bytes", float64(s.Measured))
	r.Value("drover_memory_held_bytes", float64(s.Held))
	r.Value("drover_memory_grants", float64(s.Grants))
	r.Value("drover_memory_waiting", float64(s.Waiting))
}

// waited counts a request that had to wait.
func (m metrics) waited(since time.Time, now time.Time, outcome string) {
	m.waits.Seconds(now.Sub(since), outcome)
}
