package runs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/joblog"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/notify"
	"github.com/drover-go/drover/internal/reaper"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/projects"
	"github.com/drover-go/drover/storage/storagetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// waiting is the service on a real database whose workers are not started: its
// runs stay PENDING.
type waiting struct {
	*service
	clock    *clock.Manual
	projects projects.Service
	agents   agents.Service
}

// noBrowser stands where no run is ever executed.
type noBrowser struct{ browser.Provider }

func openWaiting(t *testing.T, db *storage.DB, c *clock.Manual) waiting {
	t.Helper()
	callers, err := projects.New(t.Context(), db, projects.Options{})
	if err != nil {
		t.Fatal(err)
	}
	saved, err := agents.New(t.Context(), db, callers, agents.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hub := notify.New(db, notify.Options{})
	t.Cleanup(func() { hub.Close() })
	logs, err := joblog.New(joblog.Config{DB: db, Notify: hub, Blobs: blob.NewMemory(db.Clock())})
	if err != nil {
		t.Fatal(err)
	}
	records, err := sessions.New(t.Context(), sessions.Config{
		DB: db, Callers: callers, Notify: hub, Browser: noBrowser{}, Blobs: blob.NewMemory(db.Clock()), Logs: logs, Reaper: reaper.New(db, reaper.Options{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { records.Close(context.Background()) })
	s, err := New(t.Context(), Config{
		DB: db, Callers: callers, Agents: saved, Notify: hub,
		Jobs: jobs.New(db, hub, jobs.Options{}), Sessions: records,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.Background()) })
	return waiting{s.(*service), c, callers, saved}
}

func eachWaiting(t *testing.T, test func(t *testing.T, w waiting)) {
	t.Helper()
	for name, dir := range map[string]string{"memory": "", "file": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			c := clock.NewManual(noon)
			test(t, openWaiting(t, storagetest.OpenWith(t, storage.Options{Dir: dir, Clock: c}), c))
		})
	}
}

func (w waiting) make(t *testing.T, ctx context.Context, c Create) Run {
	t.Helper()
	r, err := w.Create(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRunComesBackAsItWasMade(t *testing.T) {
	t.Parallel()
	eachWaiting(t, func(t *testing.T, w waiting) {
		a, err := w.agents.Create(t.Context(), agents.Create{Name: "a", SystemPrompt: "Be brief.", ResultSchema: json.RawMessage(`{}`)})
		if err != nil {
			t.Fatal(err)
		}
		r := w.make(t, t.Context(), Create{Task: "go", AgentID: a.ID, ResultSchema: json.RawMessage(`{ "type":"object" }`)})
		want := Run{
			ID: r.ID, AgentID: a.ID, Task: "go", Status: Pending,
			ResultSchema: json.RawMessage(`{"type":"object"}`), CreatedAt: noon, UpdatedAt: noon,
		}
		got, err := w.Get(t.Context(), r.ID)
		if err != nil || !ids.Valid(r.ID) {
			t.Fatal(r.ID, err)
		}
		for _, run := range []Run{r, got} {
			if diff := cmp.Diff(want, run); diff != "" {
				t.Error(diff)
			}
		}
	})
}

func TestRunCopiesItsAgent(t *testing.T) {
	t.Parallel()
	eachWaiting(t, func(t *testing.T, w waiting) {
		a, err := w.agents.Create(t.Context(), agents.Create{Name: "a", SystemPrompt: "old", ResultSchema: json.RawMessage(`{"title":"old"}`)})
		if err != nil {
			t.Fatal(err)
		}
		r := w.make(t, t.Context(), Create{Task: "go", AgentID: a.ID})
		if _, err := w.agents.Update(t.Context(), a.ID, agents.Update{SystemPrompt: new("new"), ResultSchema: json.RawMessage(`{}`)}); err != nil {
			t.Fatal(err)
		}
		if err := w.agents.Delete(t.Context(), a.ID); err != nil {
			t.Fatal(err)
		}
		var stored row
		w.conf.DB.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
			stored, err = findRow(ctx, q, r.ID)
			return err
		})
		if err != nil || stored.systemPrompt != "old" || string(stored.schema()) != `{"title":"old"}` || stored.ResultSchema != nil {
			t.Errorf("%+v, %v", stored, err)
		}
	})
}

func TestBadRunsAreRefusedByField(t *testing.T) {
	t.Parallel()
	w := openWaiting(t, storagetest.Open(t), nil)
	long := strings.Repeat("x", 64<<10+1)
	many := map[string]Variable{}
	for i := range 101 {
		many[fmt.Sprint("v", i)] = Variable{}
	}
	one := func(v Variable) Create { return Create{Task: "x", Variables: map[string]Variable{"a": v}} }
	for name, test := range map[string]struct {
		create Create
		field  string
	}{
		"no task":          {Create{}, "task"},
		"broken task":      {Create{Task: "\xff"}, "task"},
		"long task":        {Create{Task: long}, "task"},
		"unknown agent":    {Create{Task: "x", AgentID: ids.New()}, "agentId"},
		"malformed agent":  {Create{Task: "x", AgentID: "no"}, "agentId"},
		"bad schema":       {Create{Task: "x", ResultSchema: json.RawMessage(`{"type":"what"}`)}, "resultSchema"},
		"schema no object": {Create{Task: "x", ResultSchema: json.RawMessage(`true`)}, "resultSchema"},
		"context":          {Create{Task: "x", BrowserSettings: BrowserSettings{Context: &ContextRef{ID: "c"}}}, "browserSettings.context"},
		"proxies":          {Create{Task: "x", BrowserSettings: BrowserSettings{Proxies: Proxies{Managed: true}}}, "browserSettings.proxies"},
		"proxy rules":      {Create{Task: "x", BrowserSettings: BrowserSettings{Proxies: Proxies{Rules: make([]ProxyRule, 1)}}}, "browserSettings.proxies[0].type"},
		"many variables":   {Create{Task: "x", Variables: many}, "variables"},
		"variable name":    {Create{Task: "x", Variables: map[string]Variable{"a b": {}}}, "variables"},
		"long value":       {Create{Task: "x", Variables: map[string]Variable{"a": {Value: long}}}, "variables.a.value"},
		"long hint":        {Create{Task: "x", Variables: map[string]Variable{"a": {Description: long}}}, "variables.a.description"},
		"many origins":     {one(Variable{Origins: slices.Repeat([]string{"https://a.example"}, 21)}), "variables.a.origins"},
		"origin":           {one(Variable{Origins: []string{"https://a.example", "a.example"}}), "variables.a.origins[1]"},
		"origin's path":    {one(Variable{Origins: []string{"https://a.example/x"}}), "variables.a.origins[0]"},
		"secret of codes":  {one(Variable{Value: "not base 32", TOTP: true}), "variables.a.value"},
		"length of codes":  {one(Variable{Value: "otpauth://totp/a?digits=4&secret=GEZDGNBVGY3TQOJQ", TOTP: true}), "variables.a.value"},
	} {
		_, err := w.Create(t.Context(), test.create)
		if pub := errtypes.Public(err); pub.Kind != errtypes.Invalid || pub.Field != test.field || strings.Contains(pub.Message, "base 32\"") || strings.Contains(pub.Message, "GEZD") {
			t.Errorf("%s: %v (field %q)", name, err, pub.Field)
		}
	}
	if page, _ := w.List(t.Context(), Filter{}); len(page.Runs) != 0 {
		t.Errorf("%d refused runs were stored", len(page.Runs))
	}
}

func TestRunsOfAnotherProjectDoNotExist(t *testing.T) {
	t.Parallel()
	eachWaiting(t, func(t *testing.T, w waiting) {
		if _, err := w.projects.Create(t.Context(), projects.Create{Name: "acme"}); err != nil {
			t.Fatal(err)
		}
		acme, err := w.projects.In(t.Context(), "acme")
		if err != nil {
			t.Fatal(err)
		}
		r := w.make(t, t.Context(), Create{Task: "mine"})
		_, getErr := w.Get(acme, r.ID)
		_, stopErr := w.Stop(acme, r.ID)
		_, waitErr := w.Wait(acme, r.ID)
		_, listErr := w.ListMessages(acme, r.ID, MessageFilter{})
		for _, err := range []error{getErr, stopErr, waitErr, listErr} {
			if !errtypes.Is(err, errtypes.NotFound) {
				t.Errorf("%v", err)
			}
		}
		if page, err := w.List(acme, Filter{}); err != nil || len(page.Runs) != 0 {
			t.Errorf("%d runs, %v", len(page.Runs), err)
		}
		a, err := w.agents.Create(t.Context(), agents.Create{Name: "mine"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Create(acme, Create{Task: "x", AgentID: a.ID}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("another project's agent: %v", err)
		}
		if got, _ := w.Get(t.Context(), r.ID); !cmp.Equal(got, r) {
			t.Errorf("the run changed: %+v", got)
		}
	})
}

func TestListFiltersAndPages(t *testing.T) {
	t.Parallel()
	eachWaiting(t, func(t *testing.T, w waiting) {
		a, err := w.agents.Create(t.Context(), agents.Create{Name: "a"})
		if err != nil {
			t.Fatal(err)
		}
		var made []Run
		for i := range 6 {
			w.clock.Advance(time.Second)
			c := Create{Task: fmt.Sprint(i)}
			if i%2 == 0 {
				c.AgentID = a.ID
			}
			made = append(made, w.make(t, t.Context(), c))
		}
		for _, i := range []int{0, 1} {
			if _, err := w.Stop(t.Context(), made[i].ID); err != nil {
				t.Fatal(err)
			}
		}
		for name, test := range map[string]struct {
			f    Filter
			want string
		}{
			"all":              {Filter{}, "543210"},
			"status":           {Filter{Status: Pending}, "5432"},
			"agent":            {Filter{AgentID: a.ID}, "420"},
			"both":             {Filter{AgentID: a.ID, Status: Stopped}, "0"},
			"unknown agent":    {Filter{AgentID: "none"}, ""},
			"time":             {Filter{StartAt: noon.Add(2 * time.Second), EndAt: noon.Add(4 * time.Second)}, "321"},
			"time and status":  {Filter{Status: Stopped, EndAt: noon.Add(time.Second)}, "0"},
			"status, no match": {Filter{Status: Completed}, ""},
		} {
			for _, limit := range []int{1, 2, 100} {
				if got := w.walk(t, test.f, limit); got != test.want {
					t.Errorf("%s by %d: %q, want %q", name, limit, got, test.want)
				}
			}
		}
	})
}

// walk returns the tasks of all pages.
func (w waiting) walk(t *testing.T, f Filter, limit int) (tasks string) {
	t.Helper()
	f.Limit = limit
	for {
		page, err := w.List(t.Context(), f)
		if err != nil || page.Runs == nil || page.Limit != limit {
			t.Fatal(page, err)
		}
		for _, r := range page.Runs {
			tasks += r.Task
		}
		if f.Cursor = page.NextCursor; f.Cursor == "" {
			return tasks
		}
	}
}

func TestListRefusesBadFilters(t *testing.T) {
	t.Parallel()
	w := openWaiting(t, storagetest.Open(t), nil)
	for range 2 {
		w.make(t, t.Context(), Create{Task: "x"})
	}
	page, err := w.List(t.Context(), Filter{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]Filter{
		"status": {Status: "DONE"}, "limit": {Limit: 1001}, "negative": {Limit: -1}, "cursor": {Cursor: "x"},
		"cursor of another status": {Status: Pending, Cursor: page.NextCursor},
		"cursor of another agent":  {AgentID: "a", Cursor: page.NextCursor},
	} {
		if _, err := w.List(t.Context(), f); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPendingRunStopsAtOnce(t *testing.T) {
	t.Parallel()
	eachWaiting(t, func(t *testing.T, w waiting) {
		r := w.make(t, t.Context(), Create{Task: "x", Variables: map[string]Variable{"p": {Value: "secret-value"}}})
		w.clock.Advance(time.Second)
		got, err := w.Stop(t.Context(), r.ID)
		if err != nil || got.Status != Stopped || got.Cause == nil || got.Cause.Code != CauseStopped || !got.EndedAt.Equal(noon.Add(time.Second)) {
			t.Errorf("%+v, %v", got, err)
		}
		if _, ok := w.values(r.ID); ok {
			t.Error("the values of a stopped run are kept")
		}
		if _, err := w.Stop(t.Context(), r.ID); !errtypes.Is(err, errtypes.Conflict) {
			t.Errorf("a second stop: %v", err)
		}
		if _, err := w.Stop(t.Context(), "none"); !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("no run: %v", err)
		}
		if ended, err := w.Wait(t.Context(), r.ID); err != nil || !cmp.Equal(ended, got) {
			t.Errorf("%+v, %v", ended, err)
		}
	})
}

func TestAcceptedStopWinsOverEveryOtherEnd(t *testing.T) {
	t.Parallel()
	eachWaiting(t, func(t *testing.T, w waiting) {
		for _, end := range []ending{
			{status: Completed, result: json.RawMessage(`{"a":1}`)},
			{status: Failed, cause: &Cause{CauseHeartbeatLost, "x"}},
			{status: TimedOut, cause: &Cause{CauseTimedOut, "x"}},
		} {
			r := w.make(t, t.Context(), Create{Task: "x"})
			err := w.conf.DB.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
				if _, err := startRun(ctx, tx, r.ID, noon); err != nil {
					return err
				}
				if _, err := requestStop(ctx, tx, w.projectID(t), r.ID, noon); err != nil {
					return err
				}
				got, err := endRun(ctx, tx, r.ID, end, noon)
				if got.Status != Stopped || got.Result != nil || got.Cause.Code != CauseStopped {
					t.Errorf("%s: %+v", end.status, got)
				}
				if _, err := endRun(ctx, tx, r.ID, end, noon); err == nil {
					t.Error("a run ended twice")
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

func (w waiting) projectID(t *testing.T) string {
	t.Helper()
	p, err := w.projects.Current(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p.ID
}

func TestMessagesArePagedFromOldToNew(t *testing.T) {
	t.Parallel()
	eachWaiting(t, func(t *testing.T, w waiting) {
		r, other := w.make(t, t.Context(), Create{Task: "x"}), w.make(t, t.Context(), Create{Task: "y"})
		empty, err := w.ListMessages(t.Context(), r.ID, MessageFilter{})
		if err != nil || empty.Messages == nil || len(empty.Messages) != 0 || empty.NextSince != "" {
			t.Errorf("no messages yet: %+v, %v", empty, err)
		}
		var want []string
		for i := range 25 {
			want = append(want, fmt.Sprint(i))
			content := model.Message{Role: model.Assistant, Content: []model.Part{model.Text(want[i])}}
			if err := w.write(t.Context(), r.ID, content); err != nil {
				t.Fatal(err)
			}
		}
		first, err := w.ListMessages(t.Context(), r.ID, MessageFilter{})
		if err != nil || !slices.Equal(texts(first), want[:20]) || first.NextSince != first.Messages[19].ID {
			t.Errorf("first page: %v, %v", texts(first), err)
		}
		rest, err := w.ListMessages(t.Context(), r.ID, MessageFilter{Since: first.NextSince, Limit: 100})
		if err != nil || !slices.Equal(texts(rest), want[20:]) {
			t.Errorf("rest: %v, %v", texts(rest), err)
		}
		none, err := w.ListMessages(t.Context(), r.ID, MessageFilter{Since: rest.NextSince})
		if err != nil || len(none.Messages) != 0 || none.NextSince != rest.NextSince {
			t.Errorf("nothing new: %+v, %v", none, err)
		}
		all, err := w.ListMessages(t.Context(), r.ID, MessageFilter{All: true, Limit: -5})
		if err != nil || !slices.Equal(texts(all), want) {
			t.Errorf("all: %v, %v", texts(all), err)
		}
		for name, f := range map[string]MessageFilter{
			"forged": {Since: ids.New()}, "no id": {Since: "x"}, "over": {Limit: 101}, "under": {Limit: -1},
		} {
			if _, err := w.ListMessages(t.Context(), r.ID, f); !errtypes.Is(err, errtypes.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := w.ListMessages(t.Context(), other.ID, MessageFilter{Since: first.NextSince}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("another run's message: %v", err)
		}
		var streamed MessagePage
		for m, err := range w.MessagesSince(t.Context(), r.ID, first.NextSince) {
			if err != nil {
				t.Fatal(err)
			}
			if streamed.Messages = append(streamed.Messages, m); m.ID == rest.NextSince {
				break
			}
		}
		if !slices.Equal(texts(streamed), want[20:]) {
			t.Errorf("streamed: %v", texts(streamed))
		}
		for _, err := range w.MessagesSince(t.Context(), other.ID, first.NextSince) {
			if !errtypes.Is(err, errtypes.Invalid) {
				t.Errorf("a stream behind another run's message: %v", err)
			}
		}
	})
}

func texts(p MessagePage) (all []string) {
	for _, m := range p.Messages {
		all = append(all, m.Message.Content[0].Text)
	}
	return all
}

func TestStreamYieldsMessagesAsTheyComeAndEndsWithTheRun(t *testing.T) {
	t.Parallel()
	eachWaiting(t, func(t *testing.T, w waiting) {
		r := w.make(t, t.Context(), Create{Task: "x"})
		say := func(text string) {
			if err := w.write(t.Context(), r.ID, model.Message{Role: model.Assistant, Content: []model.Part{model.Text(text)}}); err != nil {
				t.Error(err)
			}
		}
		say("0")
		var got []string
		for m, err := range w.Messages(t.Context(), r.ID) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, m.Message.Content[0].Text)
			if len(got) < 5 {
				say(fmt.Sprint(len(got)))
			} else if _, err := w.Stop(t.Context(), r.ID); err != nil {
				t.Fatal(err)
			}
		}
		if want := []string{"0", "1", "2", "3", "4"}; !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
	})
}

func TestWaitersLeaveWithTheirContextAndWithTheService(t *testing.T) {
	t.Parallel()
	w := openWaiting(t, storagetest.Open(t), nil)
	r := w.make(t, t.Context(), Create{Task: "x"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Wait(ctx, r.ID); !errtypes.Is(err, errtypes.Canceled) {
		t.Errorf("%v", err)
	}
	done := make(chan error, 2)
	go func() { _, err := w.Wait(t.Context(), r.ID); done <- err }()
	go func() {
		for _, err := range w.Messages(t.Context(), r.ID) {
			done <- err
		}
	}()
	w.conf.Notify.Close()
	for range 2 {
		if err := <-done; !errtypes.Is(err, errtypes.Unavailable) {
			t.Errorf("%v", err)
		}
	}
}

func TestClosedServiceTakesNoRuns(t *testing.T) {
	t.Parallel()
	w := openWaiting(t, storagetest.Open(t), nil)
	w.Close(t.Context())
	if _, err := w.Create(t.Context(), Create{Task: "x"}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("%v", err)
	}
}
