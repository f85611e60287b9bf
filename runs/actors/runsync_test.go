package actors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
)

// read is what a synchronous run puts out.
func read(t testing.TB, out *Output, err error) string {
	t.Helper()
	body := string(must(io.ReadAll(must(out, err)(t)))(t))
	must(0, out.Close())(t)
	return body
}

func TestASynchronousRun(t *testing.T) {
	t.Parallel()
	storagetest.Each(t, func(t *testing.T, db *storage.DB) {
		page := Func("page", func(ctx context.Context, a *Run) error {
			return a.SetRecord(ctx, "page.html", "text/html; charset=utf-8", strings.NewReader("<p>"))
		}, FuncOptions{})
		w := startOn(t, db, setup{actors: []Definition{echo, page}})
		task := taskOf(t, w, CreateTask{Actor: "~echo", Name: "one", TaskDetails: TaskDetails{Runs: RunOptions{Memory: 512}}, Input: []byte(`{"a":1,"b":{"c":2}}`)})
		out, err := w.RunTaskSync(t.Context(), "~one", Start{Input: input(`{"b":{"d":3},"e":"<>"}`)}, "")
		if got := read(t, out, err); !sameJSON(t, got, `{"a":1,"b":{"d":3},"e":"<>"}`) || out.Run.Options.Memory != 512 || out.Run.TaskID != task.ID || out.Record.ContentType != jsonType {
			t.Errorf("%s %+v", got, out.Run)
		}
		out, err = w.RunTaskSync(t.Context(), task.ID, Start{Options: RunOptions{Memory: 256}}, "OUTPUT")
		if got := read(t, out, err); got != `{"a":1,"b":{"c":2}}` || out.Run.Options.Memory != 256 {
			t.Errorf("%s %+v", got, out.Run)
		}
		out, err = w.RunSync(t.Context(), "~page", Start{}, "page.html")
		if got := read(t, out, err); got != "<p>" || out.Record.ContentType != "text/html; charset=utf-8" || out.Record.Size != 3 {
			t.Errorf("%s %+v", got, out.Record)
		}
		out, err = w.RunSync(t.Context(), "~page", Start{}, "")
		if got := read(t, out, err); got != "" || out.Record.Key != "" || out.Run.Status != Succeeded {
			t.Errorf("%s %+v", got, out.Record)
		}
		l := must(w.Runs(t.Context(), RunFilter{Task: "~one"}))(t)
		if l.Total != 2 || l.Items[0].TaskID != task.ID {
			t.Errorf("%+v", l)
		}
	})
}

// taskOf makes a task on a service with a clock of its own.
func taskOf(t testing.TB, w *world, c CreateTask) Task {
	t.Helper()
	return must(w.CreateTask(t.Context(), c))(t)
}

