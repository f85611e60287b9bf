package model_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/model"
)

func TestMessagesMarshalToTheChatFormat(t *testing.T) {
	call := model.Call("c1", "type", map[string]string{"ref": "e3", "text": "%password%"})
	for name, test := range map[string]struct {
		message model.Message
		want    string
	}{
		"assistant": {
			model.Message{Role: model.Assistant, Content: []model.Part{model.Reasoning("The form."), call}, Replay: "kept in memory"},
			`{"role":"assistant","content":[{"type":"reasoning","text":"The form."},` +
				`{"type":"tool-call","toolCallId":"c1","toolName":"type","input":{"ref":"e3","text":"%password%"}}]}`,
		},
		"tool": {
			model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(call, model.TextOutput("typed"))}},
			`{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"type","output":{"type":"text","value":"typed"}}]}`,
		},
		"error": {
			model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(call, model.ErrorOutput("no such \"element\""))}},
			`{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"type","output":{"type":"error-text","value":"no such \"element\""}}]}`,
		},
		"data": {
			model.Message{Role: model.ToolRole, Content: []model.Part{model.Result(call, model.JSONOutput(json.RawMessage(`{"a":1}`)))}},
			`{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","toolName":"type","output":{"type":"json","value":{"a":1}}}]}`,
		},
	} {
		got, err := json.Marshal(test.message)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v\n%s", name, err, cmp.Diff(test.want, string(got)))
		}
		var back model.Message
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatal(err)
		}
		test.message.Replay = nil
		if diff := cmp.Diff(test.message, back); diff != "" {
			t.Errorf("%s does not survive the way: %s", name, diff)
		}
	}
}

func TestCallsAlwaysHaveAnObjectAsInput(t *testing.T) {
	for name, input := range map[string]any{
		"nil": nil, "string": "x", "list": []int{1}, "channel": make(chan int), "raw": json.RawMessage(`[`),
	} {
		if got := string(model.Call("c", "t", input).Input); got != "{}" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := string(model.Call("c", "t", json.RawMessage(" {\"a\": 1}")).Input); got != `{"a":1}` {
		t.Errorf("an object became %s", got)
	}
}

func TestOutputText(t *testing.T) {
	text, failed, data := model.TextOutput("a\nb"), model.ErrorOutput("no"), model.JSONOutput(json.RawMessage(`[1]`))
	if text.Text() != "a\nb" || failed.Text() != "no" || data.Text() != "[1]" {
		t.Errorf("%q %q %q", text.Text(), failed.Text(), data.Text())
	}
	if text.IsError() || !failed.IsError() || data.IsError() {
		t.Error("only the error is one")
	}
}

func TestCallsAndResultsKeepTheirOrder(t *testing.T) {
	a, b := model.Call("a", "click", nil), model.Call("b", "read", nil)
	m := model.Message{Content: []model.Part{model.Text("x"), a, model.Reasoning("y"), b}}
	if diff := cmp.Diff([]model.Part{a, b}, m.Calls()); diff != "" || m.Results() != nil {
		t.Error(diff, m.Results())
	}
}

func TestErrorKeepsItsCauseForTheLog(t *testing.T) {
	base := model.Temporaryf("the model answered with status %d", 503)
	err := base.WithCause(io.ErrUnexpectedEOF)
	var got *model.Error
	if !errors.As(error(err), &got) || !got.Temporary || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%+v", err)
	}
	if err.Error() != "the model answered with status 503: unexpected EOF" || base.Error() != base.Message {
		t.Errorf("%q, %q", err, base)
	}
	if model.Errorf("no").Temporary {
		t.Error("a final error is temporary")
	}
}

func TestUsageAdds(t *testing.T) {
	a := model.Usage{Input: 1, CacheRead: 2, CacheWrite: 3, CacheWriteLong: 4, Output: 5, Reasoning: 6}
	want := model.Usage{Input: 2, CacheRead: 4, CacheWrite: 6, CacheWriteLong: 8, Output: 10, Reasoning: 12}
	if got := a.Add(a); got != want || got.Total() != 30 {
		t.Errorf("%+v", got)
	}
	if got := a.Add(model.Estimate(9, 4)); !got.Estimated || got.Input != 4 || got.Output != 6 {
		t.Errorf("%+v", got)
	}
}

func TestPrices(t *testing.T) {
	all := model.Prices{
		{Model: "big-*", Input: 3, CacheRead: 0.3, CacheWrite: 3.75, CacheWriteLong: 6, Output: 15},
		{Model: "big-*", Above: 200_000, Input: 6, Output: 30},
		{Model: "[", Input: 1},
	}
	u := model.Usage{Input: 1000, CacheRead: 10_000, CacheWrite: 100, CacheWriteLong: 10, Output: 500, Reasoning: 400}
	p, ok := all.Of("big-5", u)
	if got := p.Cost(u); !ok || got != 3000+3000+375+60+7500 {
		t.Errorf("%d, %v", got, ok)
	}
	long := model.Usage{CacheRead: 190_000, Input: 10_000, Output: 1}
	if p, _ := all.Of("big-5", long); p.Cost(long) != 60_030 {
		t.Errorf("%+v", p)
	}
	for _, name := range []string{"", "small", "[", "x/big-5"} {
		if p, ok := all.Of(name, u); ok {
			t.Errorf("%q has the price %+v", name, p)
		}
	}
}

func TestAFunctionIsAModel(t *testing.T) {
	m := model.Func(func(_ context.Context, r model.Request) (model.Response, error) {
		return model.Response{Content: []model.Part{model.Text(r.Task)}}, nil
	})
	if got, err := m.Generate(t.Context(), model.Request{Task: "x"}); err != nil || got.Content[0].Text != "x" {
		t.Error(got, err)
	}
	if caps := model.CapsOf(m); !caps.Tools || caps.Images {
		t.Errorf("%+v", caps)
	}
}
