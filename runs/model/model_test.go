package model_test

import (
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
	a := model.Usage{Input: 1, Cached: 2, Output: 3, Reasoning: 4}
	if got := a.Add(a); got != (model.Usage{Input: 2, Cached: 4, Output: 6, Reasoning: 8}) {
		t.Errorf("%+v", got)
	}
}
