package actors

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/storagetest"
)

// counting counts its processes in the record N, and asks for more.
func counting(name string, do func(ctx context.Context, a *Run, n int) error) Definition {
	return Func(name, func(ctx context.Context, a *Run) error {
		var n int
		if _, err := a.Value(ctx, "N", &n); err != nil {
			return err
		}
		if err := a.SetValue(ctx, "N", n+1); err != nil {
			return err
		}
		return do(ctx, a, n+1)
	}, FuncOptions{})
}

func TestARunRebootsItself(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := startOn(t, db, setup{actors: []Definition{counting("reboots", func(ctx context.Context, a *Run, n int) error {
			if n < 3 {
				return a.Reboot(ctx)
			}
			return nil
		})}})
		r := w.run(t, "~reboots", Start{})
		if r.Status != Succeeded || r.Stats.Reboots != 2 || w.value(t, r, "N") != "3" {
			t.Errorf("%+v %s", r, w.value(t, r, "N"))
		}
		_, err := w.Reboot(t.Context(), r.ID)
		fails(t, err, errtypes.Forbidden, errtypes.TypeJobFinished, "SUCCEEDED")
	})
}

func TestARunIsRebooted(t *testing.T) {
	t.Parallel()
	g := newGate()
	w := start(t, setup{actors: []Definition{g.deaf("deaf")}, limits: Limits{HandlerGrace: time.Millisecond}})
	r := must(w.Start(t.Context(), "~deaf", Start{}))(t)
	<-g.entered
	must(w.Reboot(t.Context(), r.ID))(t)
	<-g.entered // another process, although the first one heeds nothing
	must(w.Abort(t.Context(), r.ID, false))(t)
	if r = w.end(t, r.ID); r.Status != Aborted || r.Stats.Reboots != 1 {
		t.Errorf("%+v", r)
	}
	close(g.leave)
}

func TestARunBecomesAnother(t *testing.T) {
	t.Parallel()
	var goesOn bool
	becomes := Func("becomes", func(ctx context.Context, a *Run) error {
		return a.Metamorph(ctx, Metamorph{Actor: "~echo", Input: input(`{"b":2}`)})
	}, FuncOptions{})
	forever := Func("forever", func(ctx context.Context, a *Run) error {
		err := a.Metamorph(ctx, Metamorph{Actor: "~forever"})
		if !errors.Is(err, ErrReplaced) {
			goesOn = errtypes.Public(err).Type == errtypes.TypeMaxMetamorphsExceeded
		}
		return err
	}, FuncOptions{})
	w := start(t, setup{actors: []Definition{becomes, echo, forever}})
	r := w.run(t, "~becomes", Start{Input: input(`{"a":1}`)})
	target := must(w.Actor(t.Context(), "~echo"))(t)
	if r.Status != Succeeded || w.output(t, r) != `{"b":2}` || r.InputKey != "INPUT-METAMORPH-1" || r.ProgramID != target.ID || r.ActorID == target.ID || r.BuildID != target.ID || w.value(t, r, "INPUT") != `{"a":1}` {
		t.Errorf("%+v %s", r, w.output(t, r))
	}
	first := must(w.Actor(t.Context(), "~becomes"))(t)
	want := []Metamorphosis{{ActorID: target.ID, BuildID: target.ID, InputKey: "INPUT-METAMORPH-1", FromBuildID: first.ID, FromBuildNumber: impliedBuild}}
	listed := must(w.Runs(t.Context(), RunFilter{}))(t).Items[0]
	for _, got := range []RunInfo{r, listed} {
		if len(got.Metamorphs) != 1 || got.Metamorphs[0].At.IsZero() {
			t.Fatalf("%+v", got.Metamorphs)
		}
		id, number := got.FirstBuild()
		if got.Metamorphs[0].At = (time.Time{}); !reflect.DeepEqual(got.Metamorphs, want) || id != first.ID || number != impliedBuild {
			t.Errorf("%+v %s %s", got.Metamorphs, id, number)
		}
	}
	if r = w.run(t, "~forever", Start{}); r.Status != Failed || r.Stats.Metamorphs != 10 || !goesOn {
		t.Errorf("%+v", r)
	}
	_, err := w.Metamorph(t.Context(), r.ID, Metamorph{Actor: "~echo"})
	fails(t, err, errtypes.Forbidden, errtypes.TypeJobFinished, "FAILED")
}

