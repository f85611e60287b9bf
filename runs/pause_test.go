package runs

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
)

// gate is a turn that waits until the test lets it answer.
func gate(asked chan<- struct{}, open <-chan struct{}, then scripted.Turn) scripted.Turn {
	return scripted.Turn{Do: func(ctx context.Context, _ model.Request) (model.Response, error) {
		asked <- struct{}{}
		select {
		case <-open:
		case <-ctx.Done():
			return model.Response{}, ctx.Err()
		}
		return model.Response{Content: then.Say, Finish: model.FinishCalls}, nil
	}}
}

func TestAPersonTakesARunOver(t *testing.T) {
	t.Parallel()
	asked, open := make(chan struct{}), make(chan struct{})
	m := scripted.New(gate(asked, open, calls(clickPart("c1"))), done(true, "", `{"a":1}`))
	w := quick(t, setup{model: m})
	r := w.create(t, Create{Task: "x"})
	<-asked
	type answer struct {
		run Run
		err error
	}
	paused := make(chan answer)
	go func() {
		got, err := w.Pause(t.Context(), r.ID)
		paused <- answer{got, err}
	}()
	w.until(t, r.ID, func(r Run) bool { return r.Pause != nil && r.Pause.Requested })
	select {
	case a := <-paused:
		t.Fatalf("paused while the step is under way: %+v", a)
	default:
	}
	close(open)
	if a := <-paused; a.err != nil || a.run.Status != Running || a.run.Pause == nil || a.run.Pause.Requested {
		t.Fatalf("%+v", a)
	}
	if len(m.Requests()) != 1 {
		t.Error("the model is asked while a person has the run")
	}
	if _, err := w.Pause(t.Context(), r.ID); err != nil {
		t.Errorf("paused twice: %v", err)
	}
	if _, err := w.Resume(t.Context(), r.ID, "I have accepted the terms."); err != nil {
		t.Fatal(err)
	}
	got := w.wait(t, r.ID)
	if got.Status != Completed || got.Pause != nil {
		t.Fatalf("%+v", got)
	}
	all := lines(w.conversation(t, r.ID))
	if all[2] != "tool-call take_over {}" || !strings.HasPrefix(all[3], "tool-result take_over text: A person has used the browser meanwhile. They say: I have accepted the terms.") || !strings.Contains(w.conversation(t, r.ID)[3].Results()[0].Output.Text(), "clicked 1") {
		t.Error(all)
	}
	if hint := lastHint(m.Requests()[1]); hint != "A person has used the browser meanwhile. They say: I have accepted the terms. Look at the page before you go on: it may be another one." {
		t.Errorf("%q", hint)
	}
}

// until waits until a run is so.
func (w *working) until(t *testing.T, id string, is func(Run) bool) (r Run) {
	t.Helper()
	err := w.executor.Follow(t.Context(), id, func() (_ bool, err error) {
		r, err = w.Get(t.Context(), id)
		return is(r), err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAnAgentAsksAPerson(t *testing.T) {
	t.Parallel()
	m := scripted.New(click("e1"), calls(model.Call("q", "ask_human", map[string]string{"question": "Which code?"}), clickPart("late")), done(true, "", ""))
	w := quick(t, setup{model: m, hooks: Hooks{Human: true}})
	r := w.create(t, Create{Task: "x"})
	got := w.until(t, r.ID, func(r Run) bool { return r.Pause != nil })
	if got.Pause.Requested || got.Pause.Question != "Which code?" {
		t.Errorf("%+v", got.Pause)
	}
	if _, err := w.Resume(t.Context(), r.ID, "4711"); err != nil {
		t.Fatal(err)
	}
	if got := w.wait(t, r.ID); got.Status != Completed {
		t.Fatalf("%+v", got.Cause)
	}
	all := lines(w.conversation(t, r.ID))
	if !strings.HasPrefix(all[4], "tool-result ask_human text: The person has answered. They say: 4711") ||
		all[5] != "tool-result click error-text: not executed: a person has used the browser; look at the page first" {
		t.Error(all)
	}
	if _, err := w.Resume(t.Context(), r.ID, ""); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("an ended run: %v", err)
	}
}

func TestTheTimeOfARunStandsStillWhileAPersonHasIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keep   time.Duration
		status Status
	}{
		"for a while": {9 * time.Minute, Completed},
		"too long":    {10 * time.Minute, TimedOut},
	} {
		t.Run(name, func(t *testing.T) {
			c1 := clock.NewManual(noon)
			m := scripted.New(scripted.Call("ask_human", map[string]string{"question": "?"}), done(true, "", ""))
			w := quick(t, setup{model: m, clock: c1, hooks: Hooks{Human: true}})
			r := w.create(t, Create{Task: "x", Limits: RunLimits{MaxDuration: 2 * time.Minute}})
			w.until(t, r.ID, func(r Run) bool { return r.Pause != nil })
			c1.WaitForTimers(1)
			c1.Advance(c.keep)
			if c.status == Completed {
				if _, err := w.Resume(t.Context(), r.ID, ""); err != nil {
					t.Fatal(err)
				}
			}
			if got := w.wait(t, r.ID); got.Status != c.status {
				t.Errorf("%s %+v", got.Status, got.Cause)
			}
		})
	}
}

