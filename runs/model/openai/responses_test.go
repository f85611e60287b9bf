package openai_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/providertest"
	"github.com/drover-go/drover/runs/model/openai"
)

func (s *server) responses(t *testing.T, o openai.Options) *openai.Model {
	o.Dialect = openai.Responses
	return s.model(t, some, o)
}

func TestTheConversationInResponses(t *testing.T) {
	s := &server{bodies: []string{responsesDocument(providertest.Answer{Text: "x"})}}
	m := s.responses(t, openai.Options{MaxOutput: 7, Caps: func(c *model.Caps) { c.Images = true }})
	s.ask(t, m, talk)
	got := s.last(t)
	input := got["input"].([]any)
	id := input[3].(object)["call_id"].(string)
	if key, _ := got["prompt_cache_key"].(string); !strings.HasPrefix(key, "drover-") || len(key) > 64 {
		t.Errorf("the key of the cache %q", key)
	}
	delete(got, "prompt_cache_key")
	want := object{
		"model": "m", "stream": true, "store": false, "instructions": "act", "include": []any{"reasoning.encrypted_content"}, "max_output_tokens": 7.0,
		"input": []any{
			object{"role": "user", "content": "do it"},
			object{"role": "assistant", "content": "well"},
			object{"type": "function_call", "call_id": "call_a", "name": "click", "arguments": `{"ref":"e1"}`},
			object{"type": "function_call", "call_id": id, "name": "read", "arguments": `{}`},
			object{"type": "function_call_output", "call_id": "call_a", "output": []any{
				object{"type": "input_text", "text": "Error: gone"},
				object{"type": "input_image", "image_url": "data:image/png;base64,iVBO", "detail": "auto"},
			}},
			object{"type": "function_call_output", "call_id": id, "output": `{"n":1}`},
			object{"role": "assistant", "content": "so"},
			object{"role": "user", "content": "Go on"},
		},
		"tools": []any{object{"type": "function", "name": "click", "description": "clicks", "strict": false, "parameters": object{"type": "object"}}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	s.ask(t, s.responses(t, openai.Options{Caps: func(c *model.Caps) { c.Images, c.ImagesInResults = true, false }}), talk)
	if last := s.last(t)["input"].([]any)[6].(object); last["role"] != "user" || !strings.Contains(js(last), "iVBO") {
		t.Errorf("an image beside the results: %v", last)
	}
}

// An answer goes back as it came, with its reasoning, the phase of its messages
// and the ids of its calls; another model gets its neutral form.
func TestItemsAreSentBackAsTheyCame(t *testing.T) {
	a := providertest.Answer{Reasoning: "Hm", Text: "Well", Calls: []providertest.Call{{ID: "call_theirs", Name: "click", Arguments: `{"ref": "e1"}`}}}
	said, end := responsesEvents(a)
	s := &server{bodies: []string{strings.TrimPrefix(strings.Join(append(said, end...), ""), "event: response.created\n")}}
	m := s.responses(t, openai.Options{})
	r := s.ask(t, m, model.Request{})
	r.Content[2].ToolCallID = "ours"
	again := model.Request{Messages: []model.Message{
		{Role: model.Assistant, Content: r.Content, Replay: r.Replay},
		{Role: model.ToolRole, Content: []model.Part{model.Result(r.Content[2], model.TextOutput("done"))}},
	}}
	s.ask(t, m, again)
	want := append([]any{object{"role": "user", "content": "Begin."}}, responsesItems(a)...)
	want = append(want, object{"type": "function_call_output", "call_id": "call_theirs", "output": "done"})
	if d := cmp.Diff(js(want), js(s.last(t)["input"])); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	s.ask(t, s.responses(t, openai.Options{Model: "other"}), again)
	if got := js(s.last(t)["input"]); strings.Contains(got, "gAAAA=") || !strings.Contains(got, `"call_id":"ours"`) {
		t.Error(got)
	}
}

// Servers that only sound like OpenAI send pieces and no whole items.
func TestAnAnswerInPieces(t *testing.T) {
	s := &server{bodies: []string{strings.Join(events(
		object{"type": "response.output_text.delta", "output_index": 0, "delta": "Hel"},
		object{"type": "response.output_text.delta", "output_index": 0, "delta": "lo"},
		object{"type": "response.output_item.added", "output_index": 1, "item": object{"type": "function_call", "call_id": "a", "name": "f", "arguments": ""}},
		object{"type": "response.function_call_arguments.delta", "output_index": 1, "delta": `{"x":`},
		object{"type": "response.function_call_arguments.delta", "output_index": 1, "delta": `1}`},
		object{"type": "response.output_item.added", "output_index": 2, "item": object{"type": "reasoning"}},
		object{"type": "response.completed", "response": object{"status": "completed", "output": []any{}}},
	), "")}}
	got := s.ask(t, s.responses(t, openai.Options{}), model.Request{})
	if d := cmp.Diff([]model.Part{model.Text("Hello"), call("a", "f", `{"x":1}`)}, got.Content); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestResponsesThatFail(t *testing.T) {
	failed := func(code string) string {
		return js(object{"object": "response", "status": "failed", "output": []any{}, "error": object{"code": code, "message": "x"}})
	}
	for name, c := range map[string]struct {
		body      string
		kind      model.ErrorKind
		temporary bool
	}{
		"a fault":       {failed("server_error"), model.ErrorOverloaded, true},
		"in a stream":   {strings.Join(events(object{"type": "response.failed", "response": object{"status": "failed", "error": object{"code": "rate_limit_exceeded", "message": "x"}}}), ""), model.ErrorRate, true},
		"too long":      {failed("context_length_exceeded"), model.ErrorOverflow, false},
		"no cause":      {js(object{"object": "response", "status": "failed", "output": []any{}}), model.ErrorOverloaded, true},
		"cancelled":     {js(object{"object": "response", "status": "cancelled", "output": []any{object{"type": "message", "content": "x"}}}), model.ErrorCut, true},
		"too many":      {`{"object":"response","status":"completed","output":[` + strings.Repeat(`{},`, 2000) + `{}]}`, model.ErrorMalformed, true},
		"too many more": {strings.Join(manyItems(), ""), model.ErrorMalformed, true},
	} {
		s := &server{bodies: []string{c.body}}
		_, err := s.responses(t, openai.Options{}).Generate(t.Context(), model.Request{})
		if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != c.kind || e.Temporary != c.temporary {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func manyItems() (all []string) {
	for i := range 2000 {
		all = append(all, events(object{"type": "response.output_item.added", "output_index": i, "item": object{}})...)
	}
	return all
}

// Models that do not reason refuse to seal what they do not have.
func TestSealedReasoningIsNotAskedForAgain(t *testing.T) {
	s := &server{bodies: []string{`{"error":{"message":"Encrypted content is not supported with this model.","type":"invalid_request_error","param":null}}`, responsesDocument(providertest.Answer{Text: "x"})}, status: []int{400}}
	m := s.responses(t, openai.Options{})
	for range 2 {
		s.ask(t, m, model.Request{})
	}
	if len(s.asked) != 3 || s.last(t)["include"] != nil {
		t.Errorf("%q", s.asked)
	}
}