func TestARunIsResurrected(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		w := startOn(t, db, setup{actors: []Definition{counting("twice", func(ctx context.Context, a *Run, n int) error {
			a.Log(fmt.Sprint("process ", n))
			if n == 1 {
				return errors.New("not yet")
			}
			return nil
		})}})
		r := w.run(t, "~twice", Start{})
		if r.Status != Failed {
			t.Fatalf("%+v", r)
		}
		minute := time.Minute
		risen := must(w.Resurrect(t.Context(), r.ID, RunOptions{Memory: 256, Timeout: &minute}))(t)
		if risen.Status != Ready || !risen.FinishedAt.IsZero() || risen.ExitCode != nil || risen.StatusMessage != "" {
			t.Errorf("%+v", risen)
		}
		r = w.end(t, r.ID)
		if r.Status != Succeeded || r.Stats.Resurrects != 1 || r.Options.Memory != 256 || *r.Options.Timeout != time.Minute || w.value(t, r, "N") != "2" {
			t.Errorf("%+v", r)
		}
		if log := w.logged(t, r.ID); !strings.Contains(log, "process 1\n") || !strings.HasSuffix(log, "process 2\n") {
			t.Error(log)
		}
		_, err := w.Resurrect(t.Context(), r.ID, RunOptions{Build: "beta"})
		fails(t, err, errtypes.Forbidden, errtypes.TypeUnknownBuildTag, `"beta"`)
		_, err = w.Resurrect(t.Context(), r.ID, RunOptions{Memory: 100})
		fails(t, err, errtypes.Invalid, "", "memory")
	})
}

func TestARunIsDeleted(t *testing.T) {
	t.Parallel()
	g := newGate()
	w := start(t, setup{actors: []Definition{echo, g.heeding("heeding")}})
	r := must(w.Start(t.Context(), "~heeding", Start{}))(t)
	fails(t, w.DeleteRun(t.Context(), r.ID), errtypes.Invalid, errtypes.TypeCannotRemoveRunningRun, "has not ended")
	_, err := w.Resurrect(t.Context(), r.ID, RunOptions{})
	fails(t, err, errtypes.Invalid, "", "only a run that has ended")

	r = w.run(t, "~echo", Start{Input: input("{}")})
	must(w.records.Update(t.Context(), records.Dataset, r.DatasetID, records.Update{Name: new("kept")}))(t)
	must(0, w.DeleteRun(t.Context(), r.ID))(t)
	fails(t, w.DeleteRun(t.Context(), r.ID), errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no run")
	_, err = w.records.Get(t.Context(), records.KeyValueStore, r.KeyValueStoreID)
	fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "")
	must(w.records.Get(t.Context(), records.Dataset, "~kept"))(t)
	for _, err := range w.Log(t.Context(), r.ID) {
		fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no run")
	}
}