func TestAStopEndsAPauseAtOnce(t *testing.T) {
	t.Parallel()
	m := scripted.New(scripted.Call("ask_human", map[string]string{"question": "?"}), done(true, "", ""))
	w := quick(t, setup{model: m, hooks: Hooks{Human: true}})
	r := w.create(t, Create{Task: "x"})
	w.until(t, r.ID, func(r Run) bool { return r.Pause != nil })
	if _, err := w.Stop(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := w.wait(t, r.ID); got.Status != Stopped || got.Pause != nil {
		t.Errorf("%+v", got)
	}
	w.conversation(t, r.ID)
}

func TestWhatCannotBePausedOrResumed(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	w := quick(t, setup{model: scripted.New(hanging(asked)), limits: Limits{Concurrent: 1}})
	running := w.create(t, Create{Task: "x"})
	<-asked
	pending := w.create(t, Create{Task: "x"})
	for name, c := range map[string]struct {
		do   func() error
		kind errtypes.Kind
	}{
		"pause of none":      {func() error { _, err := w.Pause(t.Context(), "none"); return err }, errtypes.NotFound},
		"resume of none":     {func() error { _, err := w.Resume(t.Context(), "none", ""); return err }, errtypes.NotFound},
		"pause of pending":   {func() error { _, err := w.Pause(t.Context(), pending.ID); return err }, errtypes.Conflict},
		"resume of running":  {func() error { _, err := w.Resume(t.Context(), running.ID, ""); return err }, errtypes.Conflict},
		"a note too long":    {func() error { _, err := w.Resume(t.Context(), running.ID, strings.Repeat("x", 10_001)); return err }, errtypes.Invalid},
		"a note that is not": {func() error { _, err := w.Resume(t.Context(), running.ID, "\xff"); return err }, errtypes.Invalid},
	} {
		if err := c.do(); !errtypes.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended := make(chan error)
	go func() {
		_, err := w.Pause(t.Context(), running.ID)
		ended <- err
	}()
	w.until(t, running.ID, func(r Run) bool { return r.Pause != nil })
	if _, err := w.Stop(t.Context(), running.ID); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("a run that ended before it could be paused: %v", err)
	}
	w.wait(t, pending.ID)
}

func TestARunIsGivenBackBeforeItWasTaken(t *testing.T) {
	t.Parallel()
	asked, open := make(chan struct{}), make(chan struct{})
	m := scripted.New(gate(asked, open, calls(clickPart("c1"))), done(true, "", ""))
	w := quick(t, setup{model: m})
	r := w.create(t, Create{Task: "x"})
	<-asked
	paused := make(chan error)
	go func() {
		_, err := w.Pause(t.Context(), r.ID)
		paused <- err
	}()
	w.until(t, r.ID, func(r Run) bool { return r.Pause != nil })
	if _, err := w.Resume(t.Context(), r.ID, "never mind"); err != nil {
		t.Fatal(err)
	}
	if err := <-paused; !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("it was not paused: %v", err)
	}
	close(open)
	if got := w.wait(t, r.ID); got.Status != Completed || !strings.Contains(lastHint(m.Requests()[1]), "never mind") {
		t.Errorf("%+v", got)
	}
}

