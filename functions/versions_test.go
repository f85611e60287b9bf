package functions

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
)

// hangs says that it has begun, and never returns.
const hangs = `define("one", async () => { console.log("begun"); await new Promise(r => setTimeout(r, 1e9)); });`

// begun invokes the function "one" and waits until it says that it has begun.
func (w *working) begun(t *testing.T) Invocation {
	t.Helper()
	inv := w.invoke(t, "one", Invoke{})
	for e, err := range w.Follow(t.Context(), inv.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Message == "begun" {
			return inv
		}
	}
	t.Fatal("it has ended")
	return inv
}

// kept checks whether the archive and the files of a build are there.
func (w *working) kept(t *testing.T, b builds.Build, want bool) {
	t.Helper()
	source, err := w.builds.OpenSource(t.Context(), builds.Function, b.ID)
	if err == nil {
		source.Close()
	}
	if (err == nil) != want || !want && !errtypes.Is(err, errtypes.NotFound) {
		t.Errorf("the archive of %s: %v", b.ID, err)
	}
	if _, err := os.Stat(w.programs.path(builtDir, b.ID)); (err == nil) != want {
		t.Errorf("the files of %s: %v", b.ID, err)
	}
}

// settle waits for the workers: who waits for a row is not told when they have done
// what follows its end.
func (w *working) settle(t *testing.T) {
	t.Helper()
	if err := errors.Join(w.queue.Stop(t.Context()), w.queue.Start(t.Context())); err != nil {
		t.Fatal(err)
	}
}

// versionOf returns the first version that a build has made.
func (w *working) versionOf(t *testing.T, b builds.Build) Version {
	t.Helper()
	all, err := BuiltBy(b)
	if err != nil || len(all) == 0 {
		t.Fatalf("%+v %v", all, err)
	}
	return all[0].Version
}

// numbers are those of the versions of the function "one", newest first.
func (w *working) numbers(t *testing.T) string {
	t.Helper()
	l, err := w.Versions(t.Context(), "one", Page{})
	if err != nil {
		t.Fatal(err)
	}
	var all []int
	for _, v := range l.Items {
		all = append(all, v.Number)
	}
	return fmt.Sprint(all)
}

// With an old version its archive and its files go, and its build when its time is
// over. Its invocations stay.
func TestOldVersionsGo(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{kept: time.Millisecond, limits: Limits{MaxVersions: 2}})
	first := w.program(t, one)
	inv := w.do(t, "one", Invoke{})
	second := w.program(t, one)
	w.kept(t, first, true)
	third := w.program(t, one)
	w.settle(t)
	if got := w.numbers(t); got != "[3 2]" {
		t.Error(got)
	}
	w.kept(t, first, false)
	w.kept(t, second, true)
	w.kept(t, third, true)
	if n := count(t, w.sources); n != 2 {
		t.Errorf("%d archives", n)
	}
	if again, err := w.Invocation(t.Context(), inv.ID); err != nil || again.VersionID != w.versionOf(t, first).ID || again.Status != Completed {
		t.Errorf("%+v %v", again, err)
	}
	if _, err := w.Version(t.Context(), inv.VersionID); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	if _, err := w.Invoke(t.Context(), "one", Invoke{VersionID: inv.VersionID}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
	if b, err := w.builds.Get(t.Context(), builds.Function, first.ID); err != nil || b.Status != builds.Succeeded {
		t.Errorf("%+v %v", b, err)
	}
	<-time.After(5 * time.Millisecond) // its time
	w.keeper.Do(t.Context())
	if _, err := w.builds.Get(t.Context(), builds.Function, first.ID); !errtypes.Is(err, errtypes.NotFound) {
		t.Error(err)
	}
	if _, err := w.builds.Get(t.Context(), builds.Function, second.ID); err != nil {
		t.Error(err)
	}
}

// What a rollback chose is not an old version, however many are newer.
func TestTheVersionOfARollbackStays(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	first := w.program(t, one)
	second, third := w.program(t, one), w.program(t, `define("one", async () => 3);`)
	if _, err := w.Rollback(t.Context(), "one", w.versionOf(t, first).ID); err != nil {
		t.Fatal(err)
	}
	w.conf.Limits.MaxVersions = 1
	if n, err := w.pruneBefore(t.Context(), time.Now()); n != 1 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	if got := w.numbers(t); got != "[3 1]" {
		t.Error(got)
	}
	w.kept(t, first, true)
	w.kept(t, second, false)
	w.kept(t, third, true)
	if inv := w.do(t, "one", Invoke{}); string(inv.Result) != "1" {
		t.Errorf("%+v", inv)
	}
}

