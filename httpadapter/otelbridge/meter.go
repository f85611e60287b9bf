package otelbridge

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/drover-go/drover"
)

// Meter returns what drover.Options.Meter wants. The metrics have the names that
// docs/observability.md lists, their units besides. Those of the process are left
// out: hosts have instrumentation for it. An instrument that the MeterProvider
// refuses is left out, too, and its error goes to failed; nil ignores it.
func Meter(p metric.MeterProvider, failed func(error)) drover.Meter {
	if failed == nil {
		failed = func(error) {}
	}
	return meter{p.Meter(scope), failed}
}

type meter struct {
	of     metric.Meter
	failed func(error)
}

func (m meter) Histogram(name, help string, buckets []float64, names []string) func(float64, []string) {
	h, err := m.of.Float64Histogram(name, metric.WithDescription(help), metric.WithUnit(unitOf(name)), metric.WithExplicitBucketBoundaries(buckets...))
	if err != nil {
		m.failed(err)
		return func(float64, []string) {}
	}
	return func(v float64, labels []string) {
		h.Record(context.Background(), v, metric.WithAttributeSet(attributes(names, labels)))
	}
}

// instrument is one that is read.
type instrument struct {
	metric.Float64Observable
	labels []string
}

func (m meter) Observe(all []drover.Observed, read func(context.Context, func(string, float64, []string))) (stop func()) {
	byName := map[string]instrument{}
	var observed []metric.Observable
	for _, d := range all {
		o, err := m.observable(d)
		if err != nil {
			m.failed(err)
			continue
		}
		byName[d.Name] = instrument{o, d.Labels}
		observed = append(observed, o)
	}
	r, err := m.of.RegisterCallback(func(ctx context.Context, o metric.Observer) error {
		read(ctx, func(name string, v float64, labels []string) {
			if i, ok := byName[name]; ok {
				o.ObserveFloat64(i.Float64Observable, v, metric.WithAttributeSet(attributes(i.labels, labels)))
			}
		})
		return nil
	}, observed...)
	if err != nil {
		m.failed(err)
		return func() {}
	}
	return func() {
		if err := r.Unregister(); err != nil {
			m.failed(err)
		}
	}
}

func (m meter) observable(d drover.Observed) (metric.Float64Observable, error) {
	if d.Counter {
		return m.of.Float64ObservableCounter(d.Name, metric.WithDescription(d.Help), metric.WithUnit(unitOf(d.Name)))
	}
	return m.of.Float64ObservableGauge(d.Name, metric.WithDescription(d.Help), metric.WithUnit(unitOf(d.Name)))
}

func attributes(names, values []string) attribute.Set {
	all := make([]attribute.KeyValue, len(names))
	for i, name := range names {
		all[i] = attribute.String(name, values[i])
	}
	return attribute.NewSet(all...)
}

// unitOf is the unit that the end of a name says, as OpenTelemetry writes it.
func unitOf(name string) string {
	switch name = strings.TrimSuffix(name, "_total"); {
	case strings.HasSuffix(name, "_seconds"):
		return "s"
	case strings.HasSuffix(name, "_bytes"):
		return "By"
	}
	return "1"
}
