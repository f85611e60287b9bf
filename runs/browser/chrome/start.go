package chrome

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/drover-go/drover/errtypes"
)

// starting is a process being started, which several calls may wait for.
type starting struct {
	done chan struct{}
	err  error
}

// process returns the running process, started if there is none. A start
// outlives the call that asked for it, since others may wait for it as well.
func (p *Provider) process(ctx context.Context) (*process, error) {
	for {
		p.mu.Lock()
		switch {
		case p.closed:
			p.mu.Unlock()
			return nil, errProviderClosed
		case p.proc != nil && p.proc.alive():
			defer p.mu.Unlock()
			return p.proc, nil
		case p.proc != nil:
			p.retire()
		}
		if p.start == nil {
			p.start = &starting{done: make(chan struct{})}
			p.ending.Go(p.launch)
		}
		start := p.start
		p.mu.Unlock()

		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-start.done:
			if start.err != nil {
				return nil, start.err
			}
		}
	}
}

// launch starts a process and makes it the current one.
func (p *Provider) launch() {
	ctx, cancel := context.WithCancelCause(p.life)
	defer cancel(nil)
	timer := p.opts.Clock.AfterFunc(p.opts.Timeouts.Start, func() {
		cancel(fmt.Errorf("the browser did not answer within %s", p.opts.Timeouts.Start))
	})
	defer timer.Stop()
	dir, deny, err := p.room()
	var proc *process
	if err == nil {
		proc, err = p.startOne(ctx, dir, deny)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.start.err = err
	close(p.start.done)
	p.start = nil
	if err != nil {
		return
	}
	p.proc = proc
	if p.closed {
		p.retire()
		return
	}
	p.startIdle() // whoever asked may have given up
}

// startOne starts a browser, or connects to the one that runs elsewhere.
func (p *Provider) startOne(ctx context.Context, dir, deny string) (*process, error) {
	if p.opts.RemoteURL != "" {
		return connectRemote(ctx, p.opts, dir)
	}
	path, err := findExec(p.opts.ExecPath)
	if err != nil {
		return nil, err
	}
	return startProcess(ctx, p.opts, path, dir, deny)
}

// room returns a directory for the next process and the address of the proxy
// that refuses everything, both made on the first call.
func (p *Provider) room() (dir, deny string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.work == nil {
		if p.work, err = newWorkdir(p.opts.TempDir); err != nil {
			return "", "", errtypes.New(errtypes.Unavailable, "no directory can be made for the browser").WithCause(err)
		}
	}
	if p.deny == nil {
		if p.deny, err = newDenyProxy(); err != nil {
			return "", "", errtypes.New(errtypes.Unavailable, "no port is free for the browser's proxy").WithCause(err)
		}
	}
	p.counter++
	return filepath.Join(p.work.Path(), fmt.Sprint(p.counter)), p.deny.addr(), nil
}

// startIdle begins the wait for the end of a process that nobody uses;
// stopIdle breaks it off. The lock is held.
func (p *Provider) startIdle() {
	if p.proc == nil || p.closed || len(p.open) > 0 || p.idle != nil {
		return
	}
	proc := p.proc
	p.idle = p.opts.Clock.AfterFunc(max(p.opts.Timeouts.Idle, 0), func() { p.endIdle(proc) })
}

func (p *Provider) stopIdle() {
	if p.idle != nil {
		p.idle.Stop()
		p.idle = nil
	}
}

func (p *Provider) endIdle(proc *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.proc != proc || len(p.open) > 0 || p.closed {
		return
	}
	p.idle = nil
	p.retire()
}

// retire takes the current process out of use and ends it in the background,
// with the spare sessions in it. The lock is held.
func (p *Provider) retire() {
	proc := p.proc
	p.proc = nil
	p.dropSpares()
	p.ending.Go(proc.stop)
}

// abandon ends a process that does not answer any more, as the cause says.
func (p *Provider) abandon(proc *process, cause error) {
	p.mu.Lock()
	if p.proc == proc {
		p.proc = nil
		p.dropSpares()
	}
	p.mu.Unlock()
	proc.kill(cause)
}