// An old version stays as long as an invocation uses it.
func TestAVersionThatIsUsedStays(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{limits: Limits{MaxVersions: 1}})
	first := w.program(t, hangs)
	inv := w.begun(t)
	w.program(t, one)
	if got := w.numbers(t); got != "[2 1]" {
		t.Error(got)
	}
	due := func() error {
		_, err := storage.ReadOne(t.Context(), w.db, func(ctx context.Context, q storage.Querier) (time.Time, error) { return firstUnwanted(ctx, q, 1) })
		return err
	}
	if err := due(); err != storage.ErrNoRow {
		t.Errorf("something is due: %v", err)
	}
	w.kept(t, first, true)
	w.cancelled(t, inv)
	if err := due(); err != nil {
		t.Error(err)
	}
	if n, err := w.pruneBefore(t.Context(), time.Now()); n != 1 || err != nil {
		t.Errorf("%d %v", n, err)
	}
	w.kept(t, first, false)
}

// cancelled cancels an invocation and waits for its end.
func (w *working) cancelled(t *testing.T, inv Invocation) {
	t.Helper()
	if _, err := w.Cancel(t.Context(), inv.ID); err != nil {
		t.Fatal(err)
	}
	if inv, err := w.Wait(t.Context(), inv.ID); err != nil || inv.Status != Failed {
		t.Errorf("%+v %v", inv, err)
	}
}

// A function that is deleted leaves nothing, once none of its invocations goes on.
func TestADeletedFunctionLeavesNothing(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{programs: &ProgramOptions{MaxProcesses: 1}})
	b := w.program(t, hangs+`define("two", async () => 2);`)
	running := w.begun(t)
	waiting := w.invoke(t, "one", Invoke{})
	if err := w.Delete(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	w.kept(t, b, true)
	if err := w.Delete(t.Context(), "two"); err != nil {
		t.Fatal(err)
	}
	w.kept(t, b, true)
	w.cancelled(t, running)
	inv, err := w.Wait(t.Context(), waiting.ID)
	if err != nil || inv.Status != Failed || inv.Cause.Message != "the function was deleted before the invocation began" {
		t.Errorf("%+v %+v %v", inv, inv.Cause, err)
	}
	w.settle(t)
	w.kept(t, b, false)
	if n := count(t, w.sources); n != 0 {
		t.Errorf("%d archives", n)
	}
	w.tidy(t)
}

// What a build has made goes with the last function of it.
func TestABuildStaysForEachOfItsFunctions(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	b := w.program(t, one+`define("two", async () => 2);`)
	if inv := w.do(t, "one", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v", inv)
	}
	for _, name := range []string{"one", "two"} {
		w.kept(t, b, true)
		if err := w.Delete(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	w.kept(t, b, false)
}

// Registrations of a Go function are bounded, too.
func TestOldRegistrationsGo(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{Func("one", nothing, FuncOptions{})}, limits: Limits{MaxVersions: 2}})
	f, err := w.Get(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
			_, _, err := w.newVersion(ctx, tx, f, version{Version: Version{ProjectID: f.ProjectID, Timeout: time.Minute}, fingerprint: fmt.Sprint(i)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := w.numbers(t); got != "[4 3]" {
		t.Error(got)
	}
}

// Files of a program that no row leads to are swept, when nothing can be building it.
func TestProgramsThatNobodyNeedsAreSwept(t *testing.T) {
	t.Parallel()
	w := publishing(t, setup{})
	needed := w.program(t, one).ID
	dir := func(id string) string { return w.programs.path(builtDir, id) }
	for id, age := range map[string]time.Duration{"old": 2 * time.Hour, "young": 0} {
		if err := os.MkdirAll(filepath.Join(dir(id), "inside"), 0o755); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(dir(id), at, at); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-48 * time.Hour)
	if err := os.Chtimes(dir(needed), long, long); err != nil {
		t.Fatal(err)
	}
	if err := w.sweepPrograms(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{needed: true, "young": true, "old": false} {
		if _, err := os.Stat(dir(id)); (err == nil) != want {
			t.Errorf("%s: %v", id, err)
		}
	}
}
