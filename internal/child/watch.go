package child

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// watch sees the first process end, ends the rest, and removes what is left.
func (p *Process) watch() {
	reap := p.awaitExit()
	if p.group.ranOut() {
		p.decide(MemoryLimit, nil)
	}
	close(p.exited)
	unended := p.endRest()
	state, err := p.reap(reap)
	p.out.finish()
	if unended > 0 {
		p.m.opts.Logger.Error("child: processes cannot be ended", "child", p.id, "program", filepath.Base(p.spec.Path), "processes", unended)
	}
	if err := p.removeFiles(); err != nil {
		p.m.opts.Logger.Warn("child: a directory cannot be removed", "dir", p.dir, "error", err)
	}
	p.conclude(state, err, unended)
	close(p.done)
	p.m.leave(p)
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
	return take()
}

// conclude makes the End.
func (p *Process) conclude(state *os.ProcessState, err error, unended int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if state != nil {
		p.usage.CPU = max(p.usage.CPU, state.UserTime()+state.SystemTime())
	}
	e := End{
		Code: -1, Reason: p.reason, Unended: unended, Started: p.started, Ended: p.m.opts.Clock.Now(),
		Usage: p.usage, Tail: p.Tail(),
	}
	e.Signal = signalOf(state)
	if state != nil && e.Signal == 0 {
		e.Code = state.ExitCode()
	}
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
