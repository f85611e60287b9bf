package functions

import (
	"slices"
	"testing"
	"time"
)

// BenchmarkInvoke is from Invoke to COMPLETED of a Go function without a browser,
// one at a time, on a database in a file. Goal: p50 at most 3 ms.
func BenchmarkInvoke(b *testing.B) {
	w := start(b, setup{dir: b.TempDir(), functions: []Definition{Func("f", nothing, FuncOptions{})}, unheard: true})
	w.do(b, "f", Invoke{}) // the workers run now
	var times []time.Duration
	for b.Loop() {
		from := time.Now()
		inv := w.do(b, "f", Invoke{})
		times = append(times, time.Since(from))
		if inv.Status != Completed {
			b.Fatal(inv.Cause)
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
}

// BenchmarkInvokeUntold is what webhooks cost an invocation where the project has none: two
// hosts, of which one knows of none, invoke in turns.
func BenchmarkInvokeUntold(b *testing.B) {
	o := setup{functions: []Definition{Func("f", nothing, FuncOptions{})}, unheard: true}
	var hosts [2]*working
	for i := range hosts {
		o.dir = b.TempDir()
		hosts[i] = start(b, o)
	}
	hosts[1].conf.Webhooks = nil
	var times [2][]time.Duration
	for n := 0; b.Loop(); n++ {
		for i := range hosts {
			i = (i + n) % 2
			from := time.Now()
			hosts[i].do(b, "f", Invoke{})
			times[i] = append(times[i], time.Since(from))
		}
	}
	middle := func(all []time.Duration) float64 {
		slices.Sort(all)
		return float64(all[len(all)/2].Microseconds())
	}
	with, without := middle(times[0]), middle(times[1])
	b.ReportMetric(with/1000, "with-ms")
	b.ReportMetric(without/1000, "without-ms")
	b.ReportMetric(with/without, "ratio")
}
