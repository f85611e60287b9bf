package telemetry

import "fmt"

// Kind is what sort of numbers a metric has.
type Kind uint8

// The kinds. A counter only grows, a gauge goes up and down, a histogram counts
// values by their size.
const (
	CounterKind Kind = iota
	GaugeKind
	HistogramKind
)

// String returns the name that Prometheus has for the kind.
func (k Kind) String() string { return [...]string{"counter", "gauge", "histogram"}[k] }

// Metric describes a metric.
type Metric struct {
	// Name is that of Prometheus: drover_ in front, the unit (_seconds, _bytes) at
	// its end, and _total behind the unit of a counter.
	Name string
	// Help says in one line what it is.
	Help string
	Kind Kind
	// Labels are the names of its labels, at most MaxLabels.
	Labels []string
	// Buckets are the upper bounds of a histogram, from small to large.
	Buckets []float64
}

// MaxLabels is how many labels a metric may have.
const MaxLabels = 4

// Durations are buckets for what takes from a millisecond to minutes, in seconds.
var Durations = []float64{.001, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300}

// same reports whether two descriptions are of one metric.
func (m Metric) same(o Metric) bool {
	if m.Kind != o.Kind || len(m.Labels) != len(o.Labels) || len(m.Buckets) != len(o.Buckets) {
		return false
	}
	for i := range m.Labels {
		if m.Labels[i] != o.Labels[i] {
			return false
		}
	}
	return true
}

func (m Metric) check() {
	if m.Name == "" || m.Help == "" || len(m.Labels) > MaxLabels {
		panic(fmt.Sprintf("telemetry: the metric %q has no name or help, or more than %d labels", m.Name, MaxLabels))
	}
}