func TestTheStatusMessageIsChanged(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{echo}, idle: true})
	r := must(w.Start(t.Context(), "~echo", Start{}))(t)
	got := must(w.UpdateRun(t.Context(), r.ID, RunUpdate{StatusMessage: strings.Repeat("x", 1001), Terminal: true}))(t)
	if got.StatusMessage != strings.Repeat("x", 999)+"…" || !got.MessageTerminal {
		t.Errorf("%+v", got)
	}
	must(w.Abort(t.Context(), r.ID, false))(t)
	if got = must(w.Run(t.Context(), r.ID))(t); got.StatusMessage[:3] != "xxx" || got.Status != Aborted {
		t.Errorf("%+v", got)
	}
	must(w.UpdateRun(t.Context(), r.ID, RunUpdate{StatusMessage: strings.Repeat("x", 1001), Terminal: true}))(t) // as a client does that has got no answer
	for _, other := range []RunUpdate{{StatusMessage: "late"}, {StatusMessage: "late", Terminal: true}, {StatusMessage: got.StatusMessage}} {
		_, err := w.UpdateRun(t.Context(), r.ID, other)
		fails(t, err, errtypes.Invalid, errtypes.TypeCannotSetIsStatusMessageTerminal, "its last one")
	}
	if got = must(w.Run(t.Context(), r.ID))(t); got.StatusMessage[:3] != "xxx" || !got.MessageTerminal {
		t.Errorf("%+v", got)
	}
	_, err := w.UpdateRun(t.Context(), "none", RunUpdate{})
	fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no run")
}

