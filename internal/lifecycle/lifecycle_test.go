package lifecycle_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/lifecycle"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errClosing = errors.New("closing")

// untilAsked is a run that ends when it is asked to.
func untilAsked(run *lifecycle.Run) {
	run.Ready()
	<-run.Stopping()
}

func start(t *testing.T, r *lifecycle.Runner, main func(*lifecycle.Run)) bool {
	t.Helper()
	started, err := r.Start(t.Context(), main)
	if err != nil {
		t.Fatal(err)
	}
	return started
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func TestStopBeforeAndAfterAndTwice(t *testing.T) {
	var r lifecycle.Runner
	r.Stop(t.Context(), errClosing)
	if !start(t, &r, untilAsked) {
		t.Error("the first Start did not start")
	}
	if start(t, &r, untilAsked) {
		t.Error("the second Start started, too")
	}
	if !r.Running() {
		t.Error("not running after Start")
	}
	for range 2 {
		if r.Stop(t.Context(), errClosing) {
			t.Error("a run that ends when asked was canceled")
		}
	}
	if r.Running() {
		t.Error("running after Stop")
	}
}

func TestChannelsCanBeAskedForBeforeStart(t *testing.T) {
	var r lifecycle.Runner
	for range 2 { // and again for the run after
		started, stopped := r.Started(), r.Stopped()
		if closed(started) || closed(stopped) {
			t.Fatal("closed before the start")
		}
		start(t, &r, untilAsked)
		<-started
		if closed(stopped) {
			t.Error("stopped while it runs")
		}
		r.Stop(t.Context(), errClosing)
		if !closed(stopped) {
			t.Error("not stopped after Stop")
		}
	}
}

func TestARunThatEndsByItselfCanBeStartedAgain(t *testing.T) {
	var r lifecycle.Runner
	for range 2 {
		started, stopped := r.Started(), r.Stopped()
		if !start(t, &r, func(*lifecycle.Run) {}) {
			t.Fatal("not started")
		}
		<-started // without a call of Ready
		<-stopped
	}
	r.Stop(t.Context(), errClosing)
}

func TestStopCancelsWithTheCauseWhenItsContextEnds(t *testing.T) {
	var r lifecycle.Runner
	asked, causes := make(chan struct{}), make(chan error, 1)
	start(t, &r, func(run *lifecycle.Run) {
		<-run.Stopping()
		close(asked)
		<-run.Context().Done()
		causes <- context.Cause(run.Context())
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if !r.Stop(ctx, errClosing) {
		t.Error("Stop did not cancel")
	}
	if cause := <-causes; cause != errClosing {
		t.Errorf("the cause is %v", cause)
	}
}

func TestContextOfARunIsReleasedWhenItEnds(t *testing.T) {
	var r lifecycle.Runner
	var ctx context.Context
	stopped := r.Stopped()
	start(t, &r, func(run *lifecycle.Run) { ctx = run.Context() })
	<-stopped
	if ctx.Err() == nil {
		t.Error("the context outlives its run")
	}
}

func TestStartWaitsForTheRunBefore(t *testing.T) {
	var r lifecycle.Runner
	asked, finish := make(chan struct{}), make(chan struct{})
	start(t, &r, func(run *lifecycle.Run) {
		<-run.Stopping()
		close(asked)
		<-finish
	})
	var stops sync.WaitGroup
	stops.Go(func() { r.Stop(t.Context(), errClosing) })
	<-asked

	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errClosing)
	if _, err := r.Start(ended, untilAsked); err != errClosing {
		t.Errorf("Start with an ended context: %v", err)
	}
	close(finish)
	if !start(t, &r, untilAsked) {
		t.Error("not started after the run before")
	}
	stops.Wait()
	if !r.Running() {
		t.Error("the Stop of the run before stopped its successor")
	}
	r.Stop(t.Context(), errClosing)
}

func TestStressOfStartAndStop(t *testing.T) {
	var r lifecycle.Runner
	var running, most atomic.Int32
	main := func(run *lifecycle.Run) {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		untilAsked(run)
	}
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() {
			for range 50 {
				if _, err := r.Start(t.Context(), main); err != nil {
					t.Error(err)
				}
				r.Stop(t.Context(), errClosing)
			}
		})
	}
	group.Wait()
	r.Stop(t.Context(), errClosing)
	if most.Load() != 1 || running.Load() != 0 {
		t.Errorf("%d ran at once, %d run still", most.Load(), running.Load())
	}
}

func TestAPokeIsHeardOnce(t *testing.T) {
	t.Parallel()
	c := make(chan struct{}, 1)
	lifecycle.Poke(c)
	lifecycle.Poke(c) // it does not wait
	<-c
	select {
	case <-c:
		t.Error("it is heard twice")
	default:
	}
}
