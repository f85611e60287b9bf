package telemetry

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// other is the value of all labels of what goes beyond the limit of series.
const other = "other"

// key are the values of the labels of a series.
type key [MaxLabels]string

// family is a metric and its series. Of one that is read on demand all is nil.
type family struct {
	Metric
	most int

	mu  sync.RWMutex
	all map[key]*series

	// record tells a Meter of each value of a histogram; nil for none.
	record func(value float64, labels []string)
}

// series are the numbers of one combination of labels.
type series struct {
	labels  []string
	value   number          // the sum of a histogram
	buckets []atomic.Uint64 // how many fell into each, and into none
}

func newFamily(m Metric, most int) *family {
	f := &family{Metric: m, most: most, all: map[key]*series{}}
	if len(m.Labels) == 0 {
		f.at(nil) // it is there from the start, and 0
	}
	return f
}

// at returns the series of the labels. It allocates for a new one only.
func (f *family) at(labels []string) *series {
	if len(labels) != len(f.Labels) {
		panic(fmt.Sprintf("telemetry: %s has %d labels, not %d", f.Name, len(f.Labels), len(labels)))
	}
	var k key
	copy(k[:], labels)
	f.mu.RLock()
	s := f.all[k]
	f.mu.RUnlock()
	if s == nil {
		s = f.add(k)
	}
	return s
}

func (f *family) add(k key) *series {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.all[k]; s != nil {
		return s
	}
	if len(f.all) >= f.most {
		k = key{}
		for i := range f.Labels {
			k[i] = other
		}
		if s := f.all[k]; s != nil {
			return s
		}
	}
	s := &series{labels: slices.Clone(k[:len(f.Labels)])}
	if f.Kind == HistogramKind {
		s.buckets = make([]atomic.Uint64, len(f.Buckets)+1)
	}
	f.all[k] = s
	return s
}

// list returns the series in the order of their labels.
func (f *family) list() []*series {
	f.mu.RLock()
	all := make([]*series, 0, len(f.all))
	for _, s := range f.all {
		all = append(all, s)
	}
	f.mu.RUnlock()
	slices.SortFunc(all, func(a, b *series) int { return slices.Compare(a.labels, b.labels) })
	return all
}

// Counter counts what has happened. Nil counts nothing.
type Counter family

// Add adds n, which is 0 or more. The labels are as many as those that the
// counter was made with, in their order.
func (c *Counter) Add(n float64, labels ...string) {
	if c != nil {
		(*family)(c).at(labels).value.add(n)
	}
}

// Inc adds 1.
func (c *Counter) Inc(labels ...string) { c.Add(1, labels...) }

// Gauge is how many there are of something. Nil counts nothing.
type Gauge family

// Add adds n, which may be below 0. The labels are as in Counter.Add.
func (g *Gauge) Add(n float64, labels ...string) {
	if g != nil {
		(*family)(g).at(labels).value.add(n)
	}
}

// Histogram counts values by their size. Nil counts nothing.
type Histogram family

// Observe counts a value. The labels are as in Counter.Add.
func (h *Histogram) Observe(v float64, labels ...string) {
	if h == nil {
		return
	}
	s := (*family)(h).at(labels)
	i := 0
	for i < len(h.Buckets) && v > h.Buckets[i] {
		i++
	}
	s.buckets[i].Add(1)
	s.value.add(v)
	if h.record != nil {
		h.record(v, s.labels)
	}
}

// Seconds counts a time.
func (h *Histogram) Seconds(d time.Duration, labels ...string) { h.Observe(d.Seconds(), labels...) }

// number is a float64 to which several goroutines add.
type number struct{ bits atomic.Uint64 }

func (n *number) add(v float64) {
	for {
		old := n.bits.Load()
		if n.bits.CompareAndSwap(old, math.Float64bits(math.Float64frombits(old)+v)) {
			return
		}
	}
}

func (n *number) get() float64 { return math.Float64frombits(n.bits.Load()) }
