package storage_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// childEnv makes the test binary open the database it names, say so, and wait
// to be killed.
const childEnv = "DROVER_STORAGE_TEST_CHILD"

func childHoldsDatabaseOpen(dir string) {
	db, err := storage.Open(context.Background(), storage.Options{Dir: dir})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(db.InstanceID())
	select {}
}

// startChild returns the process and its instance id.
func startChild(t *testing.T, dir string) (*exec.Cmd, string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, line[:len(line)-1]
}

func instanceByID(t *testing.T, db *storage.DB, id string) (storage.Instance, bool) {
	t.Helper()
	all, err := db.Instances(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range all {
		if in.ID == id {
			return in, true
		}
	}
	return storage.Instance{}, false
}

func TestInstancesKnowEachOther(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		in, ok := instanceByID(t, db, db.InstanceID())
		if !ok || !in.Self || !in.Alive {
			t.Errorf("own instance: %+v", in)
		}
	})
}

func TestKilledProcessIsKnownToBeDeadAndIsReapedOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	child, id := startChild(t, dir)
	if in, ok := instanceByID(t, db, id); !ok || in.Self || !in.Alive {
		t.Fatalf("living child: %+v", in)
	}
	reaped := 0
	reap := func() (bool, error) {
		return db.Reap(t.Context(), id, func(context.Context, *storage.Tx) error { reaped++; return nil })
	}
	if done, err := reap(); err != nil || done || reaped != 0 {
		t.Fatalf("reaped %d of the living, %v", reaped, err)
	}

	child.Process.Kill()
	child.Wait()
	if in, ok := instanceByID(t, db, id); !ok || in.Alive {
		t.Fatalf("killed child: %+v", in)
	}
	boom := errors.New("boom")
	done, err := db.Reap(t.Context(), id, func(context.Context, *storage.Tx) error { return boom })
	if _, ok := instanceByID(t, db, id); !errors.Is(err, boom) || done || !ok {
		t.Fatalf("a failed call: %t, %v; instance kept: %t", done, err, ok)
	}
	if done, err := reap(); err != nil || !done || reaped != 1 {
		t.Fatalf("reaped %d times, %v", reaped, err)
	}
	if _, ok := instanceByID(t, db, id); ok {
		t.Error("the instance is still known")
	}
	if done, err := reap(); err != nil || !done { // what it left may be found later
		t.Errorf("one that nobody knows: %t, %v", done, err)
	}
	if done, err := db.Reap(t.Context(), db.InstanceID(), nil); err != nil || done {
		t.Errorf("the own instance: %t, %v", done, err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "instances", "*"))
	if len(left) != 1 {
		t.Errorf("marker files left: %v", left)
	}
}

func TestCloseTakesTheInstanceAway(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := storagetest.OpenWith(t, storage.Options{Dir: dir})
	other, err := storage.Open(t.Context(), storage.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := instanceByID(t, db, other.InstanceID()); !ok {
		t.Fatal("the second opening is not known")
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if _, ok := instanceByID(t, db, other.InstanceID()); ok {
		t.Error("a closed instance is still known")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "instances", "*")); len(left) != 1 {
		t.Errorf("marker files left: %v", left)
	}
}
