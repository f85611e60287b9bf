package runs

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/webhooks"
)

// setup is what a test wants of a working service.
type setup struct {
	dir     string // default in memory
	browser browser.Provider
	model   model.Model
	limits  Limits
	clock   clock.Clock
	// models, standard, prices and hooks as in Config.
	models   map[string]ModelConfig
	standard string
	prices   model.Prices
	hooks    Hooks
	tools    []Tool
	// retention as in Config.
	retention time.Duration
	// idle leaves the workers stopped.
	idle bool
	// blobs keep what sessions record. Default in memory.
	blobs blob.Store
	// unheard leaves the project without a webhook.
	unheard bool
}

// working is the service with its workers running, on a real database.
type working struct {
	*service
	db       *storage.DB
	hub      *notify.Hub
	queue    *jobs.Queue
	agents   agents.Service
	sessions *sessionLog
	records  sessions.Service
	logs     *joblog.Logs
	keeper   *retention.Keeper // not started
	log      *logBuffer
	hooks    *webhooks.Hooks // which deliver nothing
	unheard  bool
}

// openWorking opens all that runs need. Close it, in any case.
func openWorking(ctx context.Context, o setup) (*working, error) {
	if o.clock == nil {
		o.clock = clock.System()
	}
	w := &working{log: &logBuffer{}, sessions: &sessionLog{Provider: o.browser}, unheard: o.unheard}
	logger := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var err error
	if w.db, err = storage.Open(ctx, storage.Options{Dir: o.dir, Clock: o.clock, Logger: logger}); err != nil {
		return nil, err
	}
	callers, err := projects.New(ctx, w.db, projects.Options{})
	if err != nil {
		return nil, err
	}
	if w.agents, err = agents.New(ctx, w.db, callers, agents.Options{}); err != nil {
		return nil, err
	}
	w.hub = notify.New(w.db, notify.Options{Logger: logger})
	if err := w.listen(ctx, callers); err != nil {
		return nil, err
	}
	w.keeper = retention.NewKeeper(w.db, retention.Options{Logger: logger})
	dead := reaper.New(w.db, reaper.Options{Logger: logger, Reaped: w.keeper.Sweep})
	w.queue = jobs.New(w.db, w.hub, jobs.Options{Reaper: dead, Logger: logger})
	if o.blobs == nil {
		o.blobs = blob.NewMemory(o.clock)
	}
	if w.logs, err = joblog.New(joblog.Config{DB: w.db, Notify: w.hub, Blobs: o.blobs, Reaper: dead, Keeper: w.keeper}); err != nil {
		return nil, err
	}
	w.records, err = sessions.New(ctx, sessions.Config{
		DB: w.db, Callers: callers, Notify: w.hub, Browser: w.sessions, Blobs: o.blobs, Logs: w.logs, Reaper: dead, Webhooks: w.hooks, Clock: o.clock, Logger: logger,
	})
	if err != nil {
		return nil, err
	}
	s, err := New(ctx, Config{
		DB: w.db, Callers: callers, Agents: w.agents, Notify: w.hub, Jobs: w.queue,
		Sessions: w.records, Model: o.model, Limits: o.limits, Retention: o.retention, Keeper: w.keeper, Logger: logger,
		Models: o.models, DefaultModel: o.standard, Prices: o.prices, Hooks: o.hooks, Tools: o.tools, Webhooks: w.hooks,
	})
	if err != nil {
		return nil, err
	}
	w.service = s.(*service)
	if o.idle {
		return w, nil
	}
	return w, w.queue.Start(ctx)
}

// shut closes everything in the order of the root.
func (w *working) shut(ctx context.Context) error {
	w.service.Close(ctx)
	err := w.queue.Stop(ctx)
	if closeErr := w.records.Close(ctx); err == nil {
		err = closeErr
	}
	if closeErr := w.logs.Close(ctx); err == nil {
		err = closeErr
	}
	if toldErr := w.told(ctx); err == nil {
		err = toldErr
	}
	w.hooks.Close(ctx)
	w.hub.Close()
	if closeErr := w.db.Close(); err == nil {
		err = closeErr
	}
	return err
}

