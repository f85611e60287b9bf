package runs

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/plain"
	"github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
)

// session opens a session that lasts until the test ends.
func (w *working) session(t *testing.T, s sessions.Settings) string {
	t.Helper()
	got, err := w.records.Create(t.Context(), sessions.Create{Settings: s, KeepAlive: true})
	if err != nil {
		t.Fatal(err)
	}
	return got.ID
}

func TestOneThingIsDoneInASession(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		model model.Model
		act   Act
		calls []Call
		kind  errtypes.Kind
		fails bool
	}{
		"by a model":          {scripted.New(click("e1"), done(true, "", "")), Act{Instruction: "Press the button"}, []Call{{Tool: "click", Input: json.RawMessage(`{"ref":"e1"}`)}}, 0, false},
		"by written steps":    {plain.New(), Act{Instruction: `click "Go"`}, []Call{{Tool: "snapshot", Input: json.RawMessage(`{}`)}, {Tool: "click", Input: json.RawMessage(`{"ref":"e1"}`)}}, 0, false},
		"as a call":           {scripted.New(), Act{Call: &Call{Tool: "click", Input: json.RawMessage(`{"ref":"e1"}`)}}, []Call{{Tool: "click", Input: json.RawMessage(`{"ref":"e1"}`)}}, 0, false},
		"it gives up":         {scripted.New(click("e1"), done(false, "no such button", "")), Act{Instruction: "x"}, []Call{{Tool: "click", Input: json.RawMessage(`{"ref":"e1"}`)}}, errtypes.Conflict, true},
		"too many steps":      {scripted.New(click("e1"), click("e1")), Act{Instruction: "x", MaxSteps: 1}, []Call{}, errtypes.Conflict, true},
		"the model fails":     {scripted.New(), Act{Instruction: "x"}, []Call{}, errtypes.BadGateway, true},
		"a call that fails":   {scripted.New(), Act{Call: &Call{Tool: "click", Input: json.RawMessage(`{}`)}}, []Call{}, errtypes.Conflict, true},
		"no such tool":        {scripted.New(), Act{Call: &Call{Tool: "dance"}}, []Call{}, errtypes.Conflict, true},
		"nothing to be done":  {scripted.New(), Act{}, nil, errtypes.Invalid, true},
		"two things at once":  {scripted.New(), Act{Instruction: "x", Call: &Call{Tool: "click"}}, nil, errtypes.Invalid, true},
		"more steps than may": {scripted.New(), Act{Instruction: "x", MaxSteps: 100}, nil, errtypes.Invalid, true},
	} {
		w := quick(t, setup{model: c.model})
		got, err := w.Act(t.Context(), w.session(t, sessions.Settings{NoRecording: true}), c.act)
		if (err != nil) != c.fails || err != nil && !errtypes.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.calls, got.Calls); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if rows := w.rows(t); rows != 0 {
			t.Errorf("%s: %d rows", name, rows)
		}
	}
}