func TestAPauseThatFollowsAResumeAtOnce(t *testing.T) {
	t.Parallel()
	m := scripted.New(scripted.Call("ask_human", map[string]string{"question": "?"}), done(true, "", ""))
	w := quick(t, setup{model: m, hooks: Hooks{Human: true}})
	r := w.create(t, Create{Task: "x"})
	w.until(t, r.ID, func(r Run) bool { return r.Pause != nil })
	project, err := w.conf.Callers.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		w.executor.Changed(tx, r.ID)
		if _, err := requestResume(ctx, tx, project.ID, r.ID, "4711", w.now()); err != nil {
			return err
		}
		_, err := requestPause(ctx, tx, project.ID, r.ID, w.now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := w.Pause(t.Context(), r.ID)
	if err != nil || got.Pause == nil || got.Pause.Requested || got.Pause.Question != "" {
		t.Fatalf("%+v, %v", got.Pause, err)
	}
	if _, err := w.Resume(t.Context(), r.ID, "go on"); err != nil {
		t.Fatal(err)
	}
	if got := w.wait(t, r.ID); got.Status != Completed {
		t.Fatalf("%+v", got.Cause)
	}
	if all := w.conversation(t, r.ID); !strings.HasPrefix(all[1].Results()[0].Output.Text(), "The person has answered. They say: 4711\ngo on") {
		t.Error(lines(all))
	}
}

func TestAResumeThatComesWhileTheWorkerPausesIsNotLost(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	w := quick(t, setup{model: scripted.New(hanging(asked))})
	r := w.create(t, Create{Task: "x"})
	<-asked
	write := func(change func(ctx context.Context, tx *storage.Tx, r row) error) error {
		return w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			r, err := findRow(ctx, tx, r.ID)
			if err != nil {
				return err
			}
			return change(ctx, tx, r)
		})
	}
	var seen row
	err := write(func(ctx context.Context, tx *storage.Tx, r row) (err error) {
		seen, err = requestPause(ctx, tx, r.projectID, r.ID, w.now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = write(func(ctx context.Context, tx *storage.Tx, r row) error {
		_, err := requestResume(ctx, tx, r.projectID, r.ID, "go on", w.now())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = write(func(ctx context.Context, tx *storage.Tx, _ row) error {
		return swapPause(ctx, tx, seen, paused, "", w.now())
	})
	if !errors.Is(err, storage.ErrNoRow) {
		t.Errorf("the resume is overwritten: %v", err)
	}
	if _, err := w.Stop(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	w.wait(t, r.ID)
}

func TestASessionIsPrivateBeforeTheRunHasUsedIt(t *testing.T) {
	t.Parallel()
	m := scripted.New(scripted.Call("ask_human", map[string]string{"question": "?"}), done(true, "", ""))
	w := quick(t, setup{model: m, hooks: Hooks{Human: true}})
	r := w.create(t, Create{Task: "x", SessionID: w.session(t, sessions.Settings{})})
	got := w.until(t, r.ID, func(r Run) bool { return r.Pause != nil })
	if got.SessionID == "" {
		t.Errorf("the session is not the run's while a person has it: %+v", got)
	}
	if _, err := w.Resume(t.Context(), r.ID, ""); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Wait(t.Context(), r.ID); err != nil || got.Status != Completed {
		t.Errorf("%+v, %v", got.Cause, err)
	}
	if all := w.conversation(t, r.ID); !strings.Contains(all[1].Results()[0].Output.Text(), "clicked 0") {
		t.Errorf("the page is not looked at: %v", lines(all))
	}
}

func TestAllPausesOfARunTogetherAreBounded(t *testing.T) {
	t.Parallel()
	c1 := clock.NewManual(noon)
	ask := func(q string) scripted.Turn { return scripted.Call("ask_human", map[string]string{"question": q}) }
	w := quick(t, setup{model: scripted.New(ask("1"), ask("2"), done(true, "", "")), clock: c1, hooks: Hooks{Human: true}})
	r := w.create(t, Create{Task: "x", Limits: RunLimits{MaxDuration: 2 * time.Minute}})
	w.until(t, r.ID, func(r Run) bool { return r.Pause != nil && r.Pause.Question == "1" })
	c1.Advance(9 * time.Minute)
	if _, err := w.Resume(t.Context(), r.ID, ""); err != nil {
		t.Fatal(err)
	}
	w.until(t, r.ID, func(r Run) bool { return r.Pause != nil && r.Pause.Question == "2" })
	c1.Advance(time.Minute)
	if got := w.wait(t, r.ID); got.Status != TimedOut || !strings.Contains(got.Cause.Message, "a person kept the run") {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
}
