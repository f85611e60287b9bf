package process

import (
	"cmp"
	"errors"
	"fmt"
	"syscall"

	"github.com/drover-go/drover/internal/child"
)

// Stop ends the process and waits until nothing is left of it. It is asked to
// leave, and killed when it takes too long.
func (p *Process) Stop() {
	p.mu.Lock()
	p.stopping = true
	p.mu.Unlock()
	p.cancelRoot()
	if p.away != nil {
		p.away.cut(p.wire)
	} else if e := p.child.Stop(nil); e.Cause == child.Stopped && e.Reason == nil && e.Signal != 0 {
		p.log.Warn("chrome: the browser does not leave and is killed")
	}
	<-p.gone
}

// kill ends the process at once and waits until nothing is left of it. Its
// sessions see it die of the cause.
func (p *Process) kill(cause error) {
	p.cut(cause)
	<-p.gone
}

// cut is kill for those whom the process waits for in its turn.
func (p *Process) cut(cause error) {
	p.fail(cause)
	if p.away != nil {
		p.away.cut(p.wire)
		return
	}
	p.child.Kill(cause)
}

// watch sees the process end. Its sessions hear of that at once, and need not wait
// for the end of what it has left.
func (p *Process) watch() {
	<-p.exited
	died := p.end(exit(p.child.Exit()))
	e := p.child.Wait()
	if died != nil {
		p.log.Error("chrome: the browser died", "error", died, "output", e.Tail)
	}
	p.asking.Wait()
	p.opts.Metrics.ended(!errors.Is(p.Why(), ErrStopped))
	close(p.gone)
}

// exit says how the main process has ended.
func exit(code int, s syscall.Signal) error {
	if s != 0 {
		return fmt.Errorf("signal: %s", s)
	}
	return fmt.Errorf("exit status %d", code)
}

// ErrStopped is the end of a browser that was asked for.
var ErrStopped = errors.New("the browser was stopped")

// end says why the process has ended, unless it was killed and that is known. It
// returns the cause of an end that nobody asked for.
func (p *Process) end(exit error) (died error) {
	p.mu.Lock()
	if !p.stopping && p.cause == nil {
		died = p.unasked(exit)
	}
	p.mu.Unlock()
	p.fail(cmp.Or(died, ErrStopped))
	return died
}

// fail tells every session that its browser ends, and why. The first cause
// counts.
func (p *Process) fail(cause error) {
	p.mu.Lock()
	if p.cause != nil {
		p.mu.Unlock()
		return
	}
	p.cause = cause
	close(p.failed)
	sessions := p.sessions
	p.sessions = nil
	p.mu.Unlock()
	for _, s := range sessions {
		s.Die(cause)
	}
}

// Why is the cause of its end, which has come.
func (p *Process) Why() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.cause, ErrStopped)
}

// unasked is the cause of an end that nobody asked for.
func (p *Process) unasked(exit error) error {
	if p.away != nil {
		return fmt.Errorf("the connection to the remote browser at %s was lost (%w)", p.away, exit)
	}
	return fmt.Errorf("the browser's process ended unasked (%w)", exit)
}

// Alive reports whether sessions can still be opened on the process.
func (p *Process) Alive() bool {
	select {
	case <-p.exited:
		return false
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause == nil && !p.stopping
}
