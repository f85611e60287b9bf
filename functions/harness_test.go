package functions

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/drover-go/drover/builds"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/child"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/osuser/osusertest"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/workdir"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

// setup is what a test wants of a working service. The zero value is in memory.
type setup struct {
	dir       string
	functions []Definition
	limits    Limits
	clock     clock.Clock
	browser   browser.Provider
	// idle leaves the workers stopped.
	idle bool
	// programs can be published; their files lie in work, or in dir.
	programs *ProgramOptions
	work     string
	secrets  Secrets
	keys     *seal.Ring
	builds   builds.Limits
	kept     time.Duration // builds that came to nothing
	// unheard leaves the project without a webhook.
	unheard bool
}

// working is the service with its workers running, on a real database. Functions
// with a browser are tested in the root, in Chromium.
type working struct {
	*service
	db     *storage.DB
	hub    *notify.Hub
	queue  *jobs.Queue
	logs   *joblog.Logs
	keeper *retention.Keeper // not started
	blobs  blob.Store

	hooks   *webhooks.Hooks // which deliver nothing
	unheard bool

	sessions sessions.Service
	builds   builds.Service
	sources  blob.Store
	programs *Programs
	children *child.Manager
	memory   *admission.Ledger
}

// noBrowser is a machine without a browser.
type noBrowser struct{}

func (noBrowser) Open(context.Context, browser.Options) (browser.Session, error) {
	return nil, errtypes.New(errtypes.BadGateway, "there is no browser")
}
func (noBrowser) Close() error { return nil }

func openWorking(ctx context.Context, o setup) (*working, error) {
	if o.clock == nil {
		o.clock = clock.System()
	}
	if o.browser == nil {
		o.browser = noBrowser{}
	}
	w := &working{blobs: blob.NewMemory(o.clock), unheard: o.unheard}
	var err error
	if w.db, err = storage.Open(ctx, storage.Options{Dir: o.dir, Clock: o.clock}); err != nil {
		return nil, err
	}
	callers, err := projects.New(ctx, w.db, projects.Options{})
	if err != nil {
		return nil, err
	}
	w.hub = notify.New(w.db, notify.Options{})
	if err := w.listen(ctx, callers); err != nil {
		return nil, err
	}
	w.keeper = retention.NewKeeper(w.db, retention.Options{})
	dead := reaper.New(w.db, reaper.Options{Reaped: w.keeper.Sweep})
	w.queue = jobs.New(w.db, w.hub, jobs.Options{Reaper: dead})
	if w.logs, err = joblog.New(joblog.Config{DB: w.db, Notify: w.hub, Blobs: blob.NewMemory(o.clock), Reaper: dead}); err != nil {
		return nil, err
	}
	gate, err := egress.New(egress.Options{})
	if err != nil {
		return nil, err
	}
	if w.sessions, err = sessions.New(ctx, sessions.Config{
		DB: w.db, Callers: callers, Notify: w.hub, Browser: o.browser, Blobs: blob.NewMemory(o.clock), Logs: w.logs, Reaper: dead, Webhooks: w.hooks, Clock: o.clock, Gate: gate,
	}); err != nil {
		return nil, err
	}
	if err := w.openPrograms(o, callers, dead); err != nil {
		return w, err
	}
	s, err := New(ctx, Config{
		DB: w.db, Projects: callers, Jobs: w.queue, Notify: w.hub, Logs: w.logs, Blobs: w.blobs, Sessions: w.sessions,
		Builds: w.builds, Programs: w.programs, Keys: o.keys, Secrets: o.secrets, Webhooks: w.hooks, Functions: o.functions, Limits: o.limits, Keeper: w.keeper,
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

// openPrograms opens what published programs need.
func (w *working) openPrograms(o setup, callers projects.Service, dead *reaper.Reaper) (err error) {
	if o.programs == nil {
		return nil
	}
	for _, dir := range []string{o.work, o.dir} {
		if err := osusertest.Open(dir); err != nil {
			return err
		}
	}
	sources := blob.NewMemory(o.clock)
	p := *o.programs
	defer func() { w.sources = sources }()
	p.Dir = filepath.Join(o.work, "programs")
	if o.dir != "" {
		p.Dir = filepath.Join(o.dir, "programs")
		if sources, err = blob.NewDir(filepath.Join(o.dir, "sources"), blob.DirOptions{}); err != nil {
			return err
		}
	}
	if w.builds, err = builds.New(builds.Config{DB: w.db, Callers: callers, Jobs: w.queue, Notify: w.hub, Logs: w.logs, Blobs: sources, Webhooks: w.hooks, Limits: o.builds, Retention: o.kept, Keeper: w.keeper}); err != nil {
		return err
	}
	if w.children, err = child.Open(child.Options{TempDir: o.work}); err != nil {
		return err
	}
	if w.memory, err = admission.New(admission.Options{Memory: 4 << 30}); err != nil {
		return err
	}
	w.programs, err = OpenPrograms(ProgramsConfig{ProgramOptions: p, Children: w.children, Memory: w.memory, Instance: w.db.InstanceID()})
	return err
}

// shutPrograms closes them and reports what is left of any.
func (w *working) shutPrograms() error {
	if w.programs == nil {
		return nil
	}
	err := errors.Join(w.programs.Close(), w.children.Close())
	if used := w.memory.State().Used; used != 0 {
		err = errors.Join(err, fmt.Errorf("%d bytes are still granted", used))
	}
	return err
}

// shut closes everything in the order of the root.
func (w *working) shut(ctx context.Context) (err error) {
	note := func(closed error) {
		if err == nil {
			err = closed
		}
	}
	if w.service != nil {
		note(w.service.Close(ctx))
	}
	note(w.queue.Stop(ctx))
	note(w.shutPrograms())
	note(w.sessions.Close(ctx))
	note(w.logs.Close(ctx))
	note(w.told())
	note(w.hooks.Close(ctx))
	w.hub.Close()
	note(w.db.Close())
	return err
}

func start(t testing.TB, o setup) *working {
	t.Helper()
	for _, dir := range []string{o.work, o.dir} {
		if o.programs != nil && dir != "" { // dependencies are read-only
			t.Cleanup(func() { _ = workdir.RemoveAll(filepath.Join(dir, "programs")) })
		}
	}
	w, err := openWorking(t.Context(), o)
	if w != nil {
		t.Cleanup(func() {
			ended, cancel := context.WithCancel(context.Background())
			cancel()
			if err := w.shut(ended); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *working) invoke(t testing.TB, function string, in Invoke) Invocation {
	t.Helper()
	inv, err := w.Invoke(t.Context(), function, in)
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// do invokes a function and waits for the end.
func (w *working) do(t testing.TB, function string, in Invoke) Invocation {
	t.Helper()
	inv, err := w.Wait(t.Context(), w.invoke(t, function, in).ID)
	if err != nil {
		t.Fatal(err)
	}
	if (inv.Status == Failed) != (inv.Cause != nil) || inv.EndedAt.IsZero() || inv.Status != Completed && inv.Result != nil {
		t.Errorf("%+v", inv)
	}
	return inv
}
