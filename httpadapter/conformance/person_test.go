package conformance

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
)

// withModels is a world with two language models, of which one has a price. Both
// ask a person and then end the run.
func withModels(t *testing.T) *world {
	asked := make(chan struct{}, 10)
	w := build(t, config{realTime: true, workers: drover.WorkersAlways, more: func(o *drover.Options) {
		m := model.Func(func(_ context.Context, r model.Request) (model.Response, error) {
			if len(r.Messages) == 0 {
				asked <- struct{}{}
			}
			return asksAPerson(r), nil
		})
		o.Models = map[string]runs.ModelConfig{"small": {Model: m}, "free": {Model: m}}
		o.DefaultModel = "small"
		o.Prices = model.Prices{{Model: "small", Input: 1, CacheRead: 0.1, Output: 4}, {Model: "free"}}
		o.RunHooks.Human = true
		o.Runs.MaxSteps = 10
		o.Runs.Budget = runs.Budget{Tokens: 1_000_000, Cost: 2_000_000}
	}})
	w.asked = asked
	return w
}

// asksAPerson asks on the first step and is done on the second.
func asksAPerson(r model.Request) model.Response {
	call := model.Call("c1", "ask_human", map[string]string{"question": "What is the code?"})
	if len(r.Messages) > 0 {
		call = model.Call("c2", "done", map[string]any{"success": true, "result": map[string]bool{"done": true}})
	}
	return model.Response{
		Content: []model.Part{call}, Finish: model.FinishCalls,
		Usage: model.Usage{Input: 100, CacheRead: 1000, Output: 25, Reasoning: 5},
	}
}

// waitForQuestion waits until a run that a model drives is paused.
func (w *world) waitForQuestion(ctx context.Context, t *testing.T, id string) {
	t.Helper()
	select {
	case <-w.asked: // so the run is RUNNING
		must(w.Runs.Pause(ctx, id))(t)
	case <-ctx.Done():
		t.Fatal("no model is asked")
	}
}

// posted is the answer to a request without a body.
type posted struct {
	status int
	body   string
}

func (s *streaming) post(t *testing.T, path string) <-chan posted {
	done := make(chan posted, 1)
	req := must(http.NewRequestWithContext(t.Context(), "POST", "http://"+s.address+path, nil))(t)
	req.Header.Set("X-SVC-API-Key", s.words["<key>"])
	go func() {
		res, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
		if err != nil {
			done <- posted{body: err.Error()}
			return
		}
		defer res.Body.Close()
		raw, err := io.ReadAll(res.Body)
		if err != nil {
			raw = []byte(err.Error())
		}
		done <- posted{res.StatusCode, string(raw)}
	}()
	return done
}

// untilRequested waits until a run says that a person wants it.
func (s *streaming) untilRequested(t *testing.T, id string) {
	t.Helper()
	for t.Context().Err() == nil {
		var r struct{ Pause *struct{ Requested bool } }
		if err := json.Unmarshal(s.get(t, "/v1/agents/runs/"+id), &r); err != nil {
			t.Fatal(err)
		}
		if r.Pause != nil && r.Pause.Requested {
			return
		}
	}
}

// A pause is answered when the step under way has ended, and says until then that
// it is requested; the end of the service breaks it off.
func TestAPauseWaitsForTheStep(t *testing.T) {
	t.Parallel()
	s := withStreams(t, httpadapter.Options{})
	r := s.run(t)
	path := "/v1/agents/runs/" + r.ID
	<-s.asked
	pausing := s.post(t, path+"/pause")
	s.untilRequested(t, r.ID)
	s.steps <- "one"
	if got := <-pausing; got.status != http.StatusOK || !strings.Contains(got.body, `"pause":{"requested":false}`) {
		t.Errorf("%+v", got)
	}
	if got := <-s.post(t, path+"/resume"); got.status != http.StatusAccepted {
		t.Errorf("%+v", got)
	}
	<-s.asked
	broken := s.post(t, path+"/pause")
	s.untilRequested(t, r.ID)
	s.StopAccepting()
	if got := <-broken; got.status != http.StatusServiceUnavailable {
		t.Errorf("%+v", got)
	}
	close(s.steps)
}
