// Package lifecycle starts and stops what runs in the background, so that
// every such thing keeps the same promises: Start and Stop may be called in
// any order, any number of times and from any goroutine; Stop first asks, then
// cancels with a cause, and always waits until nothing runs any more.
package lifecycle

import (
	"context"
	"sync"
)

// Runner holds one background function that can be started and stopped again
// and again. The zero value is ready. It must not be copied.
type Runner struct {
	mu sync.Mutex
	// run is the one that runs, or ran last. Its successor is made when
	// somebody asks for it: by Start, or to wait for it.
	run *Run
}

// Run is one time between a start and the stop that follows.
type Run struct {
	ctx      context.Context
	cancel   context.CancelCauseFunc
	begun    bool // guarded by the Runner
	started  chan struct{}
	stopping chan struct{}
	stopped  chan struct{}
	ready    sync.Once
	ask      sync.Once
}

func newRun() *Run {
	r := &Run{started: make(chan struct{}), stopping: make(chan struct{}), stopped: make(chan struct{})}
	r.ctx, r.cancel = context.WithCancelCause(context.Background())
	return r
}

// Context ends when the run must end at once: when the context given to Stop
// has ended. Its cause is the one given to Stop.
func (r *Run) Context() context.Context { return r.ctx }

// Stopping is closed when the run is asked to come to its end.
func (r *Run) Stopping() <-chan struct{} { return r.stopping }

// Ready says that the run has done what has to be done first; it closes the
// channel of [Runner.Started]. It is idempotent. A run that ends was ready.
func (r *Run) Ready() { r.ready.Do(func() { close(r.started) }) }

func (r *Run) over() bool {
	select {
	case <-r.stopped:
		return true
	default:
		return false
	}
}

func (r *Run) asked() bool {
	select {
	case <-r.stopping:
		return true
	default:
		return false
	}
}

// Start runs main in a goroutine, unless it runs already. While an earlier run
// comes to its end, Start waits for that; the context bounds only this wait.
// It reports whether it was this call that started main.
func (r *Runner) Start(ctx context.Context, main func(*Run)) (started bool, err error) {
	for {
		started, wait := r.begin(main)
		if wait == nil {
			return started, nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// begin starts main if it can; wait is what has to be waited for if it cannot.
func (r *Runner) begin(main func(*Run)) (started bool, wait <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	run := r.current()
	switch {
	case !run.begun:
		run.begun = true
		go run.do(main)
		return true, nil
	case run.asked():
		return false, run.stopped
	}
	return false, nil
}

func (r *Run) do(main func(*Run)) {
	defer close(r.stopped)
	defer r.cancel(nil)
	defer r.Ready()
	main(r)
}

// current returns the run that runs or will run next.
func (r *Runner) current() *Run {
	if r.run == nil || r.run.over() {
		r.run = newRun()
	}
	return r.run
}

// Stop asks the run to end and waits for it. If ctx ends before, the context
// of the run is canceled with the cause, and Stop goes on waiting. What does
// not run is stopped already. Main itself must not call it. It reports whether
// the run had to be canceled.
func (r *Runner) Stop(ctx context.Context, cause error) (canceled bool) {
	run := r.live()
	if run == nil {
		return false
	}
	run.ask.Do(func() { close(run.stopping) })
	select {
	case <-run.stopped:
		return false
	case <-ctx.Done():
	}
	run.cancel(cause)
	<-run.stopped
	return true
}

// Poke says on a channel of one place that something has changed. It does not wait:
// a word that is there already says it, too.
func Poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// live returns the run that has begun and may not be over, or nil.
func (r *Runner) live() *Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil || !r.run.begun {
		return nil
	}
	return r.run
}

// Running reports whether main runs and has not been asked to end.
func (r *Runner) Running() bool {
	run := r.live()
	return run != nil && !run.over() && !run.asked()
}

// Started returns a channel that is closed once the current run is ready. It
// can be asked for before Start; it then belongs to the run that comes next.
func (r *Runner) Started() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current().started
}

// Stopped returns a channel that is closed once the current run is over. It
// can be asked for before Start; it then belongs to the run that comes next.
func (r *Runner) Stopped() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current().stopped
}
