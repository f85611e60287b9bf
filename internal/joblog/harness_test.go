package joblog_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(victimEnv); dir != "" {
		fmt.Fprintln(os.Stderr, victimMain(dir))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// flush is after how long what waits is written.
const flush = time.Second

// world is what logs stand on. Its clock stands still.
type world struct {
	*joblog.Logs
	db      *storage.DB
	clock   *clock.Manual
	hub     *notify.Hub
	blobs   blob.Store
	reaper  *reaper.Reaper
	keeper  *retention.Keeper
	project string
}

// each runs a test on both forms of storage.
func each(t *testing.T, c joblog.Config, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, open(t, "", c)) })
	t.Run("file", func(t *testing.T) { test(t, open(t, t.TempDir(), c)) })
}

// open opens logs, in memory where dir is empty. Several may be open on one dir.
func open(t *testing.T, dir string, c joblog.Config) *world {
	t.Helper()
	w := &world{clock: clock.NewManual(noon)}
	w.db = storagetest.OpenWith(t, storage.Options{Dir: dir, Clock: w.clock})
	w.hub = notify.New(w.db, notify.Options{Clock: clock.System(), Poll: time.Millisecond})
	w.blobs = blob.NewMemory(w.clock)
	if dir != "" {
		w.blobs = must(blob.NewDir(filepath.Join(dir, "logs"), blob.DirOptions{}))(t)
	}
	callers := must(projects.New(t.Context(), w.db, projects.Options{}))(t)
	w.project = must(callers.Get(t.Context(), projects.Default))(t).ID
	w.keeper = retention.NewKeeper(w.db, retention.Options{})
	w.reaper = reaper.New(w.db, reaper.Options{})
	c.DB, c.Notify, c.Blobs, c.Reaper, c.Keeper, c.Flush = w.db, w.hub, w.blobs, w.reaper, w.keeper, flush
	w.Logs = must(joblog.New(c))(t)
	t.Cleanup(func() {
		if err := w.Close(context.Background()); err != nil {
			t.Error(err)
		}
		w.hub.Close()
	})
	return w
}

// must returns what a call returned, and ends the test when it failed.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (w *world) owner(ref string) joblog.Owner {
	return joblog.Owner{Kind: "test", Ref: ref, ProjectID: w.project}
}

// log opens a log.
func (w *world) log(t *testing.T, ref string, o joblog.Options) (l *joblog.Log) {
	t.Helper()
	w.write(t, func(ctx context.Context, tx *storage.Tx) (err error) {
		l, err = w.Open(ctx, tx, w.owner(ref), o)
		return err
	})
	return l
}

func (w *world) end(t *testing.T, ref string) {
	t.Helper()
	w.write(t, func(ctx context.Context, tx *storage.Tx) error { return w.End(ctx, tx, w.owner(ref).ID()) })
}

func (w *world) write(t *testing.T, f func(ctx context.Context, tx *storage.Tx) error) {
	t.Helper()
	if err := w.db.Write(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// flushed lets the flusher write, and returns when the log has so many entries
// in rows or blobs.
func (w *world) flushed(t *testing.T, ref string, n int64) {
	t.Helper()
	w.until(t, n, `SELECT next_seq FROM job_logs WHERE id = $1`, ref)
}

// sealed lets the flusher seal a log that has ended, and returns when it has.
func (w *world) sealed(t *testing.T, ref string) {
	t.Helper()
	w.until(t, 1, `SELECT count(*) FROM job_logs WHERE id = $1 AND sealed_at IS NOT NULL`, ref)
}

// until moves the clock until a number of a log is reached.
func (w *world) until(t *testing.T, n int64, query, ref string) {
	t.Helper()
	for w.number(t, query, w.owner(ref).ID()) < n && t.Context().Err() == nil {
		w.clock.Advance(flush)
		runtime.Gosched()
	}
}

func (w *world) number(t *testing.T, query string, args ...any) (n int64) {
	t.Helper()
	err := w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, query, args...).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *world) parts(t *testing.T) int64 {
	t.Helper()
	return w.number(t, `SELECT count(*) FROM job_log_parts`)
}

func (w *world) entries(t *testing.T, ref string, from int64) (all []joblog.Entry) {
	t.Helper()
	for e, err := range w.Entries(t.Context(), w.owner(ref).ID(), from) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// texts are those of a log.
func (w *world) texts(t *testing.T, ref string) (all []string) {
	t.Helper()
	for _, e := range w.entries(t, ref, 0) {
		all = append(all, e.Text)
	}
	return all
}

// says holds that a log has these texts.
func (w *world) says(t *testing.T, ref string, want ...string) {
	t.Helper()
	if got := w.texts(t, ref); !slices.Equal(got, want) {
		t.Errorf("the log says %.200q, want %.200q", got, want)
	}
}

// blobsLeft counts the blobs there are.
func (w *world) blobsLeft(t *testing.T) (n int) {
	t.Helper()
	for _, err := range w.blobs.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

// oneBlobLeft waits until there is one blob at most: what was replaced goes afterwards.
func (w *world) oneBlobLeft(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(testlevel.Loaded(10 * time.Second)); w.blobsLeft(t) > 1; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("%d blobs are left", w.blobsLeft(t))
		}
	}
}

// long is a line of a length.
func long(n int) string { return strings.Repeat("x", n) }
