package child

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// watch sees the first process end, ends the rest, and removes what is left.
func (p *Process) watch() {
	reap, how := p.awaitExit()
	if p.spec.Limits.Memory > 0 && p.group.ranOut() {
		p.decide(MemoryLimit, nil)
	}
	p.exit = how
	close(p.exited)
	unended := p.endRest()
	overDisk := how.code == 0 && p.overDisk()
	state, err := p.reap(reap)
	p.out.finish()
	if unended > 0 {
		p.m.opts.Logger.Error("child: processes cannot be ended", "child", p.id, "program", filepath.Base(p.spec.Path), "processes", unended)
	}
	if err := p.removeFiles(); err != nil {
		p.m.opts.Logger.Warn("child: a directory cannot be removed", "dir", p.dir, "error", err)
	}
	p.conclude(state, err, unended)
	if overDisk && p.outcome.Cause == Exited {
		p.outcome.Cause = DiskLimit
	}
	close(p.done)
	p.m.leave(p)
}

// An exit is how a first process has ended.
type exit struct {
	code   int // -1 where a signal has ended it, or it is not known
	signal syscall.Signal
}

// exitOf is the exit that a process was reaped with.
func exitOf(s *os.ProcessState) exit {
	e := exit{-1, signalOf(s)}
	if s != nil && e.signal == 0 {
		e.code = s.ExitCode()
	}
	return e
}

// reap takes the first process's end from the system, which can give its number
// to another from then on.
func (p *Process) reap(take func() (*os.ProcessState, error)) (*os.ProcessState, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reaped = true
	for _, t := range p.timers {
		t.Stop()
	}
	return p.m.firsts.reap(p.proc.Pid, take)
}

// conclude makes the End.
func (p *Process) conclude(state *os.ProcessState, err error, unended int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if state != nil {
		p.usage.CPU = max(p.usage.CPU, state.UserTime()+state.SystemTime())
	}
	e := End{
		Reason: p.reason, Unended: unended, Started: p.started, Ended: p.m.opts.Clock.Now(),
		Usage: p.usage, Tail: p.Tail(),
	}
	how := exitOf(state)
	e.Code, e.Signal = how.code, how.signal
	e.Cause = cmp.Or(p.cause, Exited)
	if p.cause == "" && e.Signal != 0 {
		e.Cause = Signaled
	}
	if err != nil { // the host has taken the end away
		e.Reason = errors.Join(e.Reason, err)
	}
	p.outcome = e
}

// removeFiles removes the directory, also where the child has taken away the
// right to.
func (p *Process) removeFiles() error {
	err := os.RemoveAll(p.dir)
	if errors.Is(err, fs.ErrPermission) {
		_ = filepath.WalkDir(p.dir, func(path string, e fs.DirEntry, err error) error {
			if e != nil && e.IsDir() && err == nil {
				return os.Chmod(path, 0o700)
			}
			return nil
		})
		err = os.RemoveAll(p.dir)
	}
	return errors.Join(err, p.releaseUser())
}