// rows counts runs, messages and jobs.
func (w *working) rows(t *testing.T) (n int) {
	t.Helper()
	err := w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT (SELECT count(*) FROM agent_runs) + (SELECT count(*) FROM run_messages) + (SELECT count(*) FROM jobs WHERE kind <> 'webhook')`).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAOneShotEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(ctx context.Context, w *working, id string) error{
		"act": func(ctx context.Context, w *working, id string) error {
			_, err := w.Act(ctx, id, Act{Instruction: "x"})
			return err
		},
		"observe": func(ctx context.Context, w *working, id string) error {
			_, err := w.Observe(ctx, id, Observe{Instruction: "x"})
			return err
		},
		"extract": func(ctx context.Context, w *working, id string) error {
			_, err := w.Extract(ctx, id, Extract{Instruction: "x"})
			return err
		},
	} {
		asked := make(chan struct{})
		w := quick(t, setup{model: scripted.New(hanging(asked))})
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := make(chan error)
		id := w.session(t, sessions.Settings{})
		go func() { ended <- do(ctx, w, id) }()
		<-asked
		gone := errors.New("the caller has gone")
		cancel(gone)
		if err := <-ended; !errors.Is(err, gone) {
			t.Errorf("%s: %v", name, err)
		}
		if s, err := w.records.Get(t.Context(), id); err != nil || s.Status != sessions.Running {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

func TestARunInASessionThatExists(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{model: scripted.New(click("e1"), done(true, "", ""), click("e1"), done(true, "", ""))})
	id := w.session(t, sessions.Settings{NoRecording: true})
	for range 2 {
		r := w.create(t, Create{Task: "x", SessionID: id, Variables: map[string]Variable{"v": {Value: "value"}}})
		got, err := w.Wait(t.Context(), r.ID)
		if err != nil || got.Status != Completed || got.SessionID != id {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	if s, err := w.records.Get(t.Context(), id); err != nil || s.Status != sessions.Running {
		t.Errorf("%+v, %v", s, err)
	}
	if n := w.sessions.count(); n != 1 {
		t.Errorf("%d sessions were opened", n)
	}
	recorded := w.session(t, sessions.Settings{})
	for want, c := range map[string]Create{
		`sessionId names no session: there is no "none"`:                                                             {SessionID: "none"},
		"sessionId names a session whose frames are recorded, which would show the values of variables: " + recorded: {SessionID: recorded, Variables: map[string]Variable{"v": {Value: "value"}}},
		"browserSettings must be empty: the session " + id + " has its own":                                          {SessionID: id, BrowserSettings: BrowserSettings{Verified: true}},
		"keepSession must be false: a run does not end a session that it was given":                                  {SessionID: id, KeepSession: true},
		"allowedDomains must be empty: the session " + id + " has its own":                                           {SessionID: id, AllowedDomains: []string{"a.example"}},
		"allowedDomains[0] must be a domain such as example.com, which stands for what is below it, too":             {AllowedDomains: []string{"no domain"}},
	} {
		c.Task = "x"
		if _, err := w.Create(t.Context(), c); publicText(err, "") != want {
			t.Errorf("%v instead of %s", err, want)
		}
	}
	if _, err := w.records.Release(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Create(t.Context(), Create{Task: "x", SessionID: id}); publicText(err, "") != "sessionId names a session that has ended: "+id {
		t.Error(err)
	}
}

func TestARunKeepsItsSession(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{model: scripted.New(click("e1"), done(true, "", ""))})
	r := w.create(t, Create{Task: "x", KeepSession: true})
	got, err := w.Wait(t.Context(), r.ID)
	if err != nil || got.Status != Completed {
		t.Fatalf("%+v, %v", got, err)
	}
	if s, err := w.records.Get(t.Context(), got.SessionID); err != nil || s.Status != sessions.Running {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := w.Act(t.Context(), got.SessionID, Act{Call: &Call{Tool: "click", Input: json.RawMessage(`{"ref":"e1"}`)}}); err != nil {
		t.Error(err)
	}
}

func TestOneShotsInASessionTakeTurns(t *testing.T) {
	t.Parallel()
	clicks := 0 // which two at a time would race for
	w := quick(t, setup{model: plain.New(), browser: &quickBrowser{clicked: &clicks}})
	id := w.session(t, sessions.Settings{})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := w.Act(t.Context(), id, Act{Call: &Call{Tool: "click", Input: json.RawMessage(`{"ref":"e1"}`)}}); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if seen, err := w.Observe(t.Context(), id, Observe{}); err != nil || len(seen.Calls) != 2 {
				t.Errorf("%+v, %v", seen, err)
			}
		})
		all.Go(func() {
			if got, err := w.Extract(t.Context(), id, Extract{Instruction: "return the title"}); err != nil || got.Result == nil {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
	all.Wait()
	if clicks != 8 {
		t.Errorf("%d clicks", clicks)
	}
}

func TestOneShotsEndWithTheServiceAndTheirSession(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *working, id string) error{
		"the service closes":      func(w *working, _ string) error { return w.service.Close(t.Context()) },
		"the session is released": func(w *working, id string) error { _, err := w.records.Release(t.Context(), id); return err },
	} {
		asked := make(chan struct{})
		w := quick(t, setup{model: scripted.New(click("e1"), hanging(asked))})
		id := w.session(t, sessions.Settings{})
		ended := make(chan error, 1)
		go func() {
			_, err := w.Act(t.Context(), id, Act{Instruction: "x"})
			ended <- err
		}()
		<-asked
		if err := end(w, id); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; !errtypes.Is(err, errtypes.Unavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatAOneShotUsesIsSavedAsItGoes(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	w := quick(t, setup{model: scripted.New(using(click("e1"), 1000, 1), hanging(asked))})
	id := w.session(t, sessions.Settings{})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := w.Act(ctx, id, Act{Instruction: "x"})
		ended <- err
	}()
	<-asked
	var tokens int64
	err := w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT sum(tokens) FROM model_usage`).Scan(&tokens)
	})
	if err != nil || tokens != 1001 {
		t.Errorf("%d tokens are saved, %v", tokens, err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
