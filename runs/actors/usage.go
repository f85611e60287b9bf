package actors

import (
	"context"
	"encoding/json"
	"runtime"
	"sync"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/storage"
)

// Usage is what the processes of a run take, as far as it was measured. The names of its
// fields are stored.
type Usage struct {
	// MemoryNow is in bytes, and 0 where nothing is executed; MemoryMax and MemoryAvg
	// are those of all processes of the run.
	MemoryNow, MemoryMax, MemoryAvg int64
	// CPUNow, CPUMax and CPUAvg are in percent of the processors of this machine.
	CPUNow, CPUMax, CPUAvg float64
	// CPUTime is the time of processors.
	CPUTime time.Duration
	// Measured is how long the processes were there.
	Measured time.Duration
}

// and is what two processes have taken, one after the other.
func (u Usage) and(v Usage) Usage {
	share := func(a, b float64) float64 {
		if all := u.Measured + v.Measured; all > 0 {
			return (a*float64(u.Measured) + b*float64(v.Measured)) / float64(all)
		}
		return b
	}
	return Usage{
		MemoryNow: v.MemoryNow, MemoryMax: max(u.MemoryMax, v.MemoryMax), MemoryAvg: int64(share(float64(u.MemoryAvg), float64(v.MemoryAvg))),
		CPUNow: v.CPUNow, CPUMax: max(u.CPUMax, v.CPUMax), CPUAvg: share(u.CPUAvg, v.CPUAvg),
		CPUTime: u.CPUTime + v.CPUTime, Measured: u.Measured + v.Measured,
	}
}

// meter measures a process of a run.
type meter struct {
	mu      sync.Mutex
	begun   time.Time
	last    time.Time
	samples int64
	sum     float64 // of memory
	usage   Usage
}

func newMeter(now time.Time) *meter { return &meter{begun: now, last: now} }

// sample takes what a process takes now.
func (m *meter) sample(now time.Time, u child.Usage) Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := &m.usage
	if passed := now.Sub(m.last); passed > 0 {
		was.CPUNow = percent(u.CPU-was.CPUTime, passed)
	}
	m.samples, m.last, m.sum = m.samples+1, now, m.sum+float64(u.Memory)
	was.MemoryNow, was.MemoryMax, was.MemoryAvg = u.Memory, max(was.MemoryMax, u.Peak), int64(m.sum/float64(m.samples))
	was.CPUMax, was.CPUTime, was.Measured = max(was.CPUMax, was.CPUNow), max(was.CPUTime, u.CPU), now.Sub(m.begun)
	was.CPUAvg = percent(was.CPUTime, was.Measured)
	return *was
}

// end is what a process has taken that has ended.
func (m *meter) end(now time.Time, u child.Usage) Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	was := m.usage
	was.MemoryNow, was.CPUNow, was.MemoryMax = 0, 0, max(was.MemoryMax, u.Peak)
	if m.samples == 0 {
		was.MemoryAvg = u.Peak
	}
	was.CPUTime, was.Measured = max(was.CPUTime, u.CPU), now.Sub(m.begun)
	was.CPUAvg = percent(was.CPUTime, was.Measured)
	was.CPUMax = max(was.CPUMax, was.CPUAvg)
	return was
}

func (m *meter) now() Usage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.usage
}

func percent(took, passed time.Duration) float64 {
	if passed <= 0 {
		return 0
	}
	return min(100, max(0, 100*float64(took)/float64(passed)/float64(runtime.NumCPU())))
}

// overloaded is from how many percent on processors have too much to do.
const overloaded = 95

// systemInfo is what a process is told of itself.
func systemInfo(u Usage, at time.Time) []byte {
	return frame("systemInfo", at, struct {
		MemoryAvg  int64   `json:"memAvgBytes"`
		MemoryNow  int64   `json:"memCurrentBytes"`
		MemoryMax  int64   `json:"memMaxBytes"`
		CPUAvg     float64 `json:"cpuAvgUsage"`
		CPUMax     float64 `json:"cpuMaxUsage"`
		CPUNow     float64 `json:"cpuCurrentUsage"`
		Overloaded bool    `json:"isCpuOverloaded"`
		CreatedAt  string  `json:"createdAt"`
	}{u.MemoryAvg, u.MemoryNow, u.MemoryMax, u.CPUAvg, u.CPUMax, u.CPUNow, u.CPUNow >= overloaded, isoTime(at)})
}

// keepUsage writes down what a process has taken.
func (s *service) keepUsage(ctx context.Context, r runRow, u Usage) {
	err := s.conf.DB.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx *storage.Tx) error {
		now, err := findRun(ctx, tx, r.ID)
		if err != nil {
			return err
		}
		text, err := json.Marshal(now.Stats.Usage.and(u))
		if err != nil {
			return err
		}
		return setUsage(ctx, tx, r.ID, string(text))
	})
	if err != nil && !errtypes.Is(err, errtypes.Unavailable) {
		s.conf.Logger.Warn("actors: what a run has taken cannot be written down", "run", r.ID, "error", err)
	}
}
