package functions

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/sessions"
)

type panicsOnEncoding struct{}

func (panicsOnEncoding) MarshalJSON() ([]byte, error) { panic("no JSON") }

type panicsOnError struct{}

func (panicsOnError) Error() string { panic("no words") }

// What is a handler's own fails the invocation, wherever it does.
func TestWhatIsTheHandlersOwnIsAWorkload(t *testing.T) {
	t.Parallel()
	w := start(t, setup{functions: []Definition{
		Func("result", func(context.Context, *Invocation) (any, error) { return panicsOnEncoding{}, nil }, FuncOptions{}),
		Func("error", func(context.Context, *Invocation) (any, error) { return nil, panicsOnError{} }, FuncOptions{}),
		Func("goexit", func(context.Context, *Invocation) (any, error) { runtime.Goexit(); return nil, nil }, FuncOptions{}),
		Func("channel", func(context.Context, *Invocation) (any, error) { return make(chan int), nil }, FuncOptions{}),
	}})
	for name, want := range map[string]string{
		"result": "panic: no JSON", "error": "panic: no words", "goexit": "the handler ended its goroutine", "channel": "cannot be encoded as JSON",
	} {
		inv := w.do(t, name, Invoke{})
		if inv.Cause == nil || inv.Cause.Code != CauseWorkload || !strings.Contains(inv.Cause.Message, want) {
			t.Errorf("%s: %+v", name, inv.Cause)
		}
		if log, err := w.Logs(t.Context(), inv.ID); err != nil || len(log) == 0 {
			t.Errorf("%s: the log is empty: %v", name, err)
		}
	}
}

// A handler that does not heed the end of its context keeps neither its invocation
// nor its place.
func TestAHandlerThatDoesNotHeedItsContext(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	w := start(t, setup{limits: Limits{HandlerGrace: 100 * time.Millisecond}, functions: []Definition{
		Func("deaf", func(context.Context, *Invocation) (any, error) { <-release; return nil, nil }, FuncOptions{Timeout: time.Second, Concurrent: 1}),
	}})
	for range 2 {
		if inv := w.do(t, "deaf", Invoke{}); inv.Cause == nil || inv.Cause.Code != CauseTimedOut {
			t.Errorf("%+v", inv)
		}
	}
}

// full is a machine whose places for browsers are all taken.
type full struct{ asked chan struct{} }

func (f full) Open(context.Context, browser.Options) (browser.Session, error) {
	select {
	case f.asked <- struct{}{}:
	default:
	}
	return nil, errtypes.New(errtypes.Unavailable, "all places are taken")
}
func (full) Close() error { return nil }

// A handler that asked for a browser and did not wait for it is not waited for by it.
func TestABrowserThatNobodyWaitsForHoldsNothingUp(t *testing.T) {
	t.Parallel()
	machine := full{make(chan struct{}, 1)}
	got := make(chan error, 1)
	w := start(t, setup{browser: machine, functions: []Definition{
		Func("f", func(ctx context.Context, inv *Invocation) (any, error) {
			go func() {
				_, err := inv.Browser(context.WithoutCancel(ctx))
				got <- err
			}()
			<-machine.asked
			return "done", nil
		}, FuncOptions{}),
	}})
	if inv := w.do(t, "f", Invoke{}); inv.Status != Completed {
		t.Errorf("%+v", inv.Cause)
	}
	if err := <-got; !errors.Is(err, errHandled) && !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("%v", err)
	}
}

// wanted notes what was asked of it for browsers.
type wanted struct {
	noBrowser
	widths chan int
}

func (w wanted) Open(ctx context.Context, o browser.Options) (browser.Session, error) {
	w.widths <- o.Width
	return w.noBrowser.Open(ctx, o)
}

// The settings of a session are those of the version that is invoked.
func TestRollbackBringsTheSessionBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	browse := func(width int) Definition {
		return Func("f", func(ctx context.Context, inv *Invocation) (any, error) { return inv.Browser(ctx) }, FuncOptions{
			Session: sessions.Settings{Viewport: sessions.Viewport{Width: width, Height: 500}},
		})
	}
	start(t, setup{dir: dir, functions: []Definition{browse(500)}, idle: true})
	machine := wanted{widths: make(chan int, 10)}
	w := start(t, setup{dir: dir, functions: []Definition{browse(900)}, browser: machine})
	l, err := w.Versions(t.Context(), "f", Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{900, 500} {
		w.do(t, "f", Invoke{})
		if got := <-machine.widths; got != want {
			t.Errorf("%d wide, want %d", got, want)
		}
		if _, err := w.Rollback(t.Context(), "f", l.Items[1].ID); err != nil {
			t.Fatal(err)
		}
	}
}

type oneSecret map[string]string

func (s oneSecret) Secrets(context.Context, string, string) (map[string]string, error) { return s, nil }

// Go functions have the secrets that are attached to them; their logs have not.
func TestGoFunctionsHaveSecrets(t *testing.T) {
	t.Parallel()
	w := start(t, setup{secrets: oneSecret{"TOKEN": "canary-value"}, functions: []Definition{
		Func("f", func(_ context.Context, inv *Invocation) (any, error) {
			all, err := inv.Secrets()
			inv.Logger().Info("the token is " + all["TOKEN"])
			return nil, errors.Join(err, errors.New("refused: "+all["TOKEN"]))
		}, FuncOptions{}),
	}})
	inv := w.do(t, "f", Invoke{})
	log, err := w.Logs(t.Context(), inv.ID)
	if err != nil || len(log) == 0 {
		t.Fatalf("%v %v", log, err)
	}
	for _, text := range []string{inv.Cause.Message, log[0].Message, log[len(log)-1].Message} {
		if strings.Contains(text, "canary") || !strings.Contains(text, "{TOKEN}") {
			t.Errorf("%q", text)
		}
	}
	if _, err := inv.Secrets(); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("outside of a handler: %v", err)
	}
}

// An invocation that was accepted is found by its key again: with its result, and
// although another version is the current one. Passwords tell two apart.
func TestAKeyFindsWhatItWasGivenFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	large := Func("f", func(_ context.Context, inv *Invocation) (any, error) {
		if string(inv.Params) == "{}" {
			return "small", nil
		}
		return strings.Repeat("x", 100_000), nil
	}, FuncOptions{})
	w := start(t, setup{dir: dir, functions: []Definition{large}})
	in := Invoke{IdempotencyKey: "k", Params: []byte(`{"a": 1}`), Session: []byte(`{"proxies":[{"type":"external","server":"http://proxy.example:2","username":"u","password":"one"}]}`)}
	first := w.do(t, "f", in)
	in.Params = []byte(` {"a":1}`)
	again, err := w.Invoke(t.Context(), "f", in)
	if err != nil || again.ID != first.ID || len(again.Result) != len(first.Result) || len(again.Result) < 100_000 {
		t.Errorf("%d bytes, %v", len(again.Result), err)
	}
	other := in
	other.Session = []byte(strings.Replace(string(in.Session), "one", "two", 1))
	if _, err := w.Invoke(t.Context(), "f", other); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("another password: %v", err)
	}
	small := Invoke{IdempotencyKey: "small"}
	first = w.do(t, "f", small)
	strict := Func("f", nothing, FuncOptions{ParamsSchema: []byte(`{"type":"object","required":["b"]}`)})
	w = start(t, setup{dir: dir, functions: []Definition{strict}, idle: true})
	if again, err := w.Invoke(t.Context(), "f", small); err != nil || again.ID != first.ID || string(again.Result) != `"small"` {
		t.Errorf("after a new version: %+v %v", again, err)
	}
}
