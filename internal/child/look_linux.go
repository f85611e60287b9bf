package child

import (
	"context"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"github.com/drover-go/drover/internal/clock"
)

// look looks at the processes of all children, for limits and measures, for as
// long as there are children.
func (m *Manager) look(ctx context.Context) {
	var measured time.Time
	for ctx.Err() == nil {
		all := m.running()
		if len(all) == 0 {
			select {
			case <-m.arrived:
				measured = m.opts.Clock.Now() // what has just begun is soon another size
			case <-ctx.Done():
			}
			continue
		}
		begun := m.opts.Clock.Now()
		due := begun.Sub(measured) >= m.opts.Measure
		if due {
			measured = begun
		}
		took := m.lookOnce(all, due)
		_ = clock.Sleep(ctx, m.opts.Clock, max(m.opts.Every, restTimes*took))
	}
}

// lookOnce takes the figures of children and ends those that are over a limit. It
// returns what it took of a processor: on a busy machine that is far less than
// the time that went by, and limits are to hold there, too.
func (m *Manager) lookOnce(all []*Process, measure bool) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begun := threadTime()
	found := m.family.look(m.roots, false)
	for _, p := range all {
		if cause := p.take(found[p.dir], measure); cause != "" {
			p.kill(cause, nil)
		}
	}
	return threadTime() - begun
}

// threadTime is the time of processors that this thread has taken.
func threadTime() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano())
}

// take counts what a child has, and returns the limit that it is over.
func (p *Process) take(procs []proc, measure bool) Cause {
	p.count(procs)
	memory, measured := p.memoryOf(procs, measure)
	p.mu.Lock()
	if measured {
		p.usage.Memory, p.usage.Peak = memory, max(p.usage.Peak, memory)
	}
	u, l := p.usage, p.spec.Limits
	p.mu.Unlock()
	if measured && p.spec.Measured != nil {
		p.spec.Measured(u)
	}
	switch {
	case l.Memory > 0 && (p.group.ranOut() || measured && memory > l.Memory):
		return MemoryLimit
	case l.CPUTime > 0 && u.CPU > l.CPUTime:
		return CPULimit
	case l.Processes > 0 && (u.Processes > l.Processes || p.group.crowded()):
		return ProcessLimit
	}
	return ""
}

// count takes the number of processes and the time of processors.
func (p *Process) count(procs []proc) {
	living := 0
	for _, q := range procs {
		if !q.zombie {
			living++
		}
	}
	cpu, known := p.group.cpu()
	if !known {
		cpu = p.books.cpu(procs)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.usage.Processes, p.usage.MostProcesses = living, max(p.usage.MostProcesses, living)
	p.usage.CPU = max(p.usage.CPU, cpu)
}

// memoryOf measures the memory where that is due, or where the limit may have
// been passed: resident memory, which is quick to read, is never less than the
// share of it.
func (p *Process) memoryOf(procs []proc, due bool) (bytes int64, measured bool) {
	if bytes, ok := p.group.memory(); ok {
		return bytes, true
	}
	var resident int64
	for _, q := range procs {
		resident += q.resident
	}
	limit := p.spec.Limits.Memory
	if !due && !p.unmeasured() && (limit == 0 || resident <= limit) {
		return 0, false
	}
	for _, q := range procs {
		share, ok := readShare(q.pid)
		if !ok {
			share = q.resident
		}
		bytes += share
	}
	return bytes, len(procs) > 0
}

func (p *Process) unmeasured() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.usage.Memory == 0
}

// books are the times of processors of processes, as last seen.
type books struct {
	last map[key]entry
	// lost is the time of those that have gone, and whose parents were not the
	// child's: others count what those they wait for have taken.
	lost time.Duration
}

type entry struct {
	cpu  time.Duration
	ppid int
}

// cpu is the time of all processes that there were. What began and ended between
// two looks is counted where it was waited for.
func (b *books) cpu(procs []proc) time.Duration {
	now, mine := make(map[key]entry, len(procs)), map[int]bool{}
	var sum time.Duration
	for _, p := range procs {
		now[p.key] = entry{p.cpu, p.ppid}
		mine[p.pid] = true
		sum += p.cpu
	}
	for k, e := range b.last {
		if _, lives := now[k]; !lives && !mine[e.ppid] {
			b.lost += e.cpu
		}
	}
	b.last = now
	return sum + b.lost
}
