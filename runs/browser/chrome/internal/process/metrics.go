package process

import (
	"context"
	"sync/atomic"

	"github.com/drover-go/drover/internal/telemetry"
)

// Metrics are what is counted of the browsers of a provider. Nil counts nothing.
type Metrics struct {
	running        atomic.Int64
	starts, deaths *telemetry.Counter
}

// NewMetrics returns what counts browsers.
func NewMetrics(t *telemetry.Telemetry) *Metrics {
	return &Metrics{
		starts: t.Counter("drover_browser_starts_total", "Browsers that were started on this machine."),
		deaths: t.Counter("drover_browser_deaths_total", "Browsers on this machine that ended though nobody had asked for it: that crashed, hung, or were ended for what they took."),
	}
}

// The metrics that are read when somebody asks.
const (
	processesMetric = "drover_browser_processes"
	sparesMetric    = "drover_browser_spares"
	takenMetric     = "drover_browser_slots_taken"
	slotsMetric     = "drover_browser_slots"
	waitingMetric   = "drover_browser_slots_waiting"
)

// Read has the numbers of the fleet and the slots read when somebody asks.
func (m *Metrics) Read(t *telemetry.Telemetry, f *Fleet, s *Slots) {
	gauge := func(name, help string) telemetry.Metric {
		return telemetry.Metric{Name: name, Help: help, Kind: telemetry.GaugeKind}
	}
	t.Read(0, func(_ context.Context, r *telemetry.Report) {
		taken, most, waiting := s.count()
		r.Value(processesMetric, float64(m.running.Load()))
		r.Value(sparesMetric, float64(f.spares()))
		r.Value(takenMetric, float64(taken))
		r.Value(slotsMetric, float64(most))
		r.Value(waitingMetric, float64(waiting))
	},
		gauge(processesMetric, "Browsers that run on this machine."),
		gauge(sparesMetric, "Spare sessions that are ready."),
		gauge(takenMetric, "Sessions that browsers have open, or are opening."),
		gauge(slotsMetric, "Sessions that browsers may have open at a time."),
		gauge(waitingMetric, "Sessions that wait for another one to end."))
}

func (m *Metrics) started() {
	if m != nil {
		m.running.Add(1)
		m.starts.Inc()
	}
}

func (m *Metrics) ended(died bool) {
	if m == nil {
		return
	}
	m.running.Add(-1)
	if died {
		m.deaths.Inc()
	}
}

// spares is how many are ready.
func (f *Fleet) spares() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.all() {
		n += len(l.spares)
	}
	return n
}

func (s *Slots) count() (taken, most, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken, s.max, len(s.waiting)
}
