package functions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/sessions"
	"github.com/drover-go/drover/storage"
)

type greeting struct {
	Name  string `json:"name"`
	Times int    `json:"times,omitempty"`
}

func greet() Definition {
	return Typed("greet", func(_ context.Context, inv *Invocation, in greeting) (map[string]string, error) {
		inv.Logger().Info("greeting", "name", in.Name)
		return map[string]string{"text": "Hello, " + in.Name}, nil
	}, FuncOptions{})
}

func nothing(context.Context, *Invocation) (any, error) { return nil, nil }

func TestAFunctionIsInvoked(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{greet()}})
	inv := w.do(t, "greet", Invoke{Params: []byte(` { "name" : "Ada" } `)})
	if inv.Status != Completed || string(inv.Result) != `{"text":"Hello, Ada"}` || string(inv.Params) != `{"name":"Ada"}` || inv.SessionID == "" || inv.StartedAt.IsZero() {
		t.Errorf("%+v", inv)
	}
	f, err := w.Get(t.Context(), inv.FunctionID)
	if err != nil || f.Name != "greet" || f.CurrentVersionID != inv.VersionID {
		t.Errorf("%+v %v", f, err)
	}
	logs, err := w.Logs(t.Context(), inv.ID)
	if err != nil || len(logs) != 1 || logs[0].Message != `level=INFO msg=greeting name=Ada` {
		t.Errorf("%v %v", logs, err)
	}
}

func TestTheLogCanBeFollowed(t *testing.T) {
	t.Parallel()
	next := make(chan struct{})
	w := start(t, setup{functions: []Definition{Func("count", func(ctx context.Context, inv *Invocation) (any, error) {
		for i := range 3 {
			inv.Logger().Info(fmt.Sprint(i))
			select {
			case <-next:
			case <-ctx.Done():
			}
		}
		return 3, nil
	}, FuncOptions{})}})
	inv := w.invoke(t, "count", Invoke{})
	n := 0
	for e, err := range w.Follow(t.Context(), inv.ID) {
		if err != nil || e.Message != fmt.Sprintf("level=INFO msg=%d", n) {
			t.Errorf("%q %v", e.Message, err)
		}
		n++
		next <- struct{}{} // the next line is written once this one was read
	}
	if n != 3 {
		t.Errorf("%d entries", n)
	}
}

func TestParametersThatDoNotFitMakeNoInvocation(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{greet()}, limits: Limits{MaxParams: 100}})
	for params, want := range map[string]string{
		`{}`:         `params do not fit the schema of the function: it must have the property "name"`,
		`{"name":1}`: "params do not fit the schema of the function: /name must be string, but is number",
		`[]`:         "params must be a JSON object",
		`null`:       "params must be a JSON object",
		`{`:          "params must be a JSON object",
		`{"name":"` + strings.Repeat("x", 100) + `"}`: "params must be at most 100 bytes",
		`{"name":"a","wings":2}`:                      "wings",
	} {
		_, err := w.Invoke(t.Context(), "greet", Invoke{Params: []byte(params)})
		if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(errtypes.Public(err).Message, want) {
			t.Errorf("%s: %v", params, err)
		}
	}
	f, _ := w.Get(t.Context(), "greet")
	if l, err := w.Invocations(t.Context(), f.CurrentVersionID, Filter{}); err != nil || l.Total != 0 {
		t.Errorf("%+v %v", l, err)
	}
}

func TestHowAFunctionFails(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		run  Handler
		code string
		text string
	}{
		"an error":  {func(context.Context, *Invocation) (any, error) { return nil, errors.New("no luck") }, CauseWorkload, "no luck"},
		"a panic":   {func(context.Context, *Invocation) (any, error) { panic("oh") }, CauseWorkload, "panic: oh"},
		"no JSON":   {func(context.Context, *Invocation) (any, error) { return make(chan int), nil }, CauseWorkload, "cannot be encoded"},
		"too large": {func(context.Context, *Invocation) (any, error) { return strings.Repeat("x", 2000), nil }, CauseWorkload, "the result has 2002 bytes; at most 1000 are kept"},
		"no browser": {func(ctx context.Context, inv *Invocation) (any, error) {
			_, err := inv.Browser(ctx)
			return nil, err
		}, CauseInternal, "the browser of the invocation could not be opened: there is no browser"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, setup{functions: []Definition{Func("f", c.run, FuncOptions{})}, limits: Limits{MaxResult: 1000}})
			inv := w.do(t, "f", Invoke{})
			if inv.Status != Failed || inv.Cause.Code != c.code || !strings.Contains(inv.Cause.Message, c.text) {
				t.Errorf("%s %+v", inv.Status, inv.Cause)
			}
		})
	}
}

