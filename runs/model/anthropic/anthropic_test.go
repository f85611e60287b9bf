package anthropic_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/anthropic"
	"github.com/drover-go/drover/runs/model/internal/providertest"
)

// A server answers with these replies in turn, the last for ever.
type server struct {
	mu      sync.Mutex
	replies []providertest.Reply
	asked   []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	reply := s.replies[min(len(s.asked), len(s.replies)-1)]
	s.asked = append(s.asked, string(raw))
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Request-Id", "req_9")
	if reply.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(reply.Status)
	}
	fmt.Fprint(w, reply.Body)
}

func says(a providertest.Answer) providertest.Reply { return providertest.Reply{Body: stream(a)} }

func serve(t *testing.T, o anthropic.Options, replies ...providertest.Reply) (*server, *anthropic.Model) {
	t.Helper()
	s := &server{replies: replies}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	o.BaseURL, o.Key = srv.URL, providertest.Key
	if o.Model == "" {
		o.Model = "claude-sonnet-5"
	}
	m, err := anthropic.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s, m
}

func generate(t *testing.T, m *anthropic.Model, r model.Request) model.Response {
	t.Helper()
	got, err := m.Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// tree is request n as a tree.
func (s *server) tree(t *testing.T, n int) (tree map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(s.asked[n]), &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

func parse(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err, text)
	}
	return v
}

func call(id, name, input string) model.Part {
	return model.Part{Type: model.ToolCallPart, ToolCallID: id, ToolName: name, Input: json.RawMessage(input)}
}

func image(id string) model.Part {
	return model.Part{Type: model.FilePart, ToolCallID: id, MediaType: "image/png", Data: "aW1n"}
}

// conversation is one with everything in it that a run has.
func conversation() model.Request {
	one, two := call("a", "click", `{"x":1}`), call("b", "read", `{}`)
	r := providertest.Request()
	r.Messages = []model.Message{
		{Role: model.Assistant, Content: []model.Part{model.Reasoning("hm"), model.Text("well"), one, two}},
		{Role: model.ToolRole, Content: []model.Part{model.Result(two, model.JSONOutput(json.RawMessage(`{"n":1}`))), model.Result(one, model.ErrorOutput("gone")), image("a")}},
		{Role: model.User, Content: []model.Part{model.Text("Go on")}},
	}
	return r
}

