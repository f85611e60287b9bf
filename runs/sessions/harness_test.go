package sessions

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/downloads"
	"github.com/drover-go/drover/storage/projects"
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
	downloads bool          // they are kept
}

// world is a service on a real database.
type world struct {
	*service
	db       *storage.DB
	hub      *notify.Hub
	projects projects.Service
	blobs    blob.Store

	downloads downloads.Service // nil where none are kept
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
	callers, err := projects.New(ctx, db, projects.Options{})
	if err != nil {
		return nil, err
	}
	w := &world{db: db, hub: notify.New(db, notify.Options{}), projects: callers, blobs: blob.NewMemory(o.clock)}
	c := Config{
		DB: db, Callers: callers, Notify: w.hub, Browser: o.browser, Blobs: w.blobs,
		Limits: o.limits, Clock: o.clock, Retention: o.retention, TrafficInterval: o.traffic,
	}
	if o.downloads {
		if w.downloads, err = downloads.Open(downloads.Config{DB: db, Callers: callers, Blobs: blob.NewMemory(o.clock)}); err != nil {
			return nil, err
		}
		c.Downloads = w.downloads
	}
	s, err := New(ctx, c)
	if err != nil {
		return nil, err
	}
	w.service = s.(*service)
	return w, nil
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
	w.hub.Close()
	return w.db.Close()
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
