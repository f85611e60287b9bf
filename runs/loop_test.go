package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/storage"
)

func done(success bool, reason string, result string) scripted.Turn {
	in := map[string]any{"success": success, "reason": reason}
	if result != "" {
		in["result"] = json.RawMessage(result)
	}
	return scripted.Call("done", in)
}

func click(ref string) scripted.Turn { return scripted.Call("click", map[string]string{"ref": ref}) }

func calls(parts ...model.Part) scripted.Turn { return scripted.Turn{Say: parts} }

func clickPart(id string) model.Part { return model.Call(id, "click", map[string]string{"ref": "e1"}) }

func TestAConversationFromBeginningToEnd(t *testing.T) {
	t.Parallel()
	m := scripted.New(
		calls(model.Reasoning("First look."), model.Text(" "), model.Call("c1", "navigate", map[string]string{"url": "https://a.example"})),
		click("e1"),
		done(true, "fine", `{"answer":42}`),
	)
	w := quick(t, setup{model: m})
	r := w.do(t, Create{Task: "the task"})
	if r.Status != Completed || string(r.Result) != `{"answer":42}` || r.SessionID == "" || r.StartedAt.IsZero() {
		t.Fatalf("%+v", r)
	}
	want := []string{
		"reasoning First look.",
		`tool-call navigate {"url":"https://a.example"}`,
		`tool-result navigate text: Opened "https://a.example".`,
		`tool-call click {"ref":"e1"}`,
		`tool-result click text: Clicked button "Go" [e1].`,
		`tool-call done {"reason":"fine","result":{"answer":42},"success":true}`,
		`tool-result done text: The run ends.`,
	}
	if diff := cmp.Diff(want, lines(w.conversation(t, r.ID))); diff != "" {
		t.Error(diff)
	}
	asked := m.Requests()
	if len(asked) != 3 || asked[0].Task != "the task" || asked[0].Step != 1 || asked[2].MaxSteps != 60 || len(asked[2].Messages) != 4 || len(asked[0].Tools) < 8 {
		t.Errorf("%d requests: %+v", len(asked), asked[len(asked)-1])
	}
}

