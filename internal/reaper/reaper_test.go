package reaper_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// victimEnv makes the test binary a process that has the data directory it names
// open until it is killed.
const victimEnv = "DROVER_REAPER_TEST_VICTIM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimEnv); dir != "" {
		db, err := storage.Open(context.Background(), storage.Options{Dir: dir})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(db.InstanceID())
		select {}
	}
	goleak.VerifyTestMain(m)
}

// victim is a process that has the data open.
func victim(t *testing.T, dir string) (id string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		if cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	}
	t.Cleanup(kill)
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal(lines.Err())
	}
	return lines.Text(), kill
}

func known(t *testing.T, db *storage.DB, id string) bool {
	t.Helper()
	all, err := db.Instances(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(all, func(in storage.Instance) bool { return in.ID == id })
}

var errBoom = errors.New("boom")

// Every domain is told of a death once it has happened, again until all have
// done their part, and then the instance is gone.
func TestReap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	reaped := 0
	r := reaper.New(db, reaper.Options{Reaped: func() { reaped++ }})
	var told []string
	fails := true
	r.Register("first", func(_ context.Context, _ *storage.Tx, dead string) error {
		told = append(told, "first "+dead)
		return nil
	})
	r.Register("second", func(_ context.Context, _ *storage.Tx, dead string) error {
		if fails {
			return errBoom
		}
		told = append(told, "second "+dead)
		return nil
	})
	id, kill := victim(t, dir)
	if err := errors.Join(r.Reap(t.Context()), r.Check(t.Context(), id, db.InstanceID())); err != nil || len(told) > 0 {
		t.Fatalf("while it lives: %q, %v", told, err)
	}
	kill()
	if err := r.Reap(t.Context()); !errors.Is(err, errBoom) || !known(t, db, id) || reaped != 0 {
		t.Fatalf("where a domain fails: %v, %d", err, reaped)
	}
	fails, told = false, nil
	if err := errors.Join(r.Reap(t.Context()), r.Reap(t.Context())); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first " + id, "second " + id}; !slices.Equal(told, want) || known(t, db, id) || reaped != 1 {
		t.Errorf("told %q, want %q, %d", told, want, reaped)
	}
}

// Who finds rows of a dead process ends them, also of one that nobody knows any
// more.
func TestCheck(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		r := reaper.New(db, reaper.Options{})
		var told []string
		r.Register("it", func(_ context.Context, _ *storage.Tx, dead string) error {
			told = append(told, dead)
			return nil
		})
		if err := r.Check(t.Context(), db.InstanceID(), "gone"); err != nil || !slices.Equal(told, []string{"gone"}) {
			t.Errorf("told %q, %v", told, err)
		}
	})
}

// A process that comes and goes leaves the instance, and so its files, to one
// that stays.
func TestTransient(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	told := 0
	r := reaper.New(db, reaper.Options{Transient: true, Reaped: func() { t.Error("it removes files") }})
	r.Register("it", func(context.Context, *storage.Tx, string) error { told++; return nil })
	id, kill := victim(t, dir)
	kill()
	if err := r.Check(t.Context(), id); err != nil || told != 1 || !known(t, db, id) {
		t.Errorf("told %d times, %v", told, err)
	}
}

func TestNoReaper(t *testing.T) {
	var r *reaper.Reaper
	r.Register("it", nil)
	if err := errors.Join(r.Reap(t.Context()), r.Check(t.Context(), "x")); err != nil {
		t.Error(err)
	}
}
