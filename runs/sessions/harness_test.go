package sessions

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/contexts"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

var discard = slog.New(slog.DiscardHandler)

// setup is what a test wants of a service.
type setup struct {
	dir       string // default in memory
	browser   browser.Provider
	limits    Limits
	clock     clock.Clock
	retention time.Duration
	traffic   time.Duration // between two writes of it
	flush     time.Duration // of logs
	downloads bool          // they are kept
	contexts  bool          // there are some
	limit     contexts.Limits
	// keeping is what the archives of contexts are kept in. Default what is given.
	keeping func(blob.Store) blob.Store
	log     io.Writer // of the host. Default nowhere.
}

// world is a service on a real database.
type world struct {
	*service
	db       *storage.DB
	hub      *notify.Hub
	projects projects.Service
	blobs    blob.Store

	logs      *joblog.Logs
	reaper    *reaper.Reaper
	keeper    *retention.Keeper // not started
	downloads downloads.Service // nil where none are kept
	contexts  contexts.Service  // nil where there are none
	archives  string            // where their archives lie; empty in memory
	hooks     *webhooks.Hooks   // which deliver nothing
}

// filesOf is where a session's uploads lie.
func (w *world) filesOf(id string) string { return filepath.Join(w.files.root, id) }

func open(ctx context.Context, o setup) (*world, error) {
	if o.clock == nil {
		o.clock = clock.System()
	}
	db, err := storage.Open(ctx, storage.Options{Dir: o.dir, Clock: o.clock, Logger: discard})
	if err != nil {
		return nil, err
	}
	hub := notify.New(db, notify.Options{})
	callers, err := projects.New(ctx, db, projects.Options{Notify: hub})
	if err != nil {
		return nil, err
	}
	w := &world{db: db, hub: hub, projects: callers, blobs: blob.NewMemory(o.clock)}
	if err := w.openLogs(o); err != nil {
		return nil, err
	}
	if err := w.listen(ctx); err != nil {
		return nil, err
	}
	c := Config{
		DB: db, Webhooks: w.hooks, Callers: callers, Notify: w.hub, Browser: o.browser, Blobs: w.blobs, Logs: w.logs, Reaper: w.reaper, Keeper: w.keeper,
		Limits: o.limits, Clock: o.clock, Retention: o.retention, TrafficInterval: o.traffic,
	}
	if o.downloads {
		if w.downloads, err = downloads.Open(downloads.Config{DB: db, Callers: callers, Blobs: blob.NewMemory(o.clock)}); err != nil {
			return nil, err
		}
		c.Downloads = w.downloads
	}
	if o.contexts {
		if err := w.openContexts(o); err != nil {
			return nil, err
		}
		c.Contexts = w.contexts
	}
	if o.log != nil {
		c.Logger = slog.New(slog.NewTextHandler(o.log, nil))
	}
	s, err := New(ctx, c)
	if err != nil {
		return nil, err
	}
	w.service = s.(*service)
	if err := w.reaper.Reap(ctx); err != nil {
		return nil, err
	}
	w.keeper.Do(ctx)
	return w, nil
}

// openLogs opens them where other processes find them, and what ends and removes
// what these have left.
func (w *world) openLogs(o setup) (err error) {
	blobs := blob.Store(blob.NewMemory(o.clock))
	if o.dir != "" {
		if blobs, err = blob.NewDir(filepath.Join(o.dir, "logs"), blob.DirOptions{}); err != nil {
			return err
		}
	}
	w.keeper = retention.NewKeeper(w.db, retention.Options{})
	w.reaper = reaper.New(w.db, reaper.Options{Reaped: w.keeper.Sweep})
	w.logs, err = joblog.New(joblog.Config{DB: w.db, Notify: w.hub, Blobs: blobs, Reaper: w.reaper, Keeper: w.keeper, Flush: o.flush})
	return err
}

// keyOfTest is the master key of every process of these tests.
const keyOfTest = "7f3a0c51e2b94d6890aa1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f61"

func (w *world) openContexts(o setup) (err error) {
	key, err := seal.ParseKey(keyOfTest)
	if err != nil {
		return err
	}
	blobs := blob.Store(blob.NewMemory(o.clock))
	if o.dir != "" {
		w.archives = filepath.Join(o.dir, "contexts")
		if blobs, err = blob.NewDir(w.archives, blob.DirOptions{}); err != nil {
			return err
		}
	}
	if o.keeping != nil {
		blobs = o.keeping(blobs)
	}
	w.contexts, err = contexts.New(contexts.Config{DB: w.db, Callers: w.projects, Blobs: blobs, Keys: seal.NewRing(key), Reaper: w.reaper, Limits: o.limit})
	return err
}

func (w *world) shut() error {
	ctx := context.Background()
	if err := w.service.Close(ctx); err != nil {
		return err
	}
	if w.downloads != nil {
		if err := w.downloads.Close(ctx); err != nil {
			return err
		}
	}
	if err := w.logs.Close(ctx); err != nil {
		return err
	}
	w.hub.Close()
	return errors.Join(w.told(ctx), w.hooks.Close(ctx), w.db.Close())
}

func start(t testing.TB, o setup) *world {
	t.Helper()
	w, err := open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.shut(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return w
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (w *world) create(t testing.TB, c Create) Session {
	t.Helper()
	s := must(w.Create(t.Context(), c))(t)
	if s.Status != Running || s.SigningKey == "" || s.StartedAt.IsZero() || !s.EndedAt.IsZero() {
		t.Fatalf("%+v", s)
	}
	return s
}

// ended waits until a session has ended and checks what holds for each.
func (w *world) ended(t testing.TB, id string, status Status, cause string) Session {
	t.Helper()
	s := must(w.Wait(t.Context(), id))(t)
	code := ""
	if s.Cause != nil {
		code = s.Cause.Code
	}
	if s.Status != status || code != cause {
		t.Errorf("%s %+v, want %s %s", s.Status, s.Cause, status, cause)
	}
	if s.EndedAt.IsZero() || s.SigningKey != "" || s.ConnectURL != "" {
		t.Errorf("%+v", s)
	}
	return s
}

// queryEnd reads when a session ended as the row has it, without a look that
// would end it.
func queryEnd(t testing.TB, w *world, id string, ms *int64) error {
	t.Helper()
	return w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT coalesce(ended_at, 0) FROM sessions WHERE id = $1`, id).Scan(ms)
	})
}
