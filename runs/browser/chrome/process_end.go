package chrome

import (
	"cmp"
	"errors"
	"fmt"
	"os"
)

// stop ends the process and waits until nothing is left of it. Closing the
// pipe is Chromium's sign to leave; it is killed when it takes too long.
func (p *process) stop() {
	p.mu.Lock()
	p.stopping = true
	p.mu.Unlock()
	p.cancelRoot()
	timer := p.opts.Clock.NewTimer(p.opts.Timeouts.Close)
	defer timer.Stop()
	select {
	case <-p.exited:
	case <-timer.C():
		p.log.Warn("chrome: the browser does not leave and is killed")
		p.cut()
	}
	<-p.gone
}

// kill ends the process at once and waits until nothing is left of it. Its
// sessions see it die of the cause.
func (p *process) kill(cause error) {
	p.fail(cause)
	p.cut()
	<-p.gone
}

// cut ends the process, or the connection to a browser that runs elsewhere.
func (p *process) cut() {
	if p.away != nil {
		p.away.cut(p.wire)
		return
	}
	killGroup(p.cmd)
}

// watch sees the process end and removes what is left of it.
func (p *process) watch() {
	err := p.cmd.Wait()
	close(p.exited)
	p.end(err)
	killLeftovers(p.cmd, p.dir)
	p.asking.Wait()
	if p.opts.profile != "" {
		killLeftovers(p.cmd, p.opts.profile)
	}
	if err := os.RemoveAll(p.dir); err != nil {
		p.log.Warn("chrome: a profile cannot be removed", "dir", p.dir, "error", err)
	}
	close(p.gone)
}

var errStopped = errors.New("the browser was stopped")

// end says why the process has ended, unless it was killed and that is known.
func (p *process) end(exit error) {
	p.mu.Lock()
	cause, known := errStopped, p.cause != nil
	if !p.stopping && !known {
		cause = p.unasked(exit)
		p.log.Error("chrome: the browser died", "error", cause, "output", p.tail.String())
	}
	p.mu.Unlock()
	p.fail(cause)
}

// fail tells every session that its browser ends, and why. The first cause
// counts.
func (p *process) fail(cause error) {
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
		s.die(cause)
	}
}

// why is the cause of its end, which has come.
func (p *process) why() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return cmp.Or(p.cause, errStopped)
}

// unasked is the cause of an end that nobody asked for.
func (p *process) unasked(exit error) error {
	if p.away != nil {
		return fmt.Errorf("the connection to the remote browser at %s was lost (%w)", p.away, exit)
	}
	return fmt.Errorf("the browser's process ended unasked (%w)", cmp.Or(exit, errors.New("exit status 0")))
}

// alive reports whether sessions can still be opened on the process.
func (p *process) alive() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cause == nil && !p.stopping
}