func TestASynchronousRunThatComesToNothing(t *testing.T) {
	t.Parallel()
	fails1 := Func("fails", func(context.Context, *Run) error { return errors.New("broken") }, FuncOptions{})
	strict := Func("strict", func(context.Context, *Run) error { return nil }, FuncOptions{InputSchema: []byte(`{"type":"object","properties":{"n":{"type":"integer","minimum":1}},"required":["n"]}`)})
	w := start(t, setup{actors: []Definition{fails1, strict, echo}, memory: 2048, limits: Limits{MaxInput: 100}})
	must(w.CreateActor(t.Context(), CreateActor{Name: "unbuilt"}))(t)
	taskOf(t, w, CreateTask{Actor: "~unbuilt", Name: "unbuilt-task"})
	taskOf(t, w, CreateTask{Actor: "~strict", Name: "strict-task", Input: []byte(`{"n":0}`)})
	taskOf(t, w, CreateTask{Actor: "~fails", Name: "fails-task"})
	body := func(contentType, text string) Start {
		return Start{Input: &Input{Body: []byte(text), ContentType: contentType}}
	}
	for i, c := range []struct {
		task  string
		start Start
		kind  errtypes.Kind
		typ   errtypes.Type
		words string
	}{
		{"none", Start{}, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no task"},
		{"somebody~strict-task", Start{}, errtypes.NotFound, errtypes.TypeRecordNotFound, "there is no task"},
		{"~unbuilt-task", Start{}, errtypes.Forbidden, errtypes.TypeUnknownBuildTag, `Build with tag "latest" was not found`},
		{"~strict-task", Start{Options: RunOptions{Build: "beta"}}, errtypes.Forbidden, errtypes.TypeUnknownBuildTag, `"beta"`},
		{"~strict-task", Start{Options: RunOptions{Build: "0.0.2"}}, errtypes.Forbidden, errtypes.TypeBuildNotFound, "0.0.2"},
		{"~strict-task", Start{Options: RunOptions{Build: "no such/tag"}}, errtypes.Invalid, "", "build"},
		{"~strict-task", Start{}, errtypes.Invalid, errtypes.TypeInvalidInput, "Input is not valid: Field input.n "},
		{"~strict-task", body("", `{"n":"x"}`), errtypes.Invalid, errtypes.TypeInvalidInput, "Field input.n must be"},
		{"~strict-task", body("", `{"n":null}`), errtypes.Invalid, errtypes.TypeInvalidInput, "Field input.n must be"},
		{"~strict-task", body("application/json", `{"n":`), errtypes.Invalid, errtypes.TypeInvalidInput, "Cannot parse body of provided input"},
		{"~strict-task", body("application/json", `[]`), errtypes.Invalid, errtypes.TypeInvalidInput, `Provided input must be object, got "array" instead.`},
		{"~strict-task", body("application/json", `"x"`), errtypes.Invalid, errtypes.TypeInvalidInput, `"string"`},
		{"~strict-task", body("application/json", `null`), errtypes.Invalid, errtypes.TypeInvalidInput, `"null"`},
		{"~strict-task", body("application/json", `true`), errtypes.Invalid, errtypes.TypeInvalidInput, `"boolean"`},
		{"~strict-task", body("application/json", `1`), errtypes.Invalid, errtypes.TypeInvalidInput, `"number"`},
		{"~strict-task", body("text/plain", `{}`), errtypes.Invalid, errtypes.TypeInvalidContentTypeHeader, "text/plain"},
		{"~strict-task", body("", `{"x":"`+strings.Repeat("x", 100)+`"}`), errtypes.TooLarge, errtypes.TypeRequestTooLarge, "the limit is 100 bytes"},
		{"~strict-task", Start{Options: RunOptions{Memory: 100}}, errtypes.Invalid, "", "power of two"},
		{"~strict-task", Start{Options: RunOptions{Memory: 4096}}, errtypes.PaymentRequired, errtypes.TypeActorMemoryLimitExceeded, "2048 MB"},
		{"~strict-task", Start{Options: RunOptions{MaxItems: -1}}, errtypes.Invalid, errtypes.TypeMaxItemsMustBeGreaterThanZero, "maxItems"},
		{"~strict-task", Start{Options: RunOptions{MaxTotalCharge: -1}}, errtypes.Invalid, errtypes.TypeMaxTotalChargeUsdMustBeGreaterThanZero, "maxTotalChargeUsd"},
		{"~fails-task", Start{}, errtypes.Invalid, errtypes.TypeRunFailed, "status: FAILED)."},
	} {
		_, err := w.RunTaskSync(t.Context(), c.task, c.start, "")
		if err == nil {
			t.Fatalf("%d: no error", i)
		}
		fails(t, err, c.kind, c.typ, c.words)
	}
}

func TestASynchronousRunThatTakesTooLong(t *testing.T) {
	t.Parallel()
	g := newGate()
	w := start(t, setup{actors: []Definition{g.heeding("slow")}, limits: Limits{SyncWait: 50 * time.Millisecond}})
	taskOf(t, w, CreateTask{Actor: "~slow", Name: "slow-task"})
	hour := time.Hour
	for _, in := range []Start{{}, {Options: RunOptions{Timeout: &hour}}} {
		_, err := w.RunTaskSync(t.Context(), "~slow-task", in, "")
		fails(t, err, errtypes.RequestTimeout, errtypes.TypeRunTimeoutExceeded, "Actor run exceeded the timeout")
		<-g.entered // it was left running
	}
	for _, r := range must(w.Runs(t.Context(), RunFilter{Task: "~slow-task"}))(t).Items {
		must(w.Abort(t.Context(), r.ID, false))(t)
		w.end(t, r.ID)
	}
}

func TestWhoStopsWaitingLeavesTheRunRunning(t *testing.T) {
	t.Parallel()
	g := newGate()
	w := start(t, setup{actors: []Definition{g.heeding("slow")}})
	gone, leave := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { _, err := w.RunSync(gone, "~slow", Start{}, ""); done <- err }()
	<-g.entered
	leave()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	r := must(w.Runs(t.Context(), RunFilter{}))(t).Items[0]
	if r.Status != Running {
		t.Errorf("%+v", r)
	}
	if got := must(w.Wait(t.Context(), r.ID, 10*time.Millisecond))(t); got.Status != Running {
		t.Errorf("%+v", got)
	}
	if got := must(w.Start(t.Context(), "~slow", Start{WaitForFinish: 10 * time.Millisecond}))(t); got.Status.Final() {
		t.Errorf("%+v", got)
	}
	close(g.leave)
	if got := must(w.Start(t.Context(), "~slow", Start{WaitForFinish: time.Hour}))(t); got.Status != Succeeded {
		t.Errorf("%+v", got)
	}
}

func TestInputsAreFilledIn(t *testing.T) {
	t.Parallel()
	rules := `{"title":"T","type":"object","schemaVersion":1,"properties":{
		"n":{"title":"N","type":"integer","description":"d","default":5,"minimum":1,"prefill":9},
		"s":{"type":"string","nullable":true,"pattern":"^a","editor":"textfield"},
		"e":{"type":"string","enum":["x","y"],"enumTitles":["X","Y"],"default":"x"},
		"l":{"type":"array","editor":"stringList","patternValue":"^b"},
		"k":{"type":"array","editor":"keyValue","patternKey":"^c","patternValue":"^d"},
		"o":{"type":"object","editor":"json","patternKey":"^e","patternValue":"^f"}}}`
	w := start(t, setup{actors: []Definition{Func("filled", echo.run, FuncOptions{InputSchema: []byte(rules)}), echo}})
	for in, want := range map[string]string{
		"":                   `{"e":"x","n":5}`,
		`{"n":2,"u":[1.50]}`: `{"e":"x","n":2,"u":[1.50]}`,
		`{"s":null,"e":"y"}`: `{"s":null,"e":"y","n":5}`,
		`{"l":["b1"]}`:       `{"l":["b1"],"e":"x","n":5}`,
		`{"k":[{"key":"c","value":"d"}],"o":{"e":"f"}}`: `{"k":[{"key":"c","value":"d"}],"o":{"e":"f"},"e":"x","n":5}`,
	} {
		r := w.run(t, "~filled", Start{Input: input(in)})
		if got := w.value(t, r, "INPUT"); !sameJSON(t, got, want) {
			t.Errorf("%s: %s", in, got)
		}
	}
	for in, words := range map[string]string{
		`{"n":0}`:                         "Field input.n ",
		`{"s":"b"}`:                       "Field input.s ",
		`{"e":null}`:                      "Field input.e ",
		`{"l":["a"]}`:                     "Field input.l.0 ",
		`{"k":[{"key":"x","value":"d"}]}`: "Field input.k.0.key ",
		`{"o":{"x":"f"}}`:                 "Field input.o",
		`{"o":{"e":"x"}}`:                 "Field input.o.e ",
		`{"n":1`:                          "Cannot parse",
	} {
		_, err := w.Start(t.Context(), "~filled", Start{Input: input(in)})
		fails(t, err, errtypes.Invalid, errtypes.TypeInvalidInput, words)
	}
	// What is no JSON is the Actor's own affair.
	r := w.run(t, "~filled", Start{Input: &Input{Body: []byte("abc"), ContentType: "text/plain"}})
	if got := w.value(t, r, "INPUT"); got != "abc" || r.Status != Failed {
		t.Errorf("%s %+v", got, r)
	}
	r = w.run(t, "~echo", Start{Input: input(`[1]`)})
	if got := w.output(t, r); got != "[1]" {
		t.Error(got)
	}
	if r = w.run(t, "~echo", Start{}); w.value(t, r, "INPUT") != "" || w.output(t, r) != "null" {
		t.Errorf("%s", w.output(t, r))
	}
}

func TestGoActorsThatAreNotInOrder(t *testing.T) {
	t.Parallel()
	for words, d := range map[string]Definition{
		"must have names":              Func("a", echo.run, FuncOptions{}),
		"58":                           Func(strings.Repeat("x", 58), echo.run, FuncOptions{}),
		"no handler":                   Func("abc", nil, FuncOptions{}),
		"Concurrent":                   Func("abc", echo.run, FuncOptions{Concurrent: -1}),
		"memory must be a power":       Func("abc", echo.run, FuncOptions{Runs: RunOptions{Memory: 100}}),
		"must be an object in JSON":    Func("abc", echo.run, FuncOptions{InputSchema: []byte("[]")}),
		`must have the type "object"`:  Func("abc", echo.run, FuncOptions{InputSchema: []byte(`{"type":"object"}`)}),
		"InputSchema is not in order:": Func("abc", echo.run, FuncOptions{InputSchema: []byte(`{"type":"object","properties":{"a":{"type":"none"}}}`)}),
	} {
		if words == "58" {
			words = "must have names"
		}
		w := must(openOn(t.Context(), storagetest.Open(t), setup{idle: true}))(t)
		t.Cleanup(func() { w.shutNow(t) })
		_, err := w.check(d)
		fails(t, err, errtypes.Invalid, "", words)
	}
	w := must(openOn(t.Context(), storagetest.Open(t), setup{idle: true}))(t)
	t.Cleanup(func() { w.shutNow(t) })
	fails(t, w.register([]Definition{echo, Func("ECHO", echo.run, FuncOptions{})}), errtypes.Invalid, "", "twice")
}

func TestPagesOfRuns(t *testing.T) {
	t.Parallel()
	db := storagetest.Open(t)
	w := start(t, setup{actors: []Definition{echo}, idle: true})
	fill(t, w, 2500)
	number := func(id string) (n int) { fmt.Sscanf(id, "run-%d", &n); return max(n, 1) }
	for _, c := range []struct {
		f           RunFilter
		total, size int
		first       int
	}{
		{RunFilter{}, 2500, 1000, 1},
		{RunFilter{Filter: Filter{Offset: 2000}}, 2500, 500, 2001},
		{RunFilter{Filter: Filter{Offset: 2500}}, 2500, 0, 0},
		{RunFilter{Filter: Filter{Desc: true, Limit: 10}}, 2500, 10, 2500},
		{RunFilter{Filter: Filter{Desc: true, Offset: 2490, Limit: 20}}, 2500, 10, 10},
		{RunFilter{Actor: "~echo", Filter: Filter{Offset: 700, Limit: 1}}, 2500, 1, 701},
		{RunFilter{Statuses: []Status{Failed}, Filter: Filter{Offset: 3}}, 25, 22, 400},
		{RunFilter{Actor: "~echo", Statuses: []Status{Failed, Ready}, Filter: Filter{Limit: 2}}, 26, 2, 1},
		{RunFilter{Statuses: []Status{"NONE"}}, 0, 0, 0},
	} {
		l := must(w.Runs(t.Context(), c.f))(t)
		if l.Total != c.total || len(l.Items) != c.size || l.Items == nil || c.size > 0 && number(l.Items[0].ID) != c.first {
			t.Errorf("%+v: %d of %d", c.f, len(l.Items), l.Total)
		}
	}
	for want, f := range map[string]RunFilter{"there is no Actor": {Actor: "none"}, "there is no task": {Task: "none"}} {
		_, err := w.Runs(t.Context(), f)
		fails(t, err, errtypes.NotFound, errtypes.TypeRecordNotFound, want)
	}
	_, err := w.Runs(t.Context(), RunFilter{Actor: "a", Task: "b"})
	fails(t, err, errtypes.Invalid, "", "actor")
	for _, column := range []string{"project_id", "actor_id", "task_id"} {
		for _, classes := range [][]string{nil, {"READY"}} {
			query, _ := runsPage(column, classes, false, 1, 2, 3, 4, 5, 6)
			plan := storagetest.QueryPlan(t, db, query)
			if strings.Contains(plan, "SCAN actor_runs") || !strings.Contains(plan, "COVERING INDEX") {
				t.Errorf("%s %v:\n%s", column, classes, plan)
			}
		}
	}
}

func TestTheLogOfARunIsFollowed(t *testing.T) {
	t.Parallel()
	g := newGate()
	w := start(t, setup{actors: []Definition{Func("speaks", func(ctx context.Context, a *Run) error {
		a.Log("one")
		<-g.leave
		a.Log("two")
		return nil
	}, FuncOptions{})}})
	r := must(w.Start(t.Context(), "~speaks", Start{}))(t)
	var all []string
	for e, err := range w.FollowLog(t.Context(), r.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, e.Message); len(all) == 1 {
			close(g.leave)
		}
	}
	if strings.Join(all, " ") != "one two" {
		t.Error(all)
	}
}
