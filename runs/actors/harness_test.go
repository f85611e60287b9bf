package actors

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/records"
	"github.com/drover-go/drover/storage/storagetest"
	"github.com/drover-go/drover/storage/webhooks"
)

// world is a service and what it stands on.
type world struct {
	*service
	db       *storage.DB
	blobs    blob.Store
	projects projects.Service
	clock    *clock.Manual // of open alone
	keys     *seal.Ring
	hub      *notify.Hub
	queue    *jobs.Queue
	logs     *joblog.Logs
	records  records.Service
	memory   *admission.Ledger
	keeper   *retention.Keeper // not started
	hooks    *webhooks.Hooks
	quiet    bool
}

// open returns a service whose workers are not started.
func open(t testing.TB, db *storage.DB, l Limits) *world {
	t.Helper()
	c := clock.NewManual(time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC))
	w := must(openOn(t.Context(), db, setup{limits: l, clock: c, idle: true}))(t)
	w.clock = c
	t.Cleanup(func() { w.shutNow(t) })
	return w
}

// setup is what a test wants of a service.
type setup struct {
	// dir holds the database and the files; in memory without one.
	dir       string
	actors    []Definition
	limits    Limits
	retention time.Duration
	// memory is what runs may have together, in MB. Default 32 GB.
	memory int
	clock  clock.Clock
	// idle leaves the workers stopped.
	idle bool
	// quiet has no webhook told of anything.
	quiet bool
	log   *slog.Logger
}

// openOn opens a service on a database.
func openOn(ctx context.Context, db *storage.DB, o setup) (*world, error) {
	o.clock = cmp.Or(o.clock, clock.System())
	w := &world{db: db, quiet: o.quiet, keys: seal.NewRing(seal.NewKey()), blobs: blob.NewMemory(o.clock)}
	files, err := blob.Store(blob.NewMemory(o.clock)), error(nil)
	if o.dir != "" {
		if files, err = blob.NewDir(filepath.Join(o.dir, "records"), blob.DirOptions{}); err != nil {
			return nil, err
		}
	}
	if w.projects, err = projects.New(ctx, db, projects.Options{}); err != nil {
		return nil, err
	}
	w.hub = notify.New(db, notify.Options{})
	w.keeper = retention.NewKeeper(db, retention.Options{Clock: o.clock})
	dead := reaper.New(db, reaper.Options{Reaped: w.keeper.Sweep})
	w.queue = jobs.New(db, w.hub, jobs.Options{Reaper: dead, Clock: o.clock, Logger: o.log})
	if w.records, err = records.Open(ctx, records.Config{DB: db, Projects: w.projects, Blobs: files, Clock: o.clock}); err != nil {
		return nil, err
	}
	if w.logs, err = joblog.New(joblog.Config{DB: db, Notify: w.hub, Blobs: blob.NewMemory(o.clock), Reaper: dead, Clock: o.clock}); err != nil {
		return nil, err
	}
	if w.hooks, err = openHooks(ctx, db, w.projects, w.queue, w.hub); err != nil {
		return nil, err
	}
	if !o.quiet {
		if err := watch(ctx, db, w.hooks); err != nil {
			return nil, err
		}
	}
	if w.memory, err = admission.New(admission.Options{Memory: int64(cmp.Or(o.memory, 32<<10)) << 20}); err != nil {
		return nil, err
	}
	s, err := New(Config{
		DB: db, Callers: w.projects, Keys: w.keys, Blobs: w.blobs, Stores: w.records, Jobs: w.queue, Notify: w.hub, Logs: w.logs, Webhooks: w.hooks, Memory: w.memory,
		Actors: o.actors, Limits: o.limits, Retention: o.retention, Keeper: w.keeper, Clock: o.clock, Logger: o.log,
	})
	if err != nil {
		return w, err
	}
	w.service = s.(*service)
	if o.idle {
		return w, nil
	}
	return w, w.queue.Start(ctx)
}

