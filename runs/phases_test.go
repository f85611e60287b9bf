package runs

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/model/openai"
)

// heldProvider is a server of chat completions that holds each question at a
// point of the exchange.
type heldProvider struct {
	*httptest.Server
	held   chan struct{} // a question has come that far
	closed chan struct{} // its connection is closed
}

// Where it is held.
const (
	beforeHeaders = "before the headers"
	beforeBody    = "before the first byte"
	inTheAnswer   = "in the middle of the answer"
	beforeRetry   = "before it is asked again"
	inTheHook     = "while the host decides"
	withAPerson   = "while a person has it"
	inATool       = "in a tool"
)

func heldAt(t *testing.T, where string) *heldProvider {
	p := &heldProvider{held: make(chan struct{}, 1), closed: make(chan struct{}, 1)}
	chunk := func(w http.ResponseWriter, delta, finish string) {
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}\n\n", delta, finish)
		http.NewResponseController(w).Flush()
	}
	call := func(w http.ResponseWriter, tool, arguments string) {
		chunk(w, fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"c1","function":{"name":%q,"arguments":%q}}]}`, tool, arguments), `"tool_calls"`)
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		switch where {
		case beforeHeaders:
		case beforeBody:
			http.NewResponseController(w).Flush()
		case inTheAnswer:
			chunk(w, `{"content":"I am "}`, "null")
		case beforeRetry:
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(http.StatusTooManyRequests)
			p.held <- struct{}{}
			return
		case withAPerson:
			call(w, "ask_human", `{"question":"?"}`)
			return
		default:
			if r.URL.Path == "/hook" {
				break
			}
			call(w, "click", `{"ref":"e1"}`)
			return
		}
		p.held <- struct{}{}
		<-r.Context().Done()
		p.closed <- struct{}{}
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *heldProvider) model(t testing.TB) *openai.Model {
	m, err := openai.New(openai.Options{Model: "m", BaseURL: p.URL + "/v1", Dialect: openai.ChatCompletions})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// hook holds each call until its context ends, which the server sees.
func (p *heldProvider) hook(ctx context.Context, _ ToolCall) (Decision, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL+"/hook", strings.NewReader("{}"))
	if err == nil {
		var res *http.Response
		if res, err = http.DefaultTransport.RoundTrip(r); err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
	}
	return Decision{}, err
}

// reach waits until a run has come to where the provider holds it.
func (p *heldProvider) reach(t *testing.T, w *working, id, where string) {
	t.Helper()
	switch where {
	case withAPerson:
		w.until(t, id, func(r Run) bool { return r.Pause != nil })
	default:
		<-p.held
	}
}

var phases = []string{beforeHeaders, beforeBody, inTheAnswer, beforeRetry, inTheHook, withAPerson, inATool}

func (p *heldProvider) setup(t *testing.T, where string) setup {
	o := setup{model: p.model(t), hooks: Hooks{Human: where == withAPerson}, browser: &quickBrowser{act: func(ctx context.Context, _ *quickSession) error {
		p.held <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}}}
	if where == inTheHook {
		o.hooks.BeforeCall = p.hook
	}
	return o
}

// mustHaveClosed checks that the provider's connection was closed at the end.
func (p *heldProvider) mustHaveClosed(t *testing.T, where string) {
	t.Helper()
	switch where {
	case beforeHeaders, beforeBody, inTheAnswer, inTheHook:
		select {
		case <-p.closed:
		case <-time.After(testlevel.Loaded(time.Second)):
			t.Error("the connection stays open after the end")
		}
	}
}

func TestAStopEndsARunInEachPhase(t *testing.T) {
	t.Parallel()
	for _, where := range phases {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			p := heldAt(t, where)
			w := quick(t, p.setup(t, where))
			r := w.create(t, Create{Task: "x"})
			p.reach(t, w, r.ID, where)
			began := time.Now()
			if _, err := w.Stop(t.Context(), r.ID); err != nil {
				t.Fatal(err)
			}
			got := w.wait(t, r.ID)
			if took := time.Since(began); got.Status != Stopped || took > testlevel.Loaded(5*time.Second) {
				t.Errorf("%s %+v after %v", got.Status, got.Cause, took)
			}
			p.mustHaveClosed(t, where)
			w.conversation(t, r.ID)
		})
	}
}

func TestARunTimesOutInEachPhase(t *testing.T) {
	t.Parallel()
	for _, where := range phases {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			p := heldAt(t, where)
			c, o := clock.NewManual(noon), p.setup(t, where)
			o.clock, o.limits.MaxPause = c, 10*time.Second
			w := quick(t, o)
			r := w.create(t, Create{Task: "x", Limits: RunLimits{MaxDuration: 10 * time.Second}})
			p.reach(t, w, r.ID, where)
			began := time.Now()
			c.Advance(10 * time.Second)
			got := w.wait(t, r.ID)
			if took := time.Since(began); got.Status != TimedOut || took > testlevel.Loaded(5*time.Second) {
				t.Errorf("%s %+v after %v", got.Status, got.Cause, took)
			}
			p.mustHaveClosed(t, where)
			w.conversation(t, r.ID)
		})
	}
}