func start(t testing.TB, o setup) *working {
	t.Helper()
	w, err := openWorking(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if err := w.shut(ended); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return w
}

func (w *working) create(t testing.TB, c Create) Run {
	t.Helper()
	r, err := w.Create(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// wait returns the run once it has ended. Its sessions must be gone by then.
func (w *working) wait(t testing.TB, id string) Run {
	t.Helper()
	r, err := w.Wait(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	w.sessions.mustBeGone(t)
	if r.Status != Completed && r.Cause == nil {
		t.Errorf("a run is %s without a cause", r.Status)
	}
	if r.EndedAt.IsZero() || r.Status == Completed && r.Cause != nil || r.Result != nil && !mayHaveResult(r) {
		t.Errorf("%+v", r)
	}
	return r
}

// mayHaveResult reports whether a run may have a result: one that ran out of
// something may have a partial one.
func mayHaveResult(r Run) bool {
	return r.Status == Completed || slices.Contains([]string{CauseTimedOut, CauseStepLimit, CauseBudget}, r.Cause.Code)
}

// do creates a run and waits for its end.
func (w *working) do(t testing.TB, c Create) Run {
	t.Helper()
	return w.wait(t, w.create(t, c).ID)
}

// conversation returns all messages of a run, which must be whole: every call
// has its result, in the order of the calls.
func (w *working) conversation(t testing.TB, id string) []model.Message {
	t.Helper()
	page, err := w.ListMessages(t.Context(), id, MessageFilter{All: true})
	if err != nil {
		t.Fatal(err)
	}
	var all []model.Message
	var open []string
	for i, m := range page.Messages {
		if i > 0 && m.ID <= page.Messages[i-1].ID {
			t.Errorf("message %d does not sort behind the one before", i)
		}
		for _, r := range m.Message.Results() {
			if len(open) == 0 || open[0] != r.ToolCallID {
				t.Fatalf("message %d answers %q, open are %q", i, r.ToolCallID, open)
			}
			open = open[1:]
		}
		for _, c := range m.Message.Calls() {
			open = append(open, c.ToolCallID)
		}
		all = append(all, m.Message)
	}
	if len(open) > 0 {
		t.Errorf("calls without a result: %q", open)
	}
	return all
}

// sessionLog is a provider that remembers the sessions it has opened.
type sessionLog struct {
	browser.Provider
	mu     sync.Mutex
	opened []browser.Session
}

func (l *sessionLog) Open(ctx context.Context, o browser.Options) (browser.Session, error) {
	s, err := l.Provider.Open(ctx, o)
	if err == nil {
		l.mu.Lock()
		l.opened = append(l.opened, s)
		l.mu.Unlock()
	}
	return s, err
}

func (l *sessionLog) mustBeGone(t testing.TB) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.opened {
		select {
		case <-s.Done():
		default:
			t.Errorf("session %s is still there after its run", s.ID())
		}
	}
}

func (l *sessionLog) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.opened)
}

// logBuffer is what was logged.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// lines are the beginnings of the parts of a conversation, to compare.
func lines(messages []model.Message) (all []string) {
	for _, m := range messages {
		for _, p := range m.Content {
			line := string(p.Type)
			switch p.Type {
			case model.TextPart, model.ReasoningPart:
				line += " " + p.Text
			case model.ToolCallPart:
				line += fmt.Sprintf(" %s %s", p.ToolName, p.Input)
			case model.ToolResultPart:
				line += fmt.Sprintf(" %s %s: %s", p.ToolName, p.Output.Type, firstLine(*p.Output))
			}
			all = append(all, line)
		}
	}
	return all
}

// write stores a message, as a worker does.
func (s *service) write(ctx context.Context, runID string, m model.Message) error {
	x := newActiveRun(ctx, s, row{Run: Run{ID: runID}}, nil)
	defer x.close()
	return x.store(m)
}