// shut closes everything but the database, in the order of the root.
func (w *world) shut(ctx context.Context) error {
	err := w.service.Close(ctx)
	err = errors.Join(err, w.queue.Stop(ctx), w.logs.Close(ctx))
	w.hub.Close()
	err = errors.Join(err, w.hooks.Close(ctx), w.records.Close(ctx))
	if !w.quiet {
		err = errors.Join(err, checkTold(context.Background(), w.db, w.hooks))
	}
	if used := w.memory.State().Used; used != 0 {
		err = errors.Join(err, fmt.Errorf("%d bytes are still granted", used))
	}
	return errors.Join(err, w.checkUsage())
}

// checkUsage compares what is kept of the runs that have not ended with them.
func (w *world) checkUsage() error {
	return w.db.Read(context.Background(), func(ctx context.Context, q storage.Querier) error {
		wrong, err := storage.Column[int](q.QueryRow(ctx, `SELECT count(*) FROM actor_usage AS u
			WHERE (u.runs, u.memory) IS NOT (SELECT count(*), coalesce(sum(memory), 0) FROM actor_runs AS r
				WHERE r.project_id = u.project_id AND r.status IN ('READY', 'RUNNING', 'TIMING-OUT', 'ABORTING'))`))
		if err == nil && wrong > 0 {
			err = errors.New("the runs that have not ended are not those that are counted")
		}
		return err
	})
}

// shutNow closes everything, and waits for nobody.
func (w *world) shutNow(t testing.TB) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := w.shut(ended); err != nil {
		t.Errorf("close: %v", err)
	}
}

// start returns a service that works, on a database of its own.
func start(t testing.TB, o setup) *world {
	t.Helper()
	db := storagetest.OpenWith(t, storage.Options{Dir: o.dir, Clock: o.clock})
	return startOn(t, db, o)
}

func startOn(t testing.TB, db *storage.DB, o setup) *world {
	t.Helper()
	w := must(openOn(t.Context(), db, o))(t)
	t.Cleanup(func() { w.shutNow(t) })
	return w
}

// run starts an Actor and waits for its end.
func (w *world) run(t testing.TB, actor string, in Start) RunInfo {
	t.Helper()
	return w.end(t, must(w.Start(t.Context(), actor, in))(t).ID)
}

// end waits for the end of a run.
func (w *world) end(t testing.TB, id string) RunInfo {
	t.Helper()
	r := must(w.Wait(t.Context(), id, -1))(t)
	if !r.Status.Final() || r.FinishedAt.IsZero() {
		t.Errorf("%+v", r)
	}
	return r
}

// until waits for a run to be as it is wanted.
func (w *world) until(t testing.TB, id string, ok func(RunInfo) bool) (r RunInfo) {
	t.Helper()
	kind := must(w.own(t.Context(), id))(t).kind
	err := w.executorOf(kind).Follow(t.Context(), id, func() (bool, error) {
		var err error
		r, err = w.Run(t.Context(), id)
		return ok(r), err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// output is the record OUTPUT of a run.
func (w *world) output(t testing.TB, r RunInfo) string {
	t.Helper()
	return w.value(t, r, "OUTPUT")
}

func (w *world) value(t testing.TB, r RunInfo, key string) string {
	t.Helper()
	content, _, err := w.records.OpenRecord(t.Context(), r.KeyValueStoreID, key)
	if errtypes.Is(err, errtypes.NotFound) {
		return ""
	}
	body := string(must(io.ReadAll(must(content, err)(t)))(t))
	content.Close()
	return body
}

// logged is the log of a run.
func (w *world) logged(t testing.TB, id string) string {
	t.Helper()
	var all strings.Builder
	for e, err := range w.Log(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(e.Message + "\n")
	}
	return all.String()
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

func openFile(t testing.TB) *storage.DB { return storagetest.OpenFile(t) }

// sameJSON reports whether two texts are the same value.
func sameJSON(t testing.TB, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Errorf("%s: %v", a, err)
	}
	return reflect.DeepEqual(x, y)
}
