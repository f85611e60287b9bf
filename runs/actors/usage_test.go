package actors

import (
	"math"
	"runtime"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/child"
)

func TestUsageIsMeasured(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	m := newMeter(begun)
	half := time.Duration(runtime.NumCPU()) * time.Second / 2
	m.sample(begun.Add(time.Second), child.Usage{Memory: 100, Peak: 100, CPU: half})
	if u := m.sample(begun.Add(2*time.Second), child.Usage{Memory: 300, Peak: 400, CPU: half}); u != (Usage{
		MemoryNow: 300, MemoryMax: 400, MemoryAvg: 200, CPUNow: 0, CPUMax: 50, CPUAvg: 25, CPUTime: half, Measured: 2 * time.Second,
	}) {
		t.Errorf("%+v", u)
	}
	ended := m.end(begun.Add(2*time.Second), child.Usage{Peak: 400, CPU: 2 * half})
	if ended != (Usage{MemoryMax: 400, MemoryAvg: 200, CPUMax: 50, CPUAvg: 50, CPUTime: 2 * half, Measured: 2 * time.Second}) {
		t.Errorf("%+v", ended)
	}
	both := ended.and(Usage{MemoryMax: 100, MemoryAvg: 100, CPUMax: 10, CPUAvg: 10, CPUTime: half, Measured: 6 * time.Second})
	if both.MemoryMax != 400 || both.MemoryAvg != 125 || both.CPUMax != 50 || math.Abs(both.CPUAvg-20) > 1e-9 || both.CPUTime != 3*half || both.Measured != 8*time.Second {
		t.Errorf("%+v", both)
	}
	short := newMeter(begun).end(begun, child.Usage{Peak: 50, CPU: time.Millisecond})
	if short.MemoryAvg != 50 || short.CPUAvg != 0 {
		t.Errorf("%+v", short)
	}
}
