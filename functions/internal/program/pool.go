package program

import (
	"context"
	"errors"
	"sync"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/functions/internal/runtime"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
)

// Pool has the processes of all versions. Close it.
type Pool struct {
	conf Config

	mu      sync.Mutex
	closed  bool
	all     map[*process]struct{} // starting ones, too
	idle    []*process            // the least recently used first
	changed chan struct{}         // closed and replaced when a process has become idle or has ended
	waiting int                   // callers that wait for that
	leaving int                   // idle processes that are being ended to make room for them
	living  sync.WaitGroup
}

// New returns a pool without processes. Error kind Invalid for a config that lacks
// something.
func New(c Config) (*Pool, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	return &Pool{conf: c.withDefaults(), all: map[*process]struct{}{}, changed: make(chan struct{})}, nil
}

var errClosed = errtypes.New(errtypes.Unavailable, "the service is closing")

// Log is told each line that a process prints during an invocation, one at a time
// and in order. All of them come before Do returns.
type Log func(child.Line)

// Do has a process of the version handle an invocation: a warm one, or a new one,
// for which it waits where there are too many. Errors: a [child.End] when the
// process ended before it had answered; the cause of the context; of kind
// Unavailable where there is no room, and while closing.
func (p *Pool) Do(ctx context.Context, v Version, in runtime.Invocation, log Log) (runtime.Outcome, error) {
	for {
		one, err := p.take(ctx, v)
		if err != nil {
			return runtime.Outcome{}, err
		}
		warm := one.used
		out, err := one.do(ctx, in, log)
		switch {
		case err != nil || out.Failure != nil:
			one.end(errBroken)
		case one.left():
			log(child.Line{Time: p.conf.Clock.Now(), Stream: child.Notice, Text: "The function has answered and left processes running, which were ended"})
			one.end(errLeft)
		default:
			p.put(one)
		}
		if warm && errors.Is(err, errNotTaken) { // it had ended while it waited
			continue
		}
		return out, err
	}
}

// take returns a process that is the caller's until put.
func (p *Pool) take(ctx context.Context, v Version) (*process, error) {
	for {
		one, wait, err := p.find(v)
		if one != nil || err != nil {
			switch {
			case err != nil:
				return nil, err
			case !one.used:
				return p.start(ctx, one)
			case one.left(): // it has started some since
				one.end(errLeft)
				continue
			}
			return one, nil
		}
		err = nil
		select {
		case <-wait:
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
		p.waited()
		if err != nil {
			return nil, err
		}
	}
}

// find returns a warm process of the version or the place for a new one. Where
// there is neither it has an idle one of another version ended, one for each that
// waits, and returns what tells of a change; the caller says when it has waited.
func (p *Pool) find(v Version) (one *process, wait <-chan struct{}, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, nil, errClosed
	}
	for i := len(p.idle) - 1; i >= 0; i-- { // the warmest
		if one := p.idle[i]; one.version.ID == v.ID && one.grant.Claim() {
			p.remove(i)
			return one, nil, nil
		}
	}
	if len(p.all) < p.conf.Max {
		one = &process{pool: p, version: v}
		p.all[one] = struct{}{}
		p.living.Add(1)
		return one, nil, nil
	}
	if len(p.idle) > 0 && p.leaving <= p.waiting {
		p.idle[0].leaving = true
		p.leaving++
		go p.idle[0].end(errReplaced)
		p.remove(0)
	}
	p.waiting++
	return nil, p.changed, nil
}

func (p *Pool) waited() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting--
}

// remove takes a process out of the idle ones. The lock is held.
func (p *Pool) remove(i int) {
	p.idle[i].timer.Stop()
	p.idle = append(p.idle[:i:i], p.idle[i+1:]...)
}

// start starts a process for which there is a place.
func (p *Pool) start(ctx context.Context, one *process) (*process, error) {
	grant, err := p.conf.Memory.Reserve(ctx, admission.Request{Project: one.version.Project, Bytes: p.conf.Reserve})
	if err == nil {
		one.grant = grant
		err = one.start()
	}
	if err != nil {
		grant.Release()
		p.gone(one)
		return nil, err
	}
	return one, nil
}

// put takes a process back: it waits for the next invocation.
func (p *Pool) put(one *process) {
	p.mu.Lock()
	if p.closed || one.stale || one.over() {
		p.mu.Unlock()
		one.end(errReplaced)
		return
	}
	one.used = true
	p.idle = append(p.idle, one)
	one.timer = p.conf.Clock.AfterFunc(p.conf.Idle, func() { p.dismiss(one, errIdle) })
	p.tell()
	p.mu.Unlock()
	one.grant.Idle(func() { p.dismiss(one, errReplaced) })
}

// dismiss ends a process that is idle. It does not wait.
func (p *Pool) dismiss(one *process, why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, other := range p.idle {
		if other == one {
			p.remove(i)
			go one.end(why)
			return
		}
	}
}

// gone forgets a process of which nothing is left.
func (p *Pool) gone(one *process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, other := range p.idle {
		if other == one {
			p.remove(i)
			break
		}
	}
	delete(p.all, one)
	if one.leaving {
		p.leaving--
	}
	p.tell()
	p.living.Done()
}

// tell wakes who waits for a process. The lock is held.
func (p *Pool) tell() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// Drop ends what is idle of a version that is not invoked any more. What works for it
// ends when it has answered.
func (p *Pool) Drop(versionID string) {
	p.drop(func(v Version) bool { return v.ID == versionID })
}

// DropDir is Drop for all versions whose program lies in a directory: it was made
// again, and is not what they have begun with.
func (p *Pool) DropDir(dir string) {
	p.drop(func(v Version) bool { return v.Dir == dir })
}

func (p *Pool) drop(stale func(Version) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for one := range p.all {
		one.stale = one.stale || stale(one.version)
	}
	for i := len(p.idle) - 1; i >= 0; i-- {
		if one := p.idle[i]; one.stale {
			p.remove(i)
			go one.end(errReplaced)
		}
	}
}

// Close ends all processes and waits until nothing is left of any. It is
// idempotent.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.closed = true
	idle := p.idle
	for len(p.idle) > 0 {
		p.remove(0)
	}
	p.tell()
	p.mu.Unlock()
	for _, one := range idle {
		go one.end(errClosed)
	}
	p.living.Wait()
	return nil
}

// Processes is how many processes there are, starting ones included.
func (p *Pool) Processes() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all)
}
