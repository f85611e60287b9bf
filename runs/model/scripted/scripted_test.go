package scripted_test

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

func TestTurnsArePlayedInOrder(t *testing.T) {
	m := scripted.New(
		scripted.Call("navigate", map[string]string{"url": "https://example.com"}),
		scripted.Turn{Err: io.EOF},
		scripted.Turn{Say: []model.Part{model.Text("that is all")}, Usage: model.Usage{Output: 3}},
		scripted.Turn{Do: func(_ context.Context, r model.Request) (model.Response, error) {
			return model.Response{Content: []model.Part{model.Text(r.Task)}}, nil
		}},
	)
	first, err := m.Generate(t.Context(), model.Request{Step: 1})
	if err != nil || first.Finish != model.FinishCalls || first.Content[0].ToolCallID != "call_1_1" {
		t.Fatalf("%+v, %v", first, err)
	}
	if _, err := m.Generate(t.Context(), model.Request{}); !errors.Is(err, io.EOF) {
		t.Errorf("second: %v", err)
	}
	third, err := m.Generate(t.Context(), model.Request{})
	if err != nil || third.Finish != model.FinishStop || third.Usage.Output != 3 {
		t.Errorf("%+v, %v", third, err)
	}
	fourth, err := m.Generate(t.Context(), model.Request{Task: "the task"})
	if err != nil || fourth.Content[0].Text != "the task" || m.Left() != 0 {
		t.Errorf("%+v, %v", fourth, err)
	}
	var e *model.Error
	if _, err := m.Generate(t.Context(), model.Request{}); !errors.As(err, &e) || e.Temporary {
		t.Errorf("after the end: %v", err)
	}
	if got := m.Requests(); len(got) != 5 || got[0].Step != 1 || got[3].Task != "the task" {
		t.Errorf("%d requests: %+v", len(got), got)
	}
}

func TestAnEndedContextEndsTheCall(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(io.ErrClosedPipe)
	if _, err := scripted.New(scripted.Call("read", nil)).Generate(ctx, model.Request{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Error(err)
	}
}

func TestSeveralMayAskAtTheSameTime(t *testing.T) {
	const n = 8
	turns := make([]scripted.Turn, n)
	for i := range turns {
		turns[i] = scripted.Call("read", nil)
	}
	m := scripted.New(turns...)
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { m.Generate(t.Context(), model.Request{}) })
	}
	wg.Wait()
	if m.Left() != 0 || len(m.Requests()) != n {
		t.Errorf("%d left of %d", m.Left(), n)
	}
}