// An orderly close loses no run: it goes on after the next start.
func TestARunGoesOnAfterItsHostWasClosed(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(ctx context.Context, a *Run, n int) error{
		"broken off": func(ctx context.Context, a *Run, n int) error {
			if n > 1 {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		},
		"by itself": func(ctx context.Context, a *Run, n int) error {
			if n > 1 {
				return nil
			}
			for e := range a.Events() {
				if e.Name == Migrating {
					break
				}
			}
			return a.Reboot(ctx)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := storagetest.OpenFile(t)
			entered := make(chan struct{}, 10)
			migrates := counting("migrates", func(ctx context.Context, a *Run, n int) error {
				entered <- struct{}{}
				return do(ctx, a, n)
			})
			w := must(openOn(t.Context(), db, setup{actors: []Definition{migrates}}))(t)
			r := must(w.Start(t.Context(), "~migrates", Start{}))(t)
			<-entered
			closing, cancel := context.WithTimeout(t.Context(), time.Hour)
			if name == "broken off" {
				cancel()
			}
			must(0, w.shut(closing))(t)
			cancel()
			_, err := w.Start(t.Context(), "~migrates", Start{})
			fails(t, err, errtypes.Unavailable, "", "closing")

			w = startOn(t, db, setup{actors: []Definition{migrates}})
			if r = w.end(t, r.ID); r.Status != Succeeded || r.Stats.Migrations != 1 || w.value(t, r, "N") != "2" {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestRunsWaitForMemory(t *testing.T) {
	t.Parallel()
	g := newGate()
	w := start(t, setup{actors: []Definition{g.heeding("heeding")}, memory: 512})
	var all []RunInfo
	for range 5 {
		all = append(all, must(w.Start(t.Context(), "~heeding", Start{Options: RunOptions{Memory: 256}}))(t))
	}
	<-g.entered
	<-g.entered
	l := must(w.Runs(t.Context(), RunFilter{Statuses: []Status{Ready}}))(t)
	if l.Total != 3 || len(g.entered) != 0 {
		t.Errorf("%d wait", l.Total)
	}
	must(w.Abort(t.Context(), all[0].ID, false))(t)
	must(w.Abort(t.Context(), all[4].ID, false))(t)
	<-g.entered
	close(g.leave)
	for _, r := range all[1:4] {
		if r = w.end(t, r.ID); r.Status != Succeeded {
			t.Errorf("%+v", r)
		}
	}
}

func TestRunsThatAreTooManyAreRefused(t *testing.T) {
	t.Parallel()
	w := start(t, setup{actors: []Definition{echo}, memory: 4096, idle: true, limits: Limits{MaxUnfinished: 3, MaxMemory: 1024}})
	_, err := w.Start(t.Context(), "~echo", Start{Options: RunOptions{Memory: 8192}})
	fails(t, err, errtypes.PaymentRequired, errtypes.TypeActorMemoryLimitExceeded, "8192 MB")
	must(w.Start(t.Context(), "~echo", Start{Options: RunOptions{Memory: 512}}))(t)
	_, err = w.Start(t.Context(), "~echo", Start{Options: RunOptions{Memory: 1024}})
	fails(t, err, errtypes.PaymentRequired, errtypes.TypeActorMemoryLimitExceeded, "currently used: 512 MB, requested: 1024 MB")
	for range 2 {
		must(w.Start(t.Context(), "~echo", Start{Options: RunOptions{Memory: 128}}))(t)
	}
	_, err = w.Start(t.Context(), "~echo", Start{Options: RunOptions{Memory: 128}})
	fails(t, err, errtypes.PaymentRequired, errtypes.TypeConcurrentRunsLimitExceeded, "3 runs")
	must(w.Start(w.other(t), "~echo", Start{}))(t)
}

// How long a run may wait counts from when it waits again, not from when it was made: runs
// that are older than that go on after their host was closed, or died, and when they are
// resurrected.
func TestOldRunsMayWaitAgain(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC))
	w := start(t, setup{actors: []Definition{echo}, clock: c, idle: true, quiet: true}) // it takes steps by hand
	for name, wait := range map[string]func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error){
		"migrated": func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
			return migrateRun(ctx, tx, r.ID, c.Now())
		},
		"restarted": func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
			return returnRun(ctx, tx, r.ID, c.Now())
		},
		"resurrected": func(ctx context.Context, tx *storage.Tx, r runRow) (runRow, error) {
			r, err := endRun(ctx, tx, r.ID, runEnd{status: Failed}, c.Now())
			if err != nil {
				return r, err
			}
			return resurrectRun(ctx, tx, r, c.Now())
		},
	} {
		restart := true
		id := must(w.Start(t.Context(), "~echo", Start{Options: RunOptions{RestartOnError: &restart}}))(t).ID
		step := func(do func(ctx context.Context, tx *storage.Tx) (runRow, error)) {
			t.Helper()
			must(0, w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
				_, err := do(ctx, tx)
				return err
			}))(t)
		}
		step(func(ctx context.Context, tx *storage.Tx) (runRow, error) { return startRun(ctx, tx, id, c.Now()) })
		c.Advance(48 * time.Hour)
		step(func(ctx context.Context, tx *storage.Tx) (runRow, error) {
			r, err := findRun(ctx, tx, id)
			if err != nil {
				return r, err
			}
			return wait(ctx, tx, r)
		})
		w.keeper.Do(t.Context())
		if r := must(w.Run(t.Context(), id))(t); r.Status != Ready {
			t.Errorf("%s: %s, %s", name, r.Status, r.StatusMessage)
		}
		c.Advance(24*time.Hour + time.Second)
		w.keeper.Do(t.Context())
		if r := must(w.Run(t.Context(), id))(t); r.Status != Failed {
			t.Errorf("%s, and waits for too long: %s", name, r.Status)
		}
	}
}

func TestOldRunsAreDeleted(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC))
	w := start(t, setup{actors: []Definition{echo}, clock: c, retention: 24 * time.Hour, idle: true})
	old := must(w.Start(t.Context(), "~echo", Start{Input: input("{}")}))(t)
	must(w.Abort(t.Context(), old.ID, false))(t)
	c.Advance(12 * time.Hour)
	waits := must(w.Start(t.Context(), "~echo", Start{}))(t)
	c.Advance(12*time.Hour + time.Second)
	w.keeper.Do(t.Context())
	_, err := w.Run(t.Context(), old.ID)
	fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no run")
	_, err = w.records.Get(t.Context(), records.KeyValueStore, old.KeyValueStoreID)
	fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, "")
	if l := must(w.Runs(t.Context(), RunFilter{}))(t); l.Total != 1 {
		t.Errorf("%+v", l)
	}
	c.Advance(12 * time.Hour) // nobody has taken the other one up
	w.keeper.Do(t.Context())
	if r := must(w.Run(t.Context(), waits.ID))(t); r.Status != Failed || !strings.Contains(r.StatusMessage, "no process took it up") {
		t.Errorf("%+v", r)
	}
}
