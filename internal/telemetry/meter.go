package telemetry

import "context"

// Meter is drover.Meter, which says what is wanted of it: hosts cannot name what is
// here.
type Meter interface {
	Histogram(name, help string, buckets []float64, labels []string) (record func(value float64, labels []string))
	Observe(all []Observed, read func(ctx context.Context, report func(name string, value float64, labels []string))) (stop func())
}

// Observed is drover.Observed: a counter or a gauge.
type Observed = struct {
	Name, Help string
	Counter    bool
	Labels     []string
}

// forward tells the Meter of a metric that is counted here. The lock is held.
func (t *Telemetry) forward(f *family) {
	switch {
	case t.opts.Meter == nil || t.closed:
	case f.Kind == HistogramKind:
		f.record = t.opts.Meter.Histogram(f.Name, f.Help, f.Buckets, f.Labels)
	default:
		t.stops = append(t.stops, t.opts.Meter.Observe(observed(f.Metric), func(_ context.Context, report func(string, float64, []string)) {
			for _, s := range f.list() {
				report(f.Name, s.value.get(), s.labels)
			}
		}))
	}
}

// forwardRead tells the Meter of metrics that are read. The lock is held.
func (t *Telemetry) forwardRead(r *reader) {
	if t.opts.Meter == nil || t.closed || r.alone {
		return
	}
	t.stops = append(t.stops, t.opts.Meter.Observe(observed(r.metrics...), func(ctx context.Context, report func(string, float64, []string)) {
		for _, s := range r.get(ctx) {
			report(s.name, s.value, s.labels)
		}
	}))
}

func observed(metrics ...Metric) (all []Observed) {
	for _, m := range metrics {
		all = append(all, Observed{Name: m.Name, Help: m.Help, Counter: m.Kind == CounterKind, Labels: m.Labels})
	}
	return all
}
