package conformance

import (
	"context"
	"testing"

	"github.com/drover-go/drover"
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
		o.Prices = model.Prices{{Model: "small", Input: 1, CacheRead: 0.1, Output: 4}}
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
