package joblog_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
)

// victimEnv makes the test binary a process that logs on the data directory it
// names until it is killed.
const victimEnv = "DROVER_JOBLOG_TEST_VICTIM"

func victimMain(dir string) error {
	ctx := context.Background()
	db, err := storage.Open(ctx, storage.Options{Dir: dir})
	if err != nil {
		return err
	}
	callers, err := projects.New(ctx, db, projects.Options{})
	if err != nil {
		return err
	}
	project, err := callers.Get(ctx, projects.Default)
	if err != nil {
		return err
	}
	blobs, err := blob.NewDir(filepath.Join(dir, "logs"), blob.DirOptions{})
	if err != nil {
		return err
	}
	logs, err := joblog.New(joblog.Config{DB: db, Notify: notify.New(db, notify.Options{}), Blobs: blobs, Flush: time.Millisecond})
	if err != nil {
		return err
	}
	var l *joblog.Log
	err = db.Write(ctx, func(ctx context.Context, tx *storage.Tx) (err error) {
		l, err = logs.Open(ctx, tx, joblog.Owner{Kind: "test", Ref: "victim", ProjectID: project.ID}, joblog.Options{})
		return err
	})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		l.Append(joblog.Stdout, fmt.Sprintf("line %d %s", i, strings.Repeat("x", 100)))
		if i == 0 {
			for range logs.Follow(ctx, "test/victim", 0) { // what waits here is seen at once
				break
			}
			fmt.Println("here")
		}
		time.Sleep(10 * time.Microsecond) // it is killed at any moment
	}
}

// What a killed process had written is there, whole and in order; the log is
// ended and sealed by who goes on.
func TestAProcessThatIsKilled(t *testing.T) {
	t.Parallel()
	for range testlevel.Rounds(1, 3) {
		dir := t.TempDir()
		w := open(t, dir, joblog.Config{})
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), victimEnv+"="+dir)
		cmd.Stderr = os.Stderr
		out := must(cmd.StdoutPipe())(t)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "here\n" {
			t.Fatalf("%q, %v", line, err)
		}
		n := 0
		for e, err := range w.Follow(t.Context(), "test/victim", 0) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; e.Seq == 1000 {
				cmd.Process.Kill()
				break
			}
		}
		cmd.Wait()
		written := w.number(t, `SELECT next_seq FROM job_logs`)
		if err := w.reaper.Reap(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.keeper.Do(t.Context())
		if w.parts(t) != 0 || w.blobsLeft(t) != 1 {
			t.Errorf("%d parts and %d blobs", w.parts(t), w.blobsLeft(t))
		}
		next := int64(0)
		for e, err := range w.Follow(t.Context(), "test/victim", 0) { // which ends
			if err != nil || e.Seq != next || !strings.HasPrefix(e.Text, fmt.Sprintf("line %d ", next)) {
				t.Fatalf("%+v, %v, want %d", e, err, next)
			}
			next++
		}
		if next != written || next <= 1000 {
			t.Errorf("%d lines, %d were written", next, written)
		}
	}
}

// What cannot be written is kept until it can.
func TestADatabaseThatIsBusy(t *testing.T) {
	t.Parallel()
	w := open(t, t.TempDir(), joblog.Config{})
	l := w.log(t, "a", joblog.Options{})
	changes := w.hub.Subscribe("log/test/a")
	defer changes.Close()
	l.Append(joblog.Stdout, "1")
	boom := errors.New("not yet")
	err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
		w.clock.WaitForTimers(1)
		w.clock.Advance(flush) // the flusher waits for the writer
		l.Append(joblog.Stdout, "2")
		return boom
	})
	if err != boom {
		t.Fatal(err)
	}
	<-changes.C()
	w.says(t, "a", "1", "2")
}
