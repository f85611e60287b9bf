package webhooks

import (
	"context"
	"encoding/json"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/seal"
	"github.com/drover-go/drover/internal/telemetry"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
)

// thing is a row of the tests, which happens to be rendered as it is.
type thing struct {
	ID    string `json:"id"`
	State int    `json:"state"`
	Text  string `json:"text,omitempty"`
}

// broken is a row that cannot be rendered.
type broken struct{}

func renderings() map[reflect.Type]Render {
	return map[reflect.Type]Render{
		reflect.TypeFor[thing](): func(_ context.Context, _ storage.Querier, e Event) (Resource, error) { return json.Marshal(e.Row) },
		reflect.TypeFor[broken](): func(context.Context, storage.Querier, Event) (Resource, error) {
			return nil, errtypes.New(errtypes.Internal, "no")
		},
	}
}

// setup is what the tests choose of a world.
type setup struct {
	dir     string // default in memory
	limits  Limits
	keys    *seal.Ring
	private bool // loopback is not opened
	idle    bool // nothing is delivered
	clock   clock.Clock
	resolve func(context.Context, Condition) (Condition, error)
	tel     *telemetry.Telemetry
}

// world is a service and what it stands on.
type world struct {
	*Hooks
	db       *storage.DB
	projects projects.Service
	queue    *jobs.Queue
	hub      *notify.Hub
	clock    *clock.Manual // nil where the setup has one
}

// newWorld opens a service, whose closing is pushed.
func newWorld(ctx context.Context, o setup, onClose func(func())) (w *world, err error) {
	w = &world{}
	c := o.clock
	if c == nil {
		w.clock = clock.NewRunning(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
		c = w.clock
	}
	if w.db, err = storage.Open(ctx, storage.Options{Dir: o.dir, Clock: c}); err != nil {
		return nil, err
	}
	onClose(func() { w.db.Close() })
	w.hub = notify.New(w.db, notify.Options{})
	onClose(func() { w.hub.Close() })
	w.queue = jobs.New(w.db, w.hub, jobs.Options{})
	if w.projects, err = projects.New(ctx, w.db, projects.Options{}); err != nil {
		return nil, err
	}
	blobs := blob.NewMemory(c)
	if o.dir != "" {
		if blobs, err = blob.NewDir(o.dir+"/blobs", blob.DirOptions{}); err != nil {
			return nil, err
		}
	}
	gate := egress.Options{}
	if !o.private {
		gate.AllowPrefixes = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}
	g, err := egress.New(gate)
	if err != nil {
		return nil, err
	}
	if o.keys == nil {
		o.keys = seal.NewRing(seal.NewKey())
	}
	w.Hooks, err = New(ctx, Config{
		DB: w.db, Callers: w.projects, Jobs: w.queue, Notify: w.hub, Blobs: blobs, Keys: o.keys, Gate: g, Render: renderings(), Resolve: o.resolve, Limits: o.limits, Telemetry: o.tel, Clock: c,
	})
	if err != nil {
		return nil, err
	}
	onClose(func() { w.Hooks.Close(ctx) })
	if !o.idle {
		err = w.queue.Start(ctx)
		onClose(func() { w.stop() })
	}
	return w, err
}

// stop ends the workers and cuts off what they do.
func (w *world) stop() {
	now, cancel := context.WithCancel(context.Background())
	cancel()
	w.queue.Stop(now)
}

func opened(t testing.TB, o setup) *world {
	t.Helper()
	o.limits.AllowHTTP = true
	w, err := newWorld(context.Background(), o, t.Cleanup)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) projectID(t testing.TB, ctx context.Context) string {
	t.Helper()
	return must(w.projects.Current(ctx))(t).ID
}

func (w *world) write(t testing.TB, do func(ctx context.Context, tx *storage.Tx) error) {
	t.Helper()
	must(0, w.db.Write(context.Background(), do))(t)
}

// happen emits events in one transaction each.
func (w *world) happen(t testing.TB, all ...Event) {
	t.Helper()
	for _, e := range all {
		if e.ProjectID == "" {
			e.ProjectID = w.projectID(t, context.Background())
		}
		w.write(t, func(ctx context.Context, tx *storage.Tx) error { return w.Emit(ctx, tx, e) })
	}
}

const (
	completed = "functions.invocations.completed"
	succeeded = "ACTOR.RUN.SUCCEEDED"
)

// done is an event of the first interface.
func done(object string, state int) Event {
	return Event{Type: completed, Object: object, Row: thing{ID: object, State: state}}
}

// ended is an event of the job platform.
func ended(run string, state int) Event {
	return Event{Type: succeeded, Object: run, Run: run, Actor: "actor", Row: thing{ID: run, State: state}}
}

// standard makes a webhook of the first interface.
func (w *world) standard(t testing.TB, url string) (Webhook, string) {
	t.Helper()
	h, secret, err := w.Create(t.Context(), Create{Settings: Settings{URL: url, Events: []string{completed}}})
	if err != nil {
		t.Fatal(err)
	}
	return h, secret
}

// platform makes a webhook of the job platform.
func (w *world) platform(t testing.TB, url string, change ...func(*Settings)) Webhook {
	t.Helper()
	s := Settings{URL: url, Events: []string{succeeded}}
	for _, c := range change {
		c(&s)
	}
	h, _, err := w.Create(t.Context(), Create{Settings: s})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// dispatches are all of the project, the oldest first.
func (w *world) dispatches(t testing.TB) []Dispatch {
	t.Helper()
	return must(w.Dispatches(t.Context(), Filter{}))(t).Items
}

// over waits until a dispatch has ended.
func (w *world) over(t testing.TB, id string) Dispatch {
	t.Helper()
	return must(w.Wait(t.Context(), id))(t)
}

// tried waits until a dispatch has been sent so many times.
func (w *world) tried(t testing.TB, id string, times int) Dispatch {
	t.Helper()
	return must(w.until(t.Context(), id, func(d Dispatch) bool { return len(d.Attempts) >= times }))(t)
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

// fails ends the test when an error is not of the kind, about the field, in these
// words.
func fails(t testing.TB, err error, kind errtypes.Kind, field, words string) {
	t.Helper()
	if e := errtypes.Public(err); err == nil || e.Kind != kind || e.Field != field || !strings.Contains(e.Message, words) {
		t.Errorf("%v, want %s about %q: %q", err, kind, field, words)
	}
}

// addRun writes the row of a run, which ad hoc webhooks go with.
func (w *world) addRun(t testing.TB, id string) {
	t.Helper()
	project := w.projectID(t, context.Background())
	w.write(t, func(ctx context.Context, tx *storage.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO actor_runs (id, number, project_id, actor_id, job_kind, program_id, program, build_id, build_number, status, options, memory, origin, client_ip, user_agent, key_value_store, dataset, request_queue, created_at)
			VALUES ($1, (SELECT count(*) FROM actor_runs), $2, 'actor', 'x', 'actor', '', '', '', 'RUNNING', '{}', 128, 'API', '', '', '', '', '', 1)`, id, project)
		return err
	})
}

func (t thing) String() string { return fmt.Sprintf("%s-%d", t.ID, t.State) }
