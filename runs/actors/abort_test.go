package actors

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// gate lets a test hold handlers.
type gate struct{ entered, leave chan struct{} }

func newGate() gate { return gate{make(chan struct{}, 100), make(chan struct{})} }

// heeding returns at the end of its context, or when it may.
func (g gate) heeding(name string) Definition {
	return Func(name, func(ctx context.Context, a *Run) error {
		g.entered <- struct{}{}
		select {
		case <-g.leave:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}, FuncOptions{})
}

// deaf returns when it may.
func (g gate) deaf(name string) Definition {
	return Func(name, func(ctx context.Context, a *Run) error {
		g.entered <- struct{}{}
		<-g.leave
		if err := a.Push(ctx, map[string]int{"a": 1}); !errtypes.Is(err, errtypes.Conflict) {
			panic(err)
		}
		return nil
	}, FuncOptions{})
}

func TestARunIsAborted(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		g := newGate()
		w := startOn(t, db, setup{actors: []Definition{g.heeding("heeding"), g.deaf("deaf")}, limits: Limits{HandlerGrace: 20 * time.Millisecond}})
		for _, name := range []string{"~heeding", "~deaf"} {
			r := must(w.Start(t.Context(), name, Start{}))(t)
			<-g.entered
			aborting := must(w.Abort(t.Context(), r.ID, false))(t)
			if aborting.Status != Aborting {
				t.Errorf("%s", aborting.Status)
			}
			if r = w.end(t, r.ID); r.Status != Aborted || r.StatusMessage != abortedMessage || r.ExitCode != nil {
				t.Errorf("%s: %+v", name, r)
			}
			if again := must(w.Abort(t.Context(), r.ID, false))(t); again.FinishedAt != r.FinishedAt {
				t.Error("it ended twice")
			}
			if log := w.logged(t, r.ID); !strings.Contains(log, "ACTOR: The run is aborted\n") {
				t.Error(log)
			}
		}
		close(g.leave)
	})
}

func TestARunThatWaitsIsAborted(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{echo}, idle: true})
	r := must(w.Start(t.Context(), "~echo", Start{}))(t)
	if got := must(w.Abort(t.Context(), r.ID, true))(t); got.Status != Aborted || got.FinishedAt.IsZero() {
		t.Errorf("%+v", got)
	}
	_, err := w.Abort(w.other(t), r.ID, false)
	fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no run")
}

// A graceful abort ends ABORTED whatever the exit code (DECISIONS 29).
func TestARunIsAbortedGracefully(t *testing.T) {
	t.Parallel()
	told := make(chan struct{})
	g := newGate()
	listening := Func("listening", func(ctx context.Context, a *Run) error {
		g.entered <- struct{}{}
		if e := <-a.Events(); e.Name != AbortRequested || e.Remaining != time.Hour {
			t.Errorf("%+v", e)
		}
		if e := <-a.Events(); e.Name != PersistState {
			t.Errorf("%+v", e)
		}
		close(told)
		return a.SetOutput(ctx, "saved")
	}, FuncOptions{})
	w := start(t, setup{actors: []Definition{listening, g.heeding("heeding")}, limits: Limits{AbortGrace: time.Hour}})
	r := must(w.Start(t.Context(), "~listening", Start{}))(t)
	<-g.entered
	must(w.Abort(t.Context(), r.ID, true))(t)
	<-told
	if r = w.end(t, r.ID); r.Status != Aborted || *r.ExitCode != 0 || w.output(t, r) != `"saved"` {
		t.Errorf("%+v", r)
	}

	r = must(w.Start(t.Context(), "~heeding", Start{}))(t) // it does not listen
	<-g.entered
	must(w.Abort(t.Context(), r.ID, true))(t)
	must(w.Abort(t.Context(), r.ID, false))(t)
	if r = w.end(t, r.ID); r.Status != Aborted {
		t.Errorf("%+v", r)
	}
}

