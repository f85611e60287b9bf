package telemetry

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options configure [New]. The zero value is useful.
type Options struct {
	// Tracer gets spans. Default none: there are none.
	Tracer Tracer
	// Meter gets the metrics of Drover, besides who reads the text. Default none.
	Meter Meter
	// MaxSeries is how many series a metric may have. Default 10,000.
	MaxSeries int
	// Now tells the time for what is read at most once a second. Default time.Now.
	Now func() time.Time
}

// Telemetry is what one Drover tells of itself. All methods may be called on
// nil, and do nothing then. They are safe for concurrent use.
type Telemetry struct {
	opts Options

	mu      sync.Mutex
	names   map[string]*family
	readers []*reader
	stops   []func() // of what the Meter reads
	started atomic.Bool
	closed  bool
}

// New returns one without metrics.
func New(o Options) *Telemetry {
	o.MaxSeries = cmp.Or(o.MaxSeries, 10_000)
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Telemetry{opts: o, names: map[string]*family{}}
}

// Counter returns the counter of that name, which it makes where there is none.
// A name stands for one metric: it panics where another one has it.
func (t *Telemetry) Counter(name, help string, labels ...string) *Counter {
	f := t.family(Metric{Name: name, Help: help, Kind: CounterKind, Labels: labels})
	return (*Counter)(f)
}

// Gauge returns the gauge of that name, as Counter does. What can be looked up is
// better read, see Read.
func (t *Telemetry) Gauge(name, help string, labels ...string) *Gauge {
	f := t.family(Metric{Name: name, Help: help, Kind: GaugeKind, Labels: labels})
	return (*Gauge)(f)
}

// Histogram returns the histogram of that name, as Counter does. Without
// buckets it has [Durations].
func (t *Telemetry) Histogram(name, help string, buckets []float64, labels ...string) *Histogram {
	if buckets == nil {
		buckets = Durations
	}
	f := t.family(Metric{Name: name, Help: help, Kind: HistogramKind, Labels: labels, Buckets: buckets})
	return (*Histogram)(f)
}

// family returns the family of a metric that is counted here; nil on nil.
func (t *Telemetry) family(m Metric) *family {
	if t == nil {
		return nil
	}
	m.check()
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.names[m.Name]; f != nil {
		if f.all == nil || !f.Metric.same(m) {
			panic(fmt.Sprintf("telemetry: two metrics have the name %q", m.Name))
		}
		return f
	}
	f := newFamily(m, t.opts.MaxSeries)
	t.names[m.Name] = f
	t.forward(f)
	return f
}

// Read registers metrics whose values are read when somebody asks. read reports
// each value; it is called by one goroutine at a time, at most once in every
// (0: each time somebody asks), not before Start and not after Close. It panics
// where a name is taken.
func (t *Telemetry) Read(every time.Duration, read func(ctx context.Context, r *Report), all ...Metric) {
	t.register(&reader{read: read, every: every}, all)
}

func (t *Telemetry) register(r *reader, all []Metric) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, m := range all {
		m.check()
		if t.names[m.Name] != nil {
			panic(fmt.Sprintf("telemetry: two metrics have the name %q", m.Name))
		}
		t.names[m.Name] = &family{Metric: m}
	}
	r.metrics, r.now, r.started = all, t.opts.Now, &t.started
	t.readers = append(t.readers, r)
	t.forwardRead(r)
}

// Start lets what was registered be read: when all is there that it needs.
func (t *Telemetry) Start() {
	if t != nil {
		t.started.Store(true)
	}
}

// Metrics returns what there is, by name.
func (t *Telemetry) Metrics() []Metric {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]Metric, 0, len(t.names))
	for _, f := range t.names {
		all = append(all, f.Metric)
	}
	slices.SortFunc(all, func(a, b Metric) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Close ends reading: what domains report on demand is theirs no more. What was
// counted can still be read.
func (t *Telemetry) Close() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	readers, stops := t.readers, t.stops
	t.readers, t.stops, t.closed = nil, nil, true
	t.mu.Unlock()
	for _, stop := range stops {
		stop()
	}
	for _, r := range readers {
		r.end()
	}
	return nil
}
