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
