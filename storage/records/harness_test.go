package records

import (
	"bytes"
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// world is a service that is open, and what it stands on.
type world struct {
	*service
	projects projects.Service
	blobs    blob.Store
	clock    *clock.Manual
	keeper   *retention.Keeper // not started
}

// each runs a test on both forms of database, on file with real files for blobs.
func each(t *testing.T, c Config, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		c.DB = db
		test(t, open(t, c))
	})
}

// open opens a service, in memory where c says nothing else. Its clock stands
// still.
func open(t testing.TB, c Config) *world {
	t.Helper()
	if c.DB == nil {
		c.DB = storagetest.Open(t)
	}
	w := &world{clock: clock.NewManual(noon)}
	c.Clock, c.Logger = w.clock, slog.New(slog.NewTextHandler(&bytes.Buffer{}, nil))
	if c.Blobs = blob.NewMemory(c.Clock); c.DB.Dir() != "" {
		c.Blobs = must(blob.NewDir(filepath.Join(c.DB.Dir(), "records"), blob.DirOptions{}))(t)
	}
	w.blobs = c.Blobs
	w.projects = must(projects.New(t.Context(), c.DB, projects.Options{}))(t)
	w.keeper = retention.NewKeeper(c.DB, retention.Options{Clock: c.Clock})
	c.Projects, c.Keeper = w.projects, w.keeper
	w.service = must(Open(t.Context(), c))(t).(*service)
	t.Cleanup(func() {
		if err := w.Close(context.Background()); err != nil {
			t.Error(err)
		}
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

// done ends the test when a call failed.
func done(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails ends the test unless the error has the type of v2; without one, unless it
// is Invalid.
func fails(t testing.TB, err error, typ errtypes.Type) {
	t.Helper()
	if public := errtypes.Public(err); err == nil || public.Type != typ || typ == "" && public.Kind != errtypes.Invalid {
		t.Fatalf("%v, want an error of the type %q", err, typ)
	}
}

// as returns a context for calls of another project.
func (w *world) as(t testing.TB, name string) context.Context {
	t.Helper()
	must(w.projects.Create(t.Context(), projects.Create{Name: name}))(t)
	return must(w.projects.In(t.Context(), name))(t)
}

// make makes a store and returns its id.
func (w *world) make(t testing.TB, kind Kind, name string) string {
	t.Helper()
	st, _, err := w.Create(t.Context(), kind, New{Name: name})
	done(t, err)
	return st.ID
}

func (w *world) get(t testing.TB, kind Kind, ref string) Store {
	t.Helper()
	return must(w.Get(t.Context(), kind, ref))(t)
}

// rows counts the rows of a table.
func (w *world) rows(t testing.TB, table string) int {
	t.Helper()
	return must(storage.ReadOne(t.Context(), w.conf.DB, func(ctx context.Context, q storage.Querier) (int, error) {
		return storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM `+table))
	}))(t)
}

// files counts the blobs.
func (w *world) files(t testing.TB) (n int) {
	t.Helper()
	for _, err := range w.blobs.All(t.Context()) {
		done(t, err)
		n++
	}
	return n
}