func TestHowRunsEnd(t *testing.T) {
	t.Parallel()
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	bad := done(true, "", `{"n":"x"}`)
	talk := calls(model.Text("I think."))
	many := func(n int, t scripted.Turn) (all []scripted.Turn) {
		for range n {
			all = append(all, t)
		}
		return all
	}
	for name, test := range map[string]struct {
		turns  []scripted.Turn
		create Create
		limits Limits
		b      quickBrowser
		status Status
		code   string
		text   string // in the cause's message, or the result
	}{
		"no result":                  {turns: many(1, done(true, "", "")), status: Completed},
		"wrapped":                    {turns: many(1, done(true, "", `[1]`)), status: Completed, text: `{"result":[1]}`},
		"not wrapped under a schema": {turns: many(1, done(true, "", `[1]`)), create: Create{ResultSchema: json.RawMessage(`{"type":"array"}`)}, status: Completed, text: `[1]`},
		"gave up":                    {turns: many(1, done(false, "there is  no\nsuch thing", "")), status: Failed, code: CauseTaskFailed, text: "there is no such thing"},
		"gave up silently":           {turns: many(1, done(false, "", "")), status: Failed, code: CauseTaskFailed, text: "without a reason"},
		"second try fits":            {turns: []scripted.Turn{bad, done(true, "", `{"n":1}`)}, create: Create{ResultSchema: schema}, status: Completed, text: `{"n":1}`},
		"never fits":                 {turns: many(9, bad), create: Create{ResultSchema: schema}, status: Failed, code: CauseResultInvalid, text: "4 results that do not fit"},
		"refused, then gave up":      {turns: []scripted.Turn{bad, done(false, "no n", "")}, create: Create{ResultSchema: schema}, status: Failed, code: CauseResultInvalid, text: "no n"},
		"result too large":           {turns: many(4, done(true, "", `"`+strings.Repeat("x", 999)+`"`)), limits: Limits{MaxResult: 100}, status: Failed, code: CauseResultInvalid, text: "at most 100"},
		"step limit":                 {turns: many(9, click("e1")), limits: Limits{MaxSteps: 3}, status: Failed, code: CauseStepLimit, text: "3 steps"},
		"fails on and on":            {turns: many(9, click("")), status: Failed, code: CauseTaskFailed, text: "3 steps in a row failed; the last one: not executed: the same call has failed 2 times in a row (\"input: ref is required\")"},
		"a success in between":       {turns: append(append(many(2, click("")), click("e1")), append(many(2, click("")), done(true, "", ""))...), status: Completed},
		"only talks":                 {turns: many(9, talk), status: Completed, text: `{"text":"I think."}`},
		"only talks, with a schema":  {turns: many(9, talk), create: Create{ResultSchema: schema}, status: Failed, code: CauseTaskFailed, text: "stopped calling tools"},
		"talks JSON at the end":      {turns: many(9, calls(model.Text("Here it is: ```json\n{\"n\":3}\n```"))), create: Create{ResultSchema: schema}, status: Completed, text: `{"n":3}`},
		"writes the end":             {turns: many(9, calls(model.Text(`{"success":false,"reason":"no such thing"}`))), status: Failed, code: CauseTaskFailed, text: "no such thing"},
		"talks, then acts":           {turns: []scripted.Turn{talk, talk, click("e1"), talk, talk, done(true, "", "")}, status: Completed},
		"says nothing":               {turns: many(9, calls()), status: Failed, code: CauseTaskFailed, text: "stopped calling tools"},
		"no browser":                 {turns: many(1, click("e1")), b: quickBrowser{openErr: errtypes.New(errtypes.Unavailable, "there is no Chromium")}, status: Failed, code: CauseBrowser, text: "there is no Chromium"},
		"no browser, no reason":      {turns: many(1, click("e1")), b: quickBrowser{openErr: errors.New("exec: /srv/secret")}, status: Failed, code: CauseBrowser, text: "the browser could not be started"},
		"model says no":              {turns: []scripted.Turn{{Err: model.Errorf("the key is not valid")}}, status: Failed, code: CauseModel, text: "the key is not valid"},
		"model breaks":               {turns: []scripted.Turn{{Err: errors.New("dial tcp 10.0.0.1")}}, status: Failed, code: CauseModel, text: "the language model could not be asked"},
		"model panics":               {turns: []scripted.Turn{{Do: func(context.Context, model.Request) (model.Response, error) { panic("boom") }}}, status: Failed, code: CauseInternal, text: "a fault of the service"},
		"click panics":               {turns: []scripted.Turn{click("e1"), done(true, "", "")}, b: quickBrowser{act: func(context.Context, *quickSession) error { panic("boom") }}, status: Completed},
		"browser dies in a click":    {turns: many(2, click("e1")), b: quickBrowser{act: func(_ context.Context, s *quickSession) error { s.die(); return errors.New("gone") }}, status: Failed, code: CauseBrowser, text: "the browser of the run died"},
		"done in the last step":      {turns: []scripted.Turn{click("e1"), done(true, "", "")}, limits: Limits{MaxSteps: 2}, status: Completed},
		"a long reason":              {turns: many(1, done(false, strings.Repeat("ä", 2000), "")), status: Failed, code: CauseTaskFailed, text: "äää"},
	} {
		t.Run(name, func(t *testing.T) {
			b := test.b
			w := quick(t, setup{model: scripted.New(test.turns...), limits: test.limits, browser: &b})
			test.create.Task = "x"
			r := w.do(t, test.create)
			if r.Status != test.status {
				t.Fatalf("%s %+v", r.Status, r.Cause)
			}
			if r.Status == Completed && string(r.Result) != test.text {
				t.Errorf("result %s", r.Result)
			}
			if r.Cause != nil && (r.Cause.Code != test.code || !strings.Contains(r.Cause.Message, test.text) || len([]rune(r.Cause.Message)) > 500) {
				t.Errorf("%+v", r.Cause)
			}
			w.conversation(t, r.ID)
			if strings.Contains(w.log.String(), "secret-value") {
				t.Error("the log has a value")
			}
		})
	}
}

