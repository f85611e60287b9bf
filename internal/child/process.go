package child

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// A Process is one child: its first process and all that comes of it.
type Process struct {
	m       *Manager
	spec    Spec
	id      string
	dir     string
	group   *group // nil where it has none
	proc    *os.Process
	out     *output
	books   books // of the one who looks
	started time.Time
	exited  chan struct{} // the first process has ended
	exit    exit          // how; set when exited is closed
	done    chan struct{} // nothing is left

	mu      sync.Mutex
	cause   Cause // why it is being ended; empty while nobody does
	reason  error
	asked   bool
	reaped  bool // its number can be another's
	timers  []clock.Timer
	usage   Usage
	outcome End // set when done is closed
}

func newProcess(m *Manager, s Spec, id string) *Process {
	return &Process{
		m: m, spec: s, id: id, dir: filepath.Join(m.work.Path(), id), started: m.opts.Clock.Now(),
		exited: make(chan struct{}), done: make(chan struct{}),
	}
}

// ID names the child among those of its host.
func (p *Process) ID() string { return p.id }

// PID is the number of its first process. It can be another's once Exited is
// closed.
func (p *Process) PID() int { return p.proc.Pid }

// Dir is the directory that is its own; it goes with it.
func (p *Process) Dir() string { return p.dir }

// Tail is the end of what it has printed, 4 KiB at most.
func (p *Process) Tail() string { return p.out.tail.String() }

// Usage is what it took when it was last looked.
func (p *Process) Usage() Usage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.usage
}

// Exited is closed when the first process has ended; what it left is being
// ended then.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Exit says how the first process has ended, as [End] does. It is known once
// Exited is closed.
func (p *Process) Exit() (code int, s syscall.Signal) { return p.exit.code, p.exit.signal }

// Done is closed when nothing is left of the child, its output is delivered and
// its directory removed.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits for Done and says how the child ended.
func (p *Process) Wait() End {
	<-p.done
	return p.outcome
}

// Stop asks the child to leave, kills it after its grace and waits until nothing
// is left. The reason is for the [End]; nil for none.
func (p *Process) Stop(reason error) End {
	p.end(Stopped, reason)
	return p.Wait()
}

// Kill kills the child at once and waits until nothing is left.
func (p *Process) Kill(reason error) End {
	p.kill(Stopped, reason)
	return p.Wait()
}

// Signal sends a signal to the first process. It fails when that has ended.
func (p *Process) Signal(s os.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return os.ErrProcessDone
	}
	return p.proc.Signal(s)
}

// decide sets the cause, unless there is one or the child has ended by itself.
func (p *Process) decide(cause Cause, reason error) {
	select {
	case <-p.exited:
		return
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cause == "" {
		p.cause, p.reason = cause, reason
	}
}

// end asks the child to leave, once, and sees to it that it is killed where it
// does not. It does not wait.
func (p *Process) end(cause Cause, reason error) {
	p.decide(cause, reason)
	if p.spec.Grace < 0 {
		p.cut()
		return
	}
	if !p.ask() {
		return
	}
	if p.spec.Ask != nil {
		p.spec.Ask()
		return
	}
	if p.Signal(syscall.SIGTERM) != nil {
		p.cut() // a system without this signal, or the end has come
	}
}

// ask reports whether it is the first to ask; the grace begins then.
func (p *Process) ask() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked || p.reaped {
		return false
	}
	p.asked = true
	p.timers = append(p.timers, p.m.opts.Clock.AfterFunc(p.spec.Grace, p.cut))
	return true
}

// kill ends the child at once. It does not wait.
func (p *Process) kill(cause Cause, reason error) {
	p.decide(cause, reason)
	p.cut()
}

// cut kills the first process and its group, while their numbers are theirs;
// watch then ends what is left.
func (p *Process) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reaped {
		return
	}
	p.group.kill()
	killGroup(p.proc)
}

// limitTime begins the time that the child has.
func (p *Process) limitTime() {
	if p.spec.Limits.Time == 0 {
		return
	}
	timer := p.m.opts.Clock.AfterFunc(p.spec.Limits.Time, func() { p.end(TimeLimit, nil) })
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timers = append(p.timers, timer)
	if p.reaped {
		timer.Stop()
	}
}