func TestARequest(t *testing.T) {
	s, m := serve(t, anthropic.Options{Temperature: new(0.25), LongCache: true}, says(providertest.Answer{Text: "x"}))
	got := generate(t, m, conversation())
	if got.RequestID != "req_9" {
		t.Errorf("request id %q", got.RequestID)
	}
	want := parse(t, `{
		"model":"claude-sonnet-5","max_tokens":8192,"temperature":0.25,"stream":true,
		"system":[{"type":"text","text":"You act in a browser.","cache_control":{"type":"ephemeral","ttl":"1h"}}],
		"tools":[
			{"name":"click","description":"clicks","strict":true,"input_schema":{"type":"object","properties":{"x":{"type":"integer"},"note":{"type":"string"}},"required":["x"],"additionalProperties":false}},
			{"name":"read","description":"reads","strict":true,"input_schema":{"type":"object","properties":{"x":{"type":"integer"}},"additionalProperties":false},"cache_control":{"type":"ephemeral","ttl":"1h"}}],
		"messages":[
			{"role":"user","content":[{"type":"text","text":"Do it.","cache_control":{"type":"ephemeral","ttl":"1h"}}]},
			{"role":"assistant","content":[{"type":"text","text":"well"},{"type":"tool_use","id":"a","name":"click","input":{"x":1}},{"type":"tool_use","id":"b","name":"read","input":{}}]},
			{"role":"user","content":[
				{"type":"tool_result","tool_use_id":"a","is_error":true,"content":[{"type":"text","text":"gone"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aW1n"}}]},
				{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"{\"n\":1}"}]},
				{"type":"text","text":"Go on","cache_control":{"type":"ephemeral","ttl":"1h"}}]}
		]}`)
	if d := cmp.Diff(want, any(s.tree(t, 0))); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// What the provider caches is the same in every request of a run, and there are
// marks at the end of what was said now and the time before.
func TestTheCacheHolds(t *testing.T) {
	var calls []providertest.Call
	for i := range 25 {
		calls = append(calls, providertest.Call{ID: fmt.Sprintf("c%d", i), Name: "read", Arguments: `{}`})
	}
	s, m := serve(t, anthropic.Options{}, says(providertest.Answer{Reasoning: "Hm", Calls: calls}))
	r := providertest.Request()
	var before string
	for step := range 4 {
		r.Step = step + 1
		got := generate(t, m, r)
		body := s.asked[step]
		if n := strings.Count(body, `"cache_control"`); n != 4 && step > 0 || n > 4 {
			t.Errorf("step %d has %d marks", step, n)
		}
		plain := strings.ReplaceAll(body, `,"cache_control":{"type":"ephemeral"}`, "")
		if !strings.HasPrefix(plain, before) {
			t.Errorf("step %d changed what was said before", step)
		}
		before = strings.TrimSuffix(plain, "]}")
		if messages := s.tree(t, step)["messages"].([]any); step > 0 {
			end := messages[len(messages)-3].(map[string]any)["content"].([]any)
			if end[len(end)-1].(map[string]any)["cache_control"] == nil {
				t.Errorf("step %d does not mark what the last one ended with", step)
			}
		}
		results := model.Message{Role: model.ToolRole}
		for _, c := range got.Content {
			if c.Type == model.ToolCallPart {
				results.Content = append(results.Content, model.Result(c, model.TextOutput("done")))
			}
		}
		r.Messages = append(r.Messages, model.Message{Role: model.Assistant, Content: got.Content, Replay: got.Replay}, results)
	}
}

// An answer is sent back as it came, whatever is in it; towards another model only
// what everybody knows.
func TestAnswersAreSentBack(t *testing.T) {
	const content = `[
		{"type":"thinking","thinking":"Hm","signature":"c2ln","extra":1},
		{"type":"redacted_thinking","data":"b3BhcXVl"},
		{"type":"text","text":"Well","citations":[{"url":"u"}]},
		{"type":"server_tool_use","id":"srv","name":"web_search","input":{"q":"x"}},
		{"type":"novelty","deep":{"er":[1]}},
		{"type":"tool_use","id":"toolu_1","name":"click","input":{"x":1},"caller":{"type":"direct"}}]`
	answer := providertest.Reply{Body: `data: {"type":"message","stop_reason":"tool_use","content":` + strings.ReplaceAll(content, "\n", "") + "}\n\n"}
	s, m := serve(t, anthropic.Options{}, answer)
	got := generate(t, m, providertest.Request())
	if d := cmp.Diff([]model.Part{model.Reasoning("Hm"), model.Text("Well"), call("toolu_1", "click", `{"x":1}`)}, got.Content); d != "" {
		t.Error(d)
	}
	r := providertest.Request()
	said := got.Content
	said[2].ToolCallID = "run-1"
	r.Messages = []model.Message{{Role: model.Assistant, Content: said, Replay: got.Replay}, {Role: model.ToolRole, Content: []model.Part{model.Result(said[2], model.TextOutput("done"))}}}
	generate(t, m, r)
	messages := s.tree(t, 1)["messages"].([]any)
	if d := cmp.Diff(parse(t, content), messages[1].(map[string]any)["content"]); d != "" {
		t.Errorf("(-came +sent)\n%s", d)
	}
	if id := messages[2].(map[string]any)["content"].([]any)[0].(map[string]any)["tool_use_id"]; id != "toolu_1" {
		t.Errorf("the result is that of %v", id)
	}
	s2, other := serve(t, anthropic.Options{Model: "claude-opus-5"}, answer)
	generate(t, other, r)
	want := parse(t, `[{"type":"text","text":"Well"},{"type":"tool_use","id":"run-1","name":"click","input":{"x":1}}]`)
	if d := cmp.Diff(want, s2.tree(t, 0)["messages"].([]any)[1].(map[string]any)["content"]); d != "" {
		t.Errorf("(-want +sent)\n%s", d)
	}
}

// A model that thinks by a budget does not where it has not at the call before: the
// provider wants the reasoning of a turn from its beginning.
func TestAModelThinksFromTheBeginning(t *testing.T) {
	one := []providertest.Call{{ID: "c", Name: "click", Arguments: `{"x":1}`}}
	for thought, budget := range map[string]bool{"Hm": true, "": false} {
		s, m := serve(t, anthropic.Options{ThinkingBudget: 2000}, says(providertest.Answer{Reasoning: thought, Calls: one}))
		got := generate(t, m, providertest.Request())
		r := providertest.Request()
		calls := (model.Message{Content: got.Content}).Calls()
		r.Messages = []model.Message{{Role: model.Assistant, Content: got.Content, Replay: got.Replay}, {Role: model.ToolRole, Content: []model.Part{model.Result(calls[0], model.TextOutput("done"))}}}
		generate(t, m, r)
		if s.tree(t, 0)["thinking"] == nil || (s.tree(t, 1)["thinking"] != nil) != budget {
			t.Errorf("after %q: %v", thought, s.tree(t, 1)["thinking"])
		}
	}
}

// Citations that are streamed belong to their text.
func TestCitationsAreSentBack(t *testing.T) {
	body := event(obj{"type": "content_block_start", "index": 0, "content_block": obj{"type": "text", "text": ""}}) +
		event(obj{"type": "content_block_delta", "index": 0, "delta": obj{"type": "citations_delta", "citation": obj{"url": "u"}}}) +
		event(obj{"type": "content_block_delta", "index": 0, "delta": obj{"type": "text_delta", "text": "so"}}) + event(obj{"type": "message_stop"})
	s, m := serve(t, anthropic.Options{}, providertest.Reply{Body: body})
	got := generate(t, m, providertest.Request())
	r := providertest.Request()
	r.Messages = []model.Message{{Role: model.Assistant, Content: got.Content, Replay: got.Replay}, {Role: model.User, Content: []model.Part{model.Text("go on")}}}
	generate(t, m, r)
	want := parse(t, `[{"type":"text","text":"so","citations":[{"url":"u"}]}]`)
	if d := cmp.Diff(want, s.tree(t, 1)["messages"].([]any)[1].(map[string]any)["content"]); d != "" {
		t.Error(d)
	}
}

// What was refused once is left out of these messages from then on.
func TestRefusedReasoningIsRemembered(t *testing.T) {
	answer := says(providertest.Answer{Reasoning: "Hm", Calls: []providertest.Call{{ID: "c", Name: "click", Arguments: `{"x":1}`}}})
	s, m := serve(t, anthropic.Options{ThinkingBudget: 2000}, answer, bad("messages.1.content.0: Invalid `signature` in `thinking` block"), answer)
	got := generate(t, m, providertest.Request())
	r := providertest.Request()
	r.Messages = []model.Message{{Role: model.Assistant, Content: got.Content, Replay: got.Replay}, {Role: model.ToolRole, Content: []model.Part{model.Result(got.Content[1], model.TextOutput("done"))}}}
	generate(t, m, r)
	generate(t, m, r)
	if len(s.asked) != 4 {
		t.Fatalf("%d requests", len(s.asked))
	}
	for i, signed := range []bool{false, true, false, false} {
		tree := s.tree(t, i)
		if strings.Contains(s.asked[i], "c2lnbmVk") != signed || (tree["thinking"] != nil) != (i < 2) {
			t.Errorf("request %d: %s", i, s.asked[i])
		}
	}
}

func TestWhatAModelCanDo(t *testing.T) {
	for name, c := range map[string]struct {
		model string
		ask   func(*model.Request, *anthropic.Options)
		has   string
		hasNo []string
	}{
		"a forced tool":       {"claude-sonnet-5", func(r *model.Request, o *anthropic.Options) { r.Force, o.ThinkingBudget = "read", 2000 }, `"tool_choice":{"type":"tool","name":"read"}`, []string{`"thinking"`}},
		"a model with a will": {"claude-fable-5", func(r *model.Request, o *anthropic.Options) { r.Force = "read" }, `"stream":true`, []string{`"tool_choice"`}},
		"no temperature":      {"claude-opus-4-7", func(r *model.Request, o *anthropic.Options) { o.Temperature = new(0.5) }, `"max_tokens":8192`, []string{`"temperature"`}},
		"a budget":            {"claude-sonnet-5", func(r *model.Request, o *anthropic.Options) { o.ThinkingBudget, o.Temperature = 2000, new(0.5) }, `"max_tokens":10192,`, []string{`"temperature"`}},
		"adaptive":            {"claude-opus-4-7", func(r *model.Request, o *anthropic.Options) { o.Thinking, o.Effort = anthropic.ThinkingAdaptive, "max" }, `"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}`, nil},
		"off, and a temperature": {"claude-sonnet-5", func(r *model.Request, o *anthropic.Options) {
			o.Thinking, o.Temperature = anthropic.ThinkingOff, new(0.5)
		}, `"thinking":{"type":"disabled"},"temperature":0.5`, nil},
		"an old model":       {"claude-3-opus-20240229", func(r *model.Request, o *anthropic.Options) { r.MoreOutput, o.ThinkingBudget = true, 2000 }, `"max_tokens":4096`, []string{`"strict"`, `"thinking"`}},
		"a very old model":   {"claude-2.1", func(r *model.Request, o *anthropic.Options) {}, `Schema of the input`, []string{`"tools"`, `"cache_control"`}},
		"one call at a time": {"claude-sonnet-5", func(r *model.Request, o *anthropic.Options) { o.Caps = func(c *model.Caps) { c.ParallelTools = false } }, `"tool_choice":{"type":"auto","disable_parallel_tool_use":true}`, nil},
		"a model that is blind": {"claude-sonnet-5", func(r *model.Request, o *anthropic.Options) {
			*r = conversation()
			o.Caps = func(c *model.Caps) { c.Images = false }
		}, `no longer shown`, []string{`"image"`}},
		"images behind results": {"claude-sonnet-5", func(r *model.Request, o *anthropic.Options) {
			*r = conversation()
			o.Caps = func(c *model.Caps) { c.ImagesInResults = false }
		}, `{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"{\"n\":1}"}]},{"type":"image"`, nil},
		"no end of a beginning": {"claude-sonnet-5", func(r *model.Request, o *anthropic.Options) {
			r.Messages = []model.Message{{Role: model.Assistant, Content: []model.Part{model.Text("Well")}}}
		}, `{"role":"user","content":[{"type":"text","text":"Go on."`, nil},
		"inputs that are no JSON": {"claude-sonnet-5", func(r *model.Request, o *anthropic.Options) {
			r.Messages = []model.Message{{Role: model.Assistant, Content: []model.Part{call("!", "click", `"{x"`)}}}
		}, `{"type":"tool_use","id":"call_0","name":"click","input":{}}`, nil},
	} {
		var o anthropic.Options
		r := providertest.Request()
		c.ask(&r, &o)
		o.Model = c.model
		s, m := serve(t, o, says(providertest.Answer{Text: "x"}))
		generate(t, m, r)
		if !strings.Contains(s.asked[0], c.has) {
			t.Errorf("%s: no %s in %s", name, c.has, s.asked[0])
		}
		for _, not := range c.hasNo {
			if strings.Contains(s.asked[0], not) {
				t.Errorf("%s: %s in %s", name, not, s.asked[0])
			}
		}
	}
}

// Limits and switches that the server names are kept to.
func TestRefusalsTeach(t *testing.T) {
	fine := says(providertest.Answer{Text: "x"})
	s, m := serve(t, anthropic.Options{MaxOutput: 50_000, ThinkingBudget: 2000}, bad("max_tokens: 52000 > 32000, which is the maximum allowed number of output tokens"), bad("thinking: not supported by this model"), fine)
	for range 2 {
		generate(t, m, providertest.Request())
	}
	if len(s.asked) != 4 {
		t.Fatalf("%d requests", len(s.asked))
	}
	for _, i := range []int{2, 3} {
		if tree := s.tree(t, i); tree["max_tokens"] != 32000.0 || tree["thinking"] != nil {
			t.Errorf("%v", tree)
		}
	}
	if got := m.Caps().OutputTokens; got != 32000 {
		t.Errorf("an answer of %d tokens", got)
	}
	forced := providertest.Request()
	forced.Force = "read"
	s, m = serve(t, anthropic.Options{}, bad("tool_choice: forced tools are not supported with thinking"), fine)
	generate(t, m, forced)
	if m.Caps().ForcedTool || s.tree(t, 1)["tool_choice"] != nil {
		t.Error("the tool is forced again")
	}
	s, m = serve(t, anthropic.Options{}, bad("tools.0.strict: Extra inputs are not permitted"), fine)
	generate(t, m, providertest.Request())
	other := providertest.Request()
	other.Tools = other.Tools[:1]
	generate(t, m, other)
	if len(s.asked) != 3 || strings.Contains(s.asked[1]+s.asked[2], `"strict"`) {
		t.Errorf("strict tools are sent again: %d requests", len(s.asked))
	}
}

// ends are answers that end in ways that only this provider has.
func TestEnds(t *testing.T) {
	ended := func(reason string) providertest.Reply {
		body := stream(providertest.Answer{Text: "Well"})
		return providertest.Reply{Body: strings.Replace(body, `"end_turn"`, `"`+reason+`"`, 1)}
	}
	_, m := serve(t, anthropic.Options{}, ended("pause_turn"))
	if got := generate(t, m, providertest.Request()); got.Finish != model.FinishPaused || got.Replay == nil {
		t.Errorf("%+v", got)
	}
	_, m = serve(t, anthropic.Options{}, ended("model_context_window_exceeded"))
	if got, err := m.Generate(t.Context(), providertest.Request()); kindOf(err) != model.ErrorOverflow || got.Content != nil {
		t.Errorf("%+v, %v", got, err)
	}
	_, m = serve(t, anthropic.Options{}, says(providertest.Answer{Refusal: "not that"}))
	if _, err := m.Generate(t.Context(), providertest.Request()); kindOf(err) != model.ErrorRefused || !strings.Contains(err.Error(), "cyber: not that") {
		t.Error(err)
	}
}

// A paused answer is sent back as it is, and nothing behind it.
func TestAPausedAnswerGoesOn(t *testing.T) {
	paused := strings.Replace(stream(providertest.Answer{Text: "Well"}), `"end_turn"`, `"pause_turn"`, 1)
	s, m := serve(t, anthropic.Options{}, providertest.Reply{Body: paused}, says(providertest.Answer{Text: "so"}))
	got := generate(t, m, providertest.Request())
	r := providertest.Request()
	r.Messages = []model.Message{{Role: model.Assistant, Content: got.Content, Replay: got.Replay}}
	generate(t, m, r)
	if messages := s.tree(t, 1)["messages"].([]any); len(messages) != 2 || messages[1].(map[string]any)["role"] != "assistant" {
		t.Errorf("%v", messages)
	}
}

func kindOf(err error) model.ErrorKind {
	if e, ok := errors.AsType[*model.Error](err); ok {
		return e.Kind
	}
	return "no error of a model"
}

func TestUsageInFiveCounts(t *testing.T) {
	start := `data: {"type":"message_start","message":{"usage":{"input_tokens":7,"cache_read_input_tokens":5,"cache_creation_input_tokens":9,"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":6},"output_tokens":1}}}` + "\n\n"
	end := `data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"output_tokens":20,"output_tokens_details":{"thinking_tokens":12}}}` + "\n\n"
	_, m := serve(t, anthropic.Options{}, providertest.Reply{Body: start + end})
	want := model.Usage{Input: 7, CacheRead: 5, CacheWrite: 3, CacheWriteLong: 6, Output: 20, Reasoning: 12}
	if got := generate(t, m, providertest.Request()); got.Usage != want {
		t.Errorf("%+v", got.Usage)
	}
	text := `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + strings.Repeat("x", 400) + `"}}` + "\n\n"
	_, m = serve(t, anthropic.Options{}, providertest.Reply{Body: start + text})
	got, err := m.Generate(t.Context(), providertest.Request())
	if kindOf(err) != model.ErrorCut || got.Usage.Input != 7 || got.Usage.Output != 100 || !got.Usage.Estimated {
		t.Errorf("%+v, %v", got.Usage, err)
	}
	short := strings.NewReplacer(`"cache_creation":{"ephemeral_5m_input_tokens":3,"ephemeral_1h_input_tokens":6},`, "").Replace(start)
	for long, want := range map[bool]model.Usage{
		false: {Input: 7, CacheRead: 5, CacheWrite: 9, Output: 20, Reasoning: 12}, true: {Input: 7, CacheRead: 5, CacheWriteLong: 9, Output: 20, Reasoning: 12},
	} {
		_, m = serve(t, anthropic.Options{LongCache: long}, providertest.Reply{Body: short + end})
		if got := generate(t, m, providertest.Request()); got.Usage != want {
			t.Errorf("long %t: %+v", long, got.Usage)
		}
	}
}

// Inputs come back in the form of the tool's own schema.
func TestInputsAreThoseOfTheSchema(t *testing.T) {
	r := providertest.Request()
	r.Tools = []model.Tool{{Name: "list", Input: json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}}`)}}
	_, m := serve(t, anthropic.Options{}, says(providertest.Answer{Calls: []providertest.Call{{ID: "c", Name: "list", Arguments: `{"value":"[{\"a\":\"x\",\"b\":null}]"}`}}}))
	if got := generate(t, m, r); string(got.Content[0].Input) != `[{"a":"x"}]` {
		t.Errorf("%s", got.Content[0].Input)
	}
}

func TestBadOptions(t *testing.T) {
	for field, o := range map[string]anthropic.Options{
		"Model": {}, "Key": {Model: "m"}, "Base": {Model: "m", BaseURL: "api.example"}, "MaxOutput": {Model: "m", MaxOutput: -1}, "ThinkingBudget": {Model: "m", ThinkingBudget: 10},
		"Temperature": {Model: "m", Temperature: new(2.0)}, "Thinking": {Model: "m", Thinking: "much"},
	} {
		if _, err := anthropic.New(o); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	if _, err := anthropic.New(anthropic.Options{Model: "m", Key: "k", Thinking: anthropic.ThinkingOff, ThinkingBudget: 2000}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}

// towards sends every request to a server, whatever its address.
type towards string

func (to towards) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", string(to)
	return http.DefaultTransport.RoundTrip(r)
}

// Markup of a call in the text is a call only where servers are known to leave
// it: from Anthropic's own it is what the model quotes, of a page say.
func TestMarkupIsQuoted(t *testing.T) {
	const text = `The page says <tool_call>{"name":"click","arguments":{"x":1}}</tool_call>`
	s := &server{replies: []providertest.Reply{says(providertest.Answer{Text: text})}}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	m, err := anthropic.New(anthropic.Options{Model: "claude-sonnet-5", Transport: towards(srv.Listener.Addr().String())})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]model.Part{model.Text(text)}, generate(t, m, providertest.Request()).Content); d != "" {
		t.Error(d)
	}
	_, other := serve(t, anthropic.Options{}, s.replies[0])
	if calls := (model.Message{Content: generate(t, other, providertest.Request()).Content}).Calls(); len(calls) != 1 {
		t.Errorf("%+v", calls)
	}
}

// Pieces of a block that was not begun, between very many that were, are one.
func TestManyPieces(t *testing.T) {
	var b strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&b, `data: {"type":"content_block_start","index":%d,"content_block":{"type":"thinking","thinking":"","signature":"s"}}`+"\n\n", i)
		b.WriteString(`data: {"type":"content_block_delta","index":-1,"delta":{"type":"text_delta","text":"word "}}` + "\n\n")
	}
	b.WriteString(`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\n")
	_, m := serve(t, anthropic.Options{}, providertest.Reply{Body: b.String()})
	if got := generate(t, m, providertest.Request()); len(got.Content) != 1 || len(got.Content[0].Text) != 10_000 {
		t.Errorf("%d parts", len(got.Content))
	}
}