func TestNoBrowserIsStartedForARunThatNeedsNone(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{})
	r := w.do(t, Create{Task: "Write a poem about the sea"})
	if r.Status != Failed || r.Cause.Code != CauseModel || !strings.Contains(r.Cause.Message, `needs a language model, and none is configured: the sentence "Write a poem about the sea"`) {
		t.Errorf("%+v", r.Cause)
	}
	if w.sessions.count() != 0 || r.SessionID != "" {
		t.Error("a browser was started")
	}
}

func TestCallsOfAStepAreExecutedInOrderWithinTheirLimit(t *testing.T) {
	t.Parallel()
	var all []model.Part
	for i := range 7 {
		all = append(all, clickPart(fmt.Sprint("c", i)))
	}
	w := quick(t, setup{model: scripted.New(calls(all...), done(true, "", ""))})
	got := lines(w.conversation(t, w.do(t, Create{Task: "x"}).ID))
	for i := range 7 {
		want := `tool-result click text: Clicked button "Go" [e1].`
		switch {
		case i == 0:
			want = `tool-result click text: Clicked [e1].` // it has not been shown yet
		case i >= 5:
			want = "tool-result click error-text: not executed: at most 5 calls are executed in one step"
		}
		if got[7+i] != want {
			t.Errorf("result %d: %s", i, got[7+i])
		}
	}
}

func TestWhatWasPlannedForAnotherPageIsDropped(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{
		browser: &quickBrowser{moves: true},
		model:   scripted.New(click("e1"), calls(clickPart("a"), clickPart("b")), calls(model.Call("z", "done", map[string]any{"success": true}), clickPart("c"))),
	})
	got := lines(w.conversation(t, w.do(t, Create{Task: "x"}).ID))
	want := []string{
		`tool-result click text: Clicked button "Go" [e1].`,
		"tool-result click error-text: not executed: the page has changed; look at it first",
		`tool-call done {"success":true}`, `tool-call click {"ref":"e1"}`,
		"tool-result done text: The run ends.",
		"tool-result click error-text: not executed: the run has ended",
	}
	if diff := cmp.Diff(want, got[len(got)-6:]); diff != "" {
		t.Error(diff)
	}
}

func TestOddAnswersOfAModelAreMadeWhole(t *testing.T) {
	t.Parallel()
	odd := []model.Part{
		{Type: model.ToolCallPart, ToolCallID: "same", ToolName: "click", Input: json.RawMessage(`{"ref":"e1"}`)},
		{Type: model.ToolCallPart, ToolCallID: "same", ToolName: "click", Input: json.RawMessage(`not json`)},
		{Type: model.ToolCallPart, ToolName: strings.Repeat("x", 99), Input: nil},
		{Type: model.FilePart, Data: "AAAA"},
		{Type: "made-up", Text: "?"},
		{Type: model.TextPart, Text: "bad \xff byte"},
	}
	w := quick(t, setup{model: scripted.New(calls(odd...), done(true, "", ""))})
	messages := w.conversation(t, w.do(t, Create{Task: "x"}).ID)
	first := messages[0]
	if len(first.Content) != 4 || first.Content[3].Text != "bad \uFFFD byte" {
		t.Fatalf("%+v", first.Content)
	}
	ids := map[string]bool{}
	for _, c := range first.Calls() {
		if ids[c.ToolCallID] || c.ToolCallID == "" || len(c.ToolName) > 70 || !json.Valid(c.Input) {
			t.Errorf("%+v", c)
		}
		ids[c.ToolCallID] = true
	}
}

