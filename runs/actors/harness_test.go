package actors

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
)

// world is a service and what it stands on.
type world struct {
	*service
	db       *storage.DB
	blobs    blob.Store
	projects projects.Service
	clock    *clock.Manual
	keys     *seal.Ring
}

func open(t testing.TB, db *storage.DB, l Limits) *world {
	t.Helper()
	w := &world{db: db, clock: clock.NewManual(time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC)), keys: seal.NewRing(seal.NewKey())}
	w.blobs = blob.NewMemory(w.clock)
	w.projects = must(projects.New(t.Context(), db, projects.Options{}))(t)
	w.service = must(New(Config{DB: db, Callers: w.projects, Keys: w.keys, Blobs: w.blobs, Limits: l, Clock: w.clock}))(t).(*service)
	return w
}

// actor makes an Actor, a second after what was made before.
func (w *world) actor(t testing.TB, name string, versions ...Version) Actor {
	t.Helper()
	w.clock.Advance(time.Second)
	return must(w.CreateActor(t.Context(), CreateActor{Name: name, Versions: versions}))(t)
}

func (w *world) task(t testing.TB, c CreateTask) Task {
	t.Helper()
	w.clock.Advance(time.Second)
	return must(w.CreateTask(t.Context(), c))(t)
}

// other is a context for calls on behalf of another project.
func (w *world) other(t testing.TB) context.Context {
	t.Helper()
	p := must(w.projects.Create(t.Context(), projects.Create{Name: "other"}))(t)
	return must(w.projects.In(t.Context(), p.ID))(t)
}

// blobCount is how many blobs there are.
func (w *world) blobCount(t testing.TB) int { t.Helper(); return countBlobs(t, w.blobs) }

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// fails ends the test when an error is not of the kind and the type, in these words.
func fails(t testing.TB, err error, kind errtypes.Kind, typ errtypes.Type, words string) {
	t.Helper()
	if e := errtypes.Public(err); e.Kind != kind || e.Type != typ || !strings.Contains(e.Message, words) {
		t.Fatalf("%v (%s), want %s (%s): %q", err, e.Type, kind, typ, words)
	}
}