func TestARunTakesTooLong(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		g := newGate()
		w := startOn(t, db, setup{actors: []Definition{g.heeding("heeding"), g.deaf("deaf")}, limits: Limits{HandlerGrace: 300 * time.Millisecond}})
		second := time.Second
		for _, name := range []string{"~heeding", "~deaf"} {
			r := must(w.Start(t.Context(), name, Start{Options: RunOptions{Timeout: &second}}))(t)
			if name == "~deaf" {
				w.until(t, r.ID, func(r RunInfo) bool { return r.Status == TimingOut })
			}
			if r = w.end(t, r.ID); r.Status != TimedOut || r.StatusMessage != "Actor run has reached its time-out of 1 seconds" || r.Stats.RunTime < time.Second {
				t.Errorf("%s: %+v", name, r)
			}
			if log := w.logged(t, r.ID); !strings.Contains(log, "ACTOR: The run has reached its time-out of 1 seconds") {
				t.Error(log)
			}
		}
		close(g.leave)
	})
}

func TestARunFails(t *testing.T) {
	t.Parallel()
	var nobody *Run
	w := start(t, setup{actors: []Definition{
		Func("error", func(ctx context.Context, a *Run) error { return errors.New("it is broken") }, FuncOptions{}),
		Func("panic", func(ctx context.Context, a *Run) error { panic("out of order") }, FuncOptions{}),
		Func("nil", func(ctx context.Context, a *Run) error { return nobody.SetOutput(ctx, 1) }, FuncOptions{}),
		Func("goexit", func(ctx context.Context, a *Run) error { runtime.Goexit(); return nil }, FuncOptions{}),
		Func("terminal", func(ctx context.Context, a *Run) error {
			return errors.Join(a.SetStatus(ctx, "the last word", true), errors.New("it is broken"))
		}, FuncOptions{}),
		Func("long", func(ctx context.Context, a *Run) error { return errors.New(strings.Repeat("é", 2000)) }, FuncOptions{}),
	}})
	for _, c := range []struct {
		name    string
		code    int
		message string
		log     string
	}{
		{"~error", 1, "Actor finished with exit code 1: it is broken", "error: it is broken\n"},
		{"~panic", 91, "Actor finished with exit code 91: panic: out of order", "abort_test.go"},
		{"~nil", 91, "Actor finished with exit code 91: panic: runtime error: invalid memory address or nil pointer dereference", "handle.go"},
		{"~goexit", 91, "Actor finished with exit code 91: the handler ended its goroutine", "ended its goroutine"},
		{"~terminal", 1, "the last word", "it is broken"},
		{"~long", 1, "Actor finished with exit code 1: " + strings.Repeat("é", 966) + "…", "éé"},
	} {
		r := w.run(t, c.name, Start{})
		if r.Status != Failed || *r.ExitCode != c.code || r.StatusMessage != c.message {
			t.Errorf("%s: %+v", c.name, r)
		}
		if log := w.logged(t, r.ID); !strings.Contains(log, c.log) {
			t.Errorf("%s: %s", c.name, log)
		}
	}
}

func TestARunIsStartedAgainAfterAnError(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{Func("fails", func(ctx context.Context, a *Run) error {
		var n int
		if _, err := a.Value(ctx, "N", &n); err != nil {
			return err
		}
		return errors.Join(a.SetValue(ctx, "N", n+1), errors.New("it is broken"))
	}, FuncOptions{})}})
	r := w.run(t, "~fails", Start{Options: RunOptions{RestartOnError: new(true)}})
	if r.Status != Failed || r.Stats.Restarts != 3 || w.value(t, r, "N") != "4" {
		t.Errorf("%+v after %s", r, w.value(t, r, "N"))
	}
	if r = w.run(t, "~fails", Start{}); r.Stats.Restarts != 0 {
		t.Errorf("%+v", r)
	}
}

func TestRestartsCountForAMinute(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_000_000)
	at := func(seconds ...int64) (all []int64) {
		for _, s := range seconds {
			all = append(all, now.UnixMilli()-s*1000)
		}
		return all
	}
	r := runRow{RunInfo: RunInfo{Options: RunOptions{RestartOnError: new(true)}}}
	for _, c := range []struct {
		were []int64
		may  bool
	}{{nil, true}, {at(2, 1), true}, {at(3, 2, 1), false}, {at(60, 2, 1), true}, {at(59, 2, 1), false}} {
		r.restarted = c.were
		if _, may := r.mayRestart(now); may != c.may {
			t.Errorf("%v: %v", c.were, may)
		}
	}
	if got := times(timesText(at(3, 2))); len(got) != 2 || got[1] != at(2)[0] {
		t.Errorf("%v", got)
	}
	r.restarted, r.MessageTerminal = nil, true
	if _, may := r.mayRestart(now); may {
		t.Error("a run that has said its last word is started again")
	}
}