func TestAModelIsAskedAgainForAPassingReasonOnly(t *testing.T) {
	t.Parallel()
	passing, final := model.Temporaryf("busy"), model.Errorf("no")
	passing.RetryAfter = 20 * time.Second
	for name, test := range map[string]struct {
		turns   []scripted.Turn
		retries int
		asked   int
		pauses  []time.Duration
		status  Status
	}{
		"twice":     {[]scripted.Turn{{Err: passing}, {Err: passing}, done(true, "", "")}, 0, 3, []time.Duration{20 * time.Second, 20 * time.Second}, Completed},
		"too often": {[]scripted.Turn{{Err: passing}, {Err: passing}, {Err: passing}, done(true, "", "")}, 2, 3, []time.Duration{20 * time.Second, 20 * time.Second}, Failed},
		"never":     {[]scripted.Turn{{Err: passing}, done(true, "", "")}, -1, 1, nil, Failed},
		"final":     {[]scripted.Turn{{Err: final}, done(true, "", "")}, 0, 1, nil, Failed},
		"foreign":   {[]scripted.Turn{{Err: io.ErrUnexpectedEOF}, done(true, "", "")}, 0, 1, nil, Failed},
	} {
		t.Run(name, func(t *testing.T) {
			c := newSignalClock()
			m := scripted.New(test.turns...)
			w := quick(t, setup{model: m, clock: c, limits: Limits{ModelRetries: test.retries}})
			r := w.create(t, Create{Task: "x"})
			for _, pause := range test.pauses {
				c.fire(pause)
			}
			if got := w.wait(t, r.ID); got.Status != test.status || len(m.Requests()) != test.asked {
				t.Errorf("%s %+v after %d questions", got.Status, got.Cause, len(m.Requests()))
			}
		})
	}
}

// signalClock is the system's clock for all but the waits of a test's choice:
// those wait until the test fires them.
type signalClock struct {
	clock.Clock
	waits chan *signalTimer
}

func newSignalClock() *signalClock {
	return &signalClock{clock.System(), make(chan *signalTimer)}
}

type signalTimer struct {
	clock.Timer
	d time.Duration
	c chan time.Time
}

func (t *signalTimer) C() <-chan time.Time { return t.c }

// NewTimer stands still for what only runs wait for.
func (c *signalClock) NewTimer(d time.Duration) clock.Timer {
	switch d {
	case 20 * time.Second:
		t := &signalTimer{c.Clock.NewTimer(time.Hour), d, make(chan time.Time, 1)}
		go func() { c.waits <- t }()
		return t
	}
	return c.Clock.NewTimer(d)
}

// fire lets the next wait, which must be of d, end.
func (c *signalClock) fire(d time.Duration) {
	t := <-c.waits
	if t.d != d {
		panic(fmt.Sprintf("somebody waits for %v, not for %v", t.d, d))
	}
	t.c <- time.Now()
}