func TestAPanicIsInTheLogWithItsPlace(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{Func("f", func(context.Context, *Invocation) (any, error) { panic("oh") }, FuncOptions{})}})
	logs, err := w.Logs(t.Context(), w.do(t, "f", Invoke{}).ID)
	if err != nil || len(logs) == 0 || !strings.Contains(logs[0].Message, "panic: oh") || !strings.Contains(logs[0].Message, "functions_test.go") {
		t.Errorf("%+v %v", logs, err)
	}
}

func TestTimeIsOver(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{Func("wait", func(ctx context.Context, _ *Invocation) (any, error) {
		<-ctx.Done()
		return "late", nil
	}, FuncOptions{})}})
	inv := w.do(t, "wait", Invoke{Timeout: time.Second})
	if inv.Status != Failed || inv.Cause.Code != CauseTimedOut || inv.Cause.Message != "the invocation took longer than 1s" {
		t.Errorf("%s %+v", inv.Status, inv.Cause)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	began := make(chan struct{}, 1)
	w := start(t, setup{functions: []Definition{
		Func("wait", func(ctx context.Context, _ *Invocation) (any, error) {
			began <- struct{}{}
			<-ctx.Done()
			return "whole", nil
		}, FuncOptions{Concurrent: 1}),
	}})
	running := w.invoke(t, "wait", Invoke{})
	<-began
	waiting := w.invoke(t, "wait", Invoke{})
	for _, inv := range []Invocation{waiting, running} {
		if _, err := w.Cancel(t.Context(), inv.ID); err != nil {
			t.Fatal(err)
		}
		inv, err := w.Wait(t.Context(), inv.ID)
		if err != nil || inv.Status != Failed || inv.Cause.Message != cancelledMessage || inv.Result != nil {
			t.Errorf("%+v %v", inv, err)
		}
		if _, err := w.Cancel(t.Context(), inv.ID); !errtypes.Is(err, errtypes.Conflict) {
			t.Errorf("cancelled again: %v", err)
		}
	}
}

func TestALargeResultIsWhole(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("ä", 100_000)
	w := start(t, setup{functions: []Definition{Func("f", func(context.Context, *Invocation) (any, error) { return text, nil }, FuncOptions{})}})
	inv := w.do(t, "f", Invoke{})
	if string(inv.Result) != `"`+text+`"` {
		t.Errorf("%d bytes", len(inv.Result))
	}
	var inRow *string
	if err := w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		return q.QueryRow(ctx, `SELECT result FROM function_invocations`).Scan(&inRow)
	}); err != nil || inRow != nil {
		t.Errorf("the row has it, too: %v", err)
	}
	if n, err := w.deleteBatch(t.Context(), inv.EndedAt); n != 1 || err != nil {
		t.Errorf("%d deleted, %v", n, err)
	}
	for e := range w.blobs.All(t.Context()) {
		t.Errorf("%s is left", e.Key)
	}
}

func TestTheSameKeyIsTheSameInvocation(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{greet()}})
	in := Invoke{Params: []byte(`{"name":"Ada"}`), IdempotencyKey: "k"}
	first := w.do(t, "greet", in)
	again := w.invoke(t, "greet", in)
	if again.ID != first.ID || again.Status != Completed {
		t.Errorf("%+v", again)
	}
	in.Params = []byte(`{"name":"Bob"}`)
	if _, err := w.Invoke(t.Context(), "greet", in); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("something else with the key: %v", err)
	}
}

func TestAChangedRegistrationIsAVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	open := func(d Definition) (f Function, versions []Version) {
		w := start(t, setup{dir: dir, functions: []Definition{d}, idle: true})
		f, err := w.Get(t.Context(), "f")
		if err != nil {
			t.Fatal(err)
		}
		l, err := w.Versions(t.Context(), "f", Page{})
		if err != nil {
			t.Fatal(err)
		}
		return f, l.Items
	}
	first, v1 := open(Func("f", nothing, FuncOptions{}))
	same, v2 := open(Func("f", nothing, FuncOptions{}))
	if first.ID != same.ID || len(v1) != 1 || len(v2) != 1 {
		t.Errorf("%+v %+v", v1, v2)
	}
	changed, v3 := open(Func("f", nothing, FuncOptions{Session: sessions.Settings{Verified: true}}))
	if changed.ID != first.ID || len(v3) != 2 || v3[0].Number != 2 || changed.CurrentVersionID != v3[0].ID || !bytes.Contains(v3[0].Session, []byte("verified")) {
		t.Errorf("%+v %+v", changed, v3)
	}
}

func TestRollback(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, setup{dir: dir, functions: []Definition{Func("f", nothing, FuncOptions{})}, idle: true})
	w := start(t, setup{dir: dir, functions: []Definition{greet(), Func("f", nothing, FuncOptions{Timeout: time.Minute})}})
	l, _ := w.Versions(t.Context(), "f", Page{})
	if f, err := w.Rollback(t.Context(), "f", l.Items[1].ID); err != nil || f.CurrentVersionID != l.Items[1].ID {
		t.Errorf("%+v %v", f, err)
	}
	if inv := w.do(t, "f", Invoke{}); inv.VersionID != l.Items[1].ID || inv.Timeout != 15*time.Minute {
		t.Errorf("%+v", inv)
	}
	if inv := w.do(t, "f", Invoke{VersionID: l.Items[0].ID}); inv.Timeout != time.Minute {
		t.Errorf("%+v", inv)
	}
	if _, err := w.Rollback(t.Context(), "greet", l.Items[0].ID); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("a version of another function: %v", err)
	}
}

func TestDefinitionsThatAreNotInOrder(t *testing.T) {
	t.Parallel()
	for want, all := range map[string][]Definition{
		"Functions must have names":                   {Func("", nothing, FuncOptions{})},
		"Functions.f has no handler":                  {Func("f", nil, FuncOptions{})},
		"Functions.f.Timeout must be from 1 second":   {Func("f", nothing, FuncOptions{Timeout: time.Hour})},
		"Functions.f.ParamsSchema":                    {Func("f", nothing, FuncOptions{ParamsSchema: []byte(`{"type":1}`)})},
		`Functions has "f" twice`:                     {Func("f", nothing, FuncOptions{}), Func("f", nothing, FuncOptions{})},
		`there is no project "elsewhere"`:             {Func("f", nothing, FuncOptions{Project: "elsewhere"})},
		"Functions.f has parameters without a schema": {Typed("f", func(context.Context, *Invocation, chan int) (int, error) { return 0, nil }, FuncOptions{})},
		"Functions.f.Concurrent must not be negative": {Func("f", nothing, FuncOptions{Concurrent: -1})},
	} {
		w, err := openWorking(t.Context(), setup{functions: all, idle: true})
		if err == nil || !strings.Contains(errtypes.Public(err).Message, want) {
			t.Errorf("%s: %v", want, err)
		}
		if w != nil {
			w.shut(t.Context())
		}
	}
}

func TestWhoDoesNotHaveAFunctionLeavesItAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	has := start(t, setup{dir: dir, functions: []Definition{greet()}, idle: true})
	other := start(t, setup{dir: dir})
	inv := other.invoke(t, "greet", Invoke{Params: []byte(`{"name":"Ada"}`)})
	if err := has.queue.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	done, err := other.Wait(t.Context(), inv.ID)
	if err != nil || done.Status != Completed {
		t.Errorf("%+v %v", done, err)
	}
}

