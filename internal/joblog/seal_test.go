package joblog_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/storage"
)

// orphaned ends all logs as the reaper does when their process has died, and has the
// keeper seal them.
func (w *world) orphaned(t *testing.T) {
	t.Helper()
	w.write(t, func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE job_logs SET ended_at = 1, writer = NULL WHERE ended_at IS NULL`)
		return err
	})
	w.keeper.Do(t.Context())
	w.keeper.Sweep()
}

func (w *world) unsealed(t *testing.T) int64 {
	t.Helper()
	return w.number(t, `SELECT count(*) FROM job_logs WHERE ended_at IS NOT NULL AND sealed_at IS NULL`)
}

// sealedLong makes a log that is sealed in a blob.
func (w *world) sealedLong(t *testing.T, ref string) {
	t.Helper()
	w.log(t, ref, joblog.Options{MaxLine: 1 << 20}).Append(joblog.Stdout, long(70_000))
	w.end(t, ref)
	w.sealed(t, ref)
}

// A log whose file is lost is sealed without it, and says so.
func TestALogWhoseFileIsLost(t *testing.T) {
	t.Parallel()
	each(t, joblog.Config{}, func(t *testing.T, w *world) {
		w.sealedLong(t, "a")
		for sealed, err := range w.blobs.All(t.Context()) {
			if err = errors.Join(err, w.blobs.Delete(t.Context(), sealed.Key)); err != nil {
				t.Fatal(err)
			}
		}
		w.log(t, "a", joblog.Options{}).Append(joblog.Stdout, "more")
		w.flushed(t, "a", 2)
		w.orphaned(t)
		if n := w.unsealed(t); n != 0 {
			t.Errorf("%d logs are not sealed", n)
		}
		w.says(t, "a", "1 entries of this log are lost with their file", "more")
		all := w.entries(t, "a", 0)
		if all[0].Seq != 0 || all[0].Stream != joblog.System || all[1].Seq != 1 {
			t.Errorf("%+v", all)
		}
		w.log(t, "a", joblog.Options{}).Append(joblog.Stdout, "and more")
		w.end(t, "a")
		w.sealed(t, "a")
		w.says(t, "a", "1 entries of this log are lost with their file", "more", "and more")
	})
}

// One log that cannot be sealed keeps no other from it, also where there are more
// than are looked at together.
func TestLogsThatCannotBeSealed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := open(t, dir, joblog.Config{})
	const bad, good = 3, 110
	for i := range bad {
		w.sealedLong(t, fmt.Sprint("bad ", i))
	}
	unreadable(t, filepath.Join(dir, "logs"), bad)
	for i := range bad + good {
		ref := fmt.Sprint("bad ", i)
		if i >= bad {
			ref = fmt.Sprint("good ", i)
		}
		w.log(t, ref, joblog.Options{}).Append(joblog.Stdout, "hello")
	}
	w.flushed(t, fmt.Sprint("good ", bad+good-1), 1)
	w.orphaned(t)
	if n := w.unsealed(t); n != bad {
		t.Errorf("%d logs are not sealed", n)
	}
}

// unreadable puts directories in the place of all files.
func unreadable(t *testing.T, dir string, want int) {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	for _, path := range files {
		err = errors.Join(err, os.Remove(path), os.Mkdir(path, 0o700))
	}
	if err != nil || len(files) != want {
		t.Fatal(files, err)
	}
}

// The whole of a log that goes on is bounded, the older blob with it, and keeps its
// head.
func TestTheBoundsOfALogThatGoesOn(t *testing.T) {
	t.Parallel()
	each(t, joblog.Config{}, func(t *testing.T, w *world) {
		o := joblog.Options{MaxBytes: 200_000, Head: 1000, MaxLine: 1 << 20}
		for i := range 12 {
			l := w.log(t, "a", o)
			l.Append(joblog.Stdout, fmt.Sprintf("round %d", i))
			l.Append(joblog.Stdout, long(90_000))
			w.end(t, "a")
			w.sealed(t, "a")
		}
		kept, first := 0, w.entries(t, "a", 0)
		for _, e := range first {
			kept += len(e.Text)
		}
		if kept < 200_000 || kept > 300_000 {
			t.Errorf("%d bytes are kept", kept)
		}
		texts := w.texts(t, "a")
		if texts[0] != "round 0" || !strings.HasPrefix(texts[len(texts)-1], "xxx") || texts[len(texts)-2] != "round 11" || len(texts) > 8 {
			t.Errorf("%.40q", texts)
		}
		w.oneBlobLeft(t)
	})
}