func TestAModelThatDoesNotAnswerIsGivenUp(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(noon)
	asked := make(chan struct{})
	hang := scripted.Turn{Do: func(ctx context.Context, _ model.Request) (model.Response, error) {
		asked <- struct{}{}
		<-ctx.Done()
		return model.Response{}, ctx.Err()
	}}
	w := quick(t, setup{model: scripted.New(hang, done(true, "", "")), clock: c, limits: Limits{ModelRetries: -1}})
	r := w.create(t, Create{Task: "x"})
	<-asked
	c.Advance(5 * time.Minute)
	got := w.wait(t, r.ID)
	if got.Status != Failed || got.Cause.Code != CauseModel || got.Cause.Message != "the model did not answer within 5m0s" {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
}

func TestTheModelIsToldAllButValues(t *testing.T) {
	t.Parallel()
	m := scripted.New(
		scripted.Call("type", map[string]string{"ref": "e2", "text": "%pass%"}),
		calls(model.Text("I saw canary-value and Y2FuYXJ5LXZhbHVl."), model.Call("c", "wait", map[string]any{"text": "canary-value", "seconds": 0})),
		done(true, "canary-value", `{"a":"<canary-value>"}`),
	)
	w := quick(t, setup{model: m, limits: Limits{MaxSteps: 3}})
	a, err := w.agents.Create(t.Context(), agents.Create{Name: "a", SystemPrompt: "Be brief.", ResultSchema: json.RawMessage(`{"type":"object"}`)})
	if err != nil {
		t.Fatal(err)
	}
	r := w.do(t, Create{Task: "x", AgentID: a.ID, Variables: map[string]Variable{"pass": {Value: "canary-value", Description: "the key"}}})
	if r.Status != Completed || string(r.Result) != `{"a":"<%pass%>"}` {
		t.Fatalf("%s %+v %s", r.Status, r.Cause, r.Result)
	}
	asked := m.Requests()
	first := asked[0]
	if diff := cmp.Diff([]model.Variable{{Name: "pass", Description: "the key"}}, first.Variables); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(first.System, "- %pass%: the key\n") || !strings.Contains(first.System, "Be brief.") || first.Instructions != "Be brief." || string(first.ResultSchema) != `{"type":"object"}` {
		t.Errorf("%+v", first)
	}
	if len(asked[2].Tools) != 1 || asked[2].Tools[0].Name != "done" {
		t.Errorf("the last step has %d tools", len(asked[2].Tools))
	}
	raw, err := json.Marshal([]any{asked, w.conversation(t, r.ID), w.log.String(), r})
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{"canary-value", "Y2FuYXJ5LXZhbHVl"} {
		if strings.Contains(string(raw), form) {
			t.Errorf("%s shows", form)
		}
	}
}

func TestReplayStaysInMemory(t *testing.T) {
	t.Parallel()
	m := scripted.New(
		scripted.Turn{Do: func(context.Context, model.Request) (model.Response, error) {
			return model.Response{Content: []model.Part{clickPart("c")}, Replay: "signature-1"}, nil
		}},
		done(true, "", ""),
	)
	w := quick(t, setup{model: m})
	r := w.do(t, Create{Task: "x"})
	if got := m.Requests()[1].Messages[0].Replay; got != "signature-1" {
		t.Errorf("the provider gets %v back", got)
	}
	if w.conversation(t, r.ID)[0].Replay != nil {
		t.Error("it is stored")
	}
}

func TestABrowserThatDiesWhileTheModelThinksEndsTheRun(t *testing.T) {
	t.Parallel()
	var session *quickSession
	b := &quickBrowser{act: func(_ context.Context, s *quickSession) error { session = s; return nil }}
	w := quick(t, setup{browser: b, model: scripted.New(click("e1"), scripted.Turn{Do: func(ctx context.Context, _ model.Request) (model.Response, error) {
		session.die()
		<-ctx.Done()
		return model.Response{}, ctx.Err()
	}})})
	r := w.do(t, Create{Task: "x"})
	if r.Status != Failed || *r.Cause != (Cause{CauseBrowser, "the browser of the run died"}) {
		t.Errorf("%s %+v", r.Status, r.Cause)
	}
}

func TestARunThatIsStoppedWhileItIsTakenUpIsNotBegun(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{idle: true, model: scripted.New()})
	r := w.create(t, Create{Task: "x"})
	if _, err := w.Stop(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.executor.Work(t.Context(), jobs.Job{Kind: jobKind, Ref: r.ID}); err != nil {
		t.Error(err)
	}
	if err := w.executor.Work(t.Context(), jobs.Job{Kind: jobKind, Ref: "none"}); err != nil {
		t.Errorf("a job without a run: %v", err)
	}
	if got := w.wait(t, r.ID); got.Status != Stopped || w.sessions.count() != 0 {
		t.Errorf("%+v", got)
	}
}

func TestNothingIsSaidInARunThatHasEnded(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{})
	r := w.do(t, Create{Task: "Sing"})
	err := w.write(t.Context(), r.ID, model.Message{Role: model.Assistant, Content: []model.Part{model.Text("late")}})
	if !errors.Is(err, storage.ErrNoRow) || len(w.conversation(t, r.ID)) != 0 {
		t.Errorf("%v", err)
	}
}

func TestValuesOfRunsThatEndElsewhereAreDroppedWhenThatIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w, other := quick(t, setup{dir: dir, idle: true}), quick(t, setup{dir: dir, idle: true})
	variables := map[string]Variable{"p": {Value: "secret-value"}}
	first, second := w.create(t, Create{Task: "x", Variables: variables}), w.create(t, Create{Task: "x", Variables: variables})
	if _, err := other.Stop(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	w.untilDropped(t, first.ID)
	if _, ok := w.values(second.ID); !ok {
		t.Error("the values of a pending run are dropped")
	}
	if _, err := other.Stop(t.Context(), second.ID); err != nil {
		t.Fatal(err)
	}
	w.untilDropped(t, second.ID)
}

// untilDropped returns when the values of a run are gone; the test's own time
// bounds it.
func (w *working) untilDropped(t *testing.T, id string) {
	t.Helper()
	changes := w.hub.Subscribe("test")
	defer changes.Close()
	for {
		if _, ok := w.values(id); !ok {
			return
		}
		select {
		case <-changes.C(): // the keeper has been woken, too
		case <-t.Context().Done():
			t.Fatal("the values of a stopped run are kept")
		default:
			runtime.Gosched()
		}
	}
}

func TestValuesAreDroppedWithWhateverEndsTheirRun(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{idle: true})
	variables := map[string]Variable{"p": {Value: "secret-value"}}
	for name, end := range map[string]func(r Run) error{
		"used up": func(r Run) error {
			return w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
				return w.executor.Exhausted(ctx, tx, jobs.Job{Kind: jobKind, Ref: r.ID}, io.ErrClosedPipe)
			})
		},
		"stopped": func(r Run) error { _, err := w.Stop(t.Context(), r.ID); return err },
		"found ended": func(r Run) error {
			err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
				_, err := w.service.end(ctx, tx, r.ID, ending{status: Stopped}, w.now())
				return err
			})
			return errors.Join(err, w.executor.Work(t.Context(), jobs.Job{Kind: jobKind, Ref: r.ID}))
		},
		"gone": func(r Run) error {
			err := w.db.Write(t.Context(), func(ctx context.Context, tx *storage.Tx) error {
				_, err := tx.Exec(ctx, `DELETE FROM agent_runs WHERE id = $1`, r.ID)
				return err
			})
			return errors.Join(err, w.executor.Work(t.Context(), jobs.Job{Kind: jobKind, Ref: r.ID}))
		},
	} {
		r := w.create(t, Create{Task: "x", Variables: variables})
		if err := end(r); err != nil {
			t.Fatal(name, err)
		}
		if _, ok := w.values(r.ID); ok {
			t.Errorf("%s: the values are kept", name)
		}
	}
}

func TestFormatsOfTheResultAreChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ format, good, bad string }{
		{"email", "ada@example.com", "ada at example"},
		{"date-time", "2026-03-01T12:00:00Z", "yesterday"},
		{"date", "2026-03-01", "1.3.2026"},
		{"uri", "https://example.com/a", "not a uri"},
		{"uuid", "0193b7a2-5a5c-7c3e-8c1b-0242ac120002", "17"},
		{"unheard-of", "anything", ""},
	} {
		schema := `{"type":"object","properties":{"v":{"type":"string","format":"` + c.format + `"}}}`
		result := func(v string) string { return `{"v":"` + v + `"}` }
		w := quick(t, setup{model: scripted.New(done(true, "", result(c.good)))})
		if r := w.do(t, Create{Task: "x", ResultSchema: json.RawMessage(schema)}); r.Status != Completed {
			t.Errorf("%s: %+v", c.format, r.Cause)
		}
		if c.bad == "" {
			continue
		}
		w = quick(t, setup{model: scripted.New(slices.Repeat([]scripted.Turn{done(true, "", result(c.bad))}, 4)...)})
		r := w.do(t, Create{Task: "x", ResultSchema: json.RawMessage(schema)})
		if r.Status != Failed || r.Cause.Code != CauseResultInvalid || !strings.Contains(r.Cause.Message, "/v") || !strings.Contains(r.Cause.Message, c.format) {
			t.Errorf("%s: %s %+v", c.format, r.Status, r.Cause)
		}
	}
}