func TestSettingsOfTheSession(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{Func("f", nothing, FuncOptions{Session: sessions.Settings{BlockAds: true, Viewport: sessions.Viewport{Width: 800}}})}})
	for text, want := range map[string]string{
		`{"browserSettings":{"viewport":{"height":600}},"userMetadata":{"a":1}}`: "",
		`{"keepAlive":true}`: "sessionCreateParams.keepAlive cannot be set here",
		`[]`:                 "sessionCreateParams must be a JSON object",
		`{"browserSettings":{"viewport":{"height":-1}}}`:            "sessionCreateParams.browserSettings.viewport.height",
		`{"proxies":[{"type":"external","server":"nonsense://x"}]}`: "proxies[0].server",
		`{"browserSettings":{"context":{"id":"no"}}}`:               "context",
	} {
		_, err := w.Invoke(t.Context(), "f", Invoke{Session: []byte(text)})
		if want == "" && err != nil || want != "" && (!errtypes.Is(err, errtypes.Invalid) || !strings.Contains(errtypes.Public(err).Message, want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	merged, err := merge([]byte(`{"a":{"b":1,"c":[1,2]},"d":1}`), []byte(`{"a":{"c":[3],"e":{}},"d":{"f":2}}`))
	if err != nil || string(merged) != `{"a":{"b":1,"c":[3],"e":{}},"d":{"f":2}}` {
		t.Errorf("%s %v", merged, err)
	}
}

func TestPasswordsOfProxiesAreInNoRow(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{Func("f", nothing, FuncOptions{Session: sessions.Settings{
		Proxies: sessions.Proxies{Rules: []sessions.ProxyRule{{Type: "external", Server: "http://proxy.example:1", Username: "u", Password: "hunter22"}}},
	}})}})
	inv := w.do(t, "f", Invoke{Session: []byte(`{"proxies":[{"type":"external","server":"http://proxy.example:2","username":"u","password":"hunter33"}]}`)})
	if inv.Status != Completed {
		t.Fatalf("%+v", inv.Cause)
	}
	err := w.db.Read(t.Context(), func(ctx context.Context, q storage.Querier) error {
		for _, query := range []string{`SELECT coalesce(session, '') FROM function_versions`, `SELECT coalesce(session, '') FROM function_invocations`} {
			var text string
			if err := q.QueryRow(ctx, query).Scan(&text); err != nil {
				return err
			}
			if strings.Contains(text, "hunter") {
				t.Errorf("%s: %s", query, text)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestListsArePaged(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{greet(), Func("f", nothing, FuncOptions{})}})
	f, _ := w.Get(t.Context(), "f")
	for range 5 {
		w.do(t, "f", Invoke{})
	}
	l, err := w.Invocations(t.Context(), f.CurrentVersionID, Filter{Page: Page{Offset: 3, Limit: 3}, Status: Completed})
	if err != nil || l.Total != 5 || len(l.Items) != 2 || l.Items[0].ID <= l.Items[1].ID {
		t.Errorf("%+v %v", l, err)
	}
	if l, err := w.Invocations(t.Context(), f.CurrentVersionID, Filter{Status: "LOST"}); err != nil || l.Total != 0 || len(l.Items) != 0 {
		t.Errorf("%+v %v", l, err)
	}
	if l, err := w.List(t.Context(), Page{Limit: 1}); err != nil || l.Total != 2 || len(l.Items) != 1 {
		t.Errorf("%+v %v", l, err)
	}
	for _, p := range []Page{{Offset: -1}, {Limit: -1}, {Limit: 101}} {
		if _, err := w.List(t.Context(), p); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	for _, err := range []error{
		second(w.Get(t.Context(), "no")), second(w.Version(t.Context(), "no")), second(w.Invocation(t.Context(), "no")),
		second(w.Invoke(t.Context(), "no", Invoke{})), second(w.Logs(t.Context(), "no")), w.Delete(t.Context(), "no"),
	} {
		if !errtypes.Is(err, errtypes.NotFound) {
			t.Errorf("%v", err)
		}
	}
	if err := w.Delete(t.Context(), "f"); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("a function of the host was deleted: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }
