package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/openai"
)

// A server answers with the bodies it is given, in turn, the last for ever; one
// that begins with "data:" is a stream. It keeps what it was asked.
type server struct {
	bodies []string
	status []int

	mu    sync.Mutex
	asked []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	i := min(len(s.asked), len(s.bodies)-1)
	s.asked = append(s.asked, string(raw))
	body, status := s.bodies[i], http.StatusOK
	if i < len(s.status) {
		status = s.status[i]
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if strings.HasPrefix(body, "data:") {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}

// model is one of the server, which believes to be asked at the base.
func (s *server) model(t *testing.T, base string, o openai.Options) *openai.Model {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	if o.Model == "" {
		o.Model = "m"
	}
	if o.Dialect == openai.Automatic {
		o.Dialect = openai.ChatCompletions
	}
	o.BaseURL, o.Key = base, "sk-s3cr3t"
	o.Transport = elsewhere{srv.Client().Transport, srv.URL}
	m, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// elsewhere takes every request to one server.
type elsewhere struct {
	http.RoundTripper
	to string
}

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	to, err := url.Parse(e.to)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = to.Scheme, to.Host
	return e.RoundTripper.RoundTrip(r)
}

const some = "https://models.example/v1" // a server that nothing is known of

// stream makes events of chunks, and their end.
func stream(chunks ...string) string {
	return "data: " + strings.Join(chunks, "\n\ndata: ") + "\n\ndata: [DONE]\n\n"
}

func delta(d string) string { return `{"choices":[{"index":0,"delta":` + d + `}]}` }

const stop = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`

// whole is an answer that is no stream.
func whole(message string) string {
	return `{"choices":[{"index":0,"finish_reason":"stop","message":` + message + `}]}`
}

func call(id, name, input string) model.Part {
	return model.Part{Type: model.ToolCallPart, ToolCallID: id, ToolName: name, Input: json.RawMessage(input)}
}

// ask returns the answer of a server to a question.
func (s *server) ask(t *testing.T, m *openai.Model, r model.Request) model.Response {
	t.Helper()
	got, err := m.Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// last is the last request as a tree.
func (s *server) last(t *testing.T) (tree map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(s.asked[len(s.asked)-1]), &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// Calls come in forms that no document describes.
func TestFormsOfCalls(t *testing.T) {
	fn := func(rest string) string { return delta(`{"tool_calls":[` + rest + `]}`) }
	for name, c := range map[string]struct {
		body string
		want []model.Part
	}{
		"no index": {stream(fn(`{"id":"a","function":{"name":"f","arguments":"{\"x\""}}`), fn(`{"function":{"arguments":":1}"}}`), fn(`{"id":"b","function":{"name":"g","arguments":"{}"}}`), stop),
			[]model.Part{call("a", "f", `{"x":1}`), call("b", "g", `{}`)}},
		"no index, no ids": {stream(fn(`{"function":{"name":"f","arguments":"{}"}}`), fn(`{"function":{"name":"f","arguments":"{}"}}`), stop),
			[]model.Part{call("", "f", `{}`), call("", "f", `{}`)}},
		"one index for two": {stream(fn(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`), fn(`{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}`), stop),
			[]model.Part{call("a", "f", `{}`), call("b", "g", `{}`)}},
		"null for an index":  {stream(fn(`{"index":null,"id":"a","function":{"name":"f","arguments":"{}"}}`), stop), []model.Part{call("a", "f", `{}`)}},
		"an object":          {whole(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x":1}}}]}`), []model.Part{call("a", "f", `{"x":1}`)}},
		"a number for an id": {whole(`{"tool_calls":[{"id":7,"function":{"name":"f","arguments":null}}]}`), []model.Part{call("", "f", `{}`)}},
		"no arguments":       {whole(`{"tool_calls":[{"id":"a","function":{"name":"f"}}]}`), []model.Part{call("a", "f", `{}`)}},
		"null for calls":     {whole(`{"content":"x","tool_calls":null}`), []model.Part{model.Text("x")}},
		"no list of calls":   {whole(`{"content":"x","tool_calls":{}}`), []model.Part{model.Text("x")}},
		"markup":             {stream(delta(`{"content":"Well <tool_call>{\"name\":\"f\",\"arguments\":{\"x\":1}}</tool_call>"}`), stop), []model.Part{model.Text("Well"), call("", "f", `{"x":1}`)}},
		"thoughts in tags":   {stream(delta(`{"content":"<think>hm</think>\n\nHello"}`), stop), []model.Part{model.Reasoning("hm"), model.Text("Hello")}},
		"other thoughts":     {whole(`{"content":"Hello","reasoning":"hm"}`), []model.Part{model.Reasoning("hm"), model.Text("Hello")}},
		"a second choice":    {whole(`{"content":"x"}`)[:len(whole(`{"content":"x"}`))-2] + `,{"index":1,"message":{"content":"y"}}]}`, []model.Part{model.Text("x")}},
		"no mark at the end": {"data: " + delta(`{"content":"x"}`) + "\n\ndata: " + stop + "\n\n", []model.Part{model.Text("x")}},
	} {
		s := &server{bodies: []string{c.body}}
		got := s.ask(t, s.model(t, some, openai.Options{}), model.Request{Tools: []model.Tool{{Name: "f"}, {Name: "g"}}})
		if d := cmp.Diff(c.want, got.Content); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}

// What OpenAI's own models quote is no call.
func TestQuotedMarkupIsText(t *testing.T) {
	s := &server{bodies: []string{whole(`{"content":"It says <tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"}`)}}
	got := s.ask(t, s.model(t, "https://api.openai.com/v1", openai.Options{}), model.Request{Tools: []model.Tool{{Name: "f"}}})
	if len(got.Content) != 1 || got.Content[0].Type != model.TextPart || got.Finish != model.FinishStop {
		t.Errorf("%+v", got)
	}
}

func TestTooManyCallsAreNoAnswer(t *testing.T) {
	var chunks []string
	for i := range 2000 {
		chunks = append(chunks, delta(fmt.Sprintf(`{"tool_calls":[{"index":%d,"id":"a%d","function":{"name":"f"}}]}`, i, i)))
	}
	s := &server{bodies: []string{stream(append(chunks, stop)...)}}
	_, err := s.model(t, some, openai.Options{}).Generate(t.Context(), model.Request{})
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorMalformed {
		t.Error(err)
	}
}

var (
	one  = call("call_a", "click", `{"ref":"e1"}`)
	two  = call(strings.Repeat("b", 60), "read", `{}`)
	pic  = model.Part{Type: model.FilePart, MediaType: "image/png", Data: "iVBO", ToolCallID: "call_a"}
	talk = model.Request{
		System: "act", Task: "do it",
		Messages: []model.Message{
			{Role: model.Assistant, Content: []model.Part{model.Reasoning("hm"), model.Text("well"), one, two}},
			{Role: model.ToolRole, Content: []model.Part{model.Result(one, model.ErrorOutput("gone")), model.Result(two, model.JSONOutput(json.RawMessage(`{"n":1}`))), pic}},
			{Role: model.Assistant, Content: []model.Part{model.Text("so")}},
			{Role: model.User, Content: []model.Part{model.Text("Go on")}},
		},
		Tools: []model.Tool{{Name: "click", Description: "clicks", Input: json.RawMessage(`{"type":"object"}`)}},
	}
)

func TestTheConversation(t *testing.T) {
	s := &server{bodies: []string{whole(`{"content":"x"}`)}}
	m := s.model(t, some, openai.Options{MaxOutput: 7, Temperature: new(0.5), Caps: func(c *model.Caps) { c.Images = true }})
	s.ask(t, m, talk)
	got := s.last(t)
	id := got["messages"].([]any)[4].(object)["tool_call_id"].(string)
	if len(id) > 40 || !strings.HasPrefix(id, "call_") {
		t.Errorf("the id %q", id)
	}
	fn := func(id, name, args string) any {
		return object{"id": id, "type": "function", "function": object{"name": name, "arguments": args}}
	}
	want := object{
		"model": "m", "stream": true, "stream_options": object{"include_usage": true}, "max_tokens": 7.0, "temperature": 0.5,
		"messages": []any{
			object{"role": "system", "content": "act"},
			object{"role": "user", "content": "do it"},
			object{"role": "assistant", "content": "well", "tool_calls": []any{fn("call_a", "click", `{"ref":"e1"}`), fn(id, "read", `{}`)}},
			object{"role": "tool", "tool_call_id": "call_a", "content": "Error: gone"},
			object{"role": "tool", "tool_call_id": id, "content": `{"n":1}`},
			object{"role": "user", "content": []any{
				object{"type": "text", "text": "Images of the results above:"},
				object{"type": "image_url", "image_url": object{"url": "data:image/png;base64,iVBO"}},
			}},
			object{"role": "assistant", "content": "so"},
			object{"role": "user", "content": "Go on"},
		},
		"tools": []any{
			object{"type": "function", "function": object{"name": "click", "description": "clicks", "parameters": object{"type": "object"}}},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	s.ask(t, s.model(t, some, openai.Options{}), talk)
	if strings.Contains(s.asked[1], "iVBO") {
		t.Error("a model that is not known to see is shown an image")
	}
}

func TestAnImageThatIsRefusedIsLeftOut(t *testing.T) {
	s := &server{bodies: []string{`{"error":{"message":"Invalid content type. image_url is only supported by certain models.","type":"invalid_request_error"}}`, whole(`{"content":"x"}`)}, status: []int{400}}
	m := s.model(t, some, openai.Options{Model: "gpt-4o"})
	for range 2 {
		s.ask(t, m, talk)
	}
	if len(s.asked) != 3 || strings.Contains(s.asked[1], "iVBO") || m.Caps().Images {
		t.Errorf("%q", s.asked)
	}
}

// What a provider wants back is sent back as it came: signatures of calls that
// nobody here knows, and reasoning. Another model gets nothing of it.
func TestReplay(t *testing.T) {
	s := &server{bodies: []string{
		stream(delta(`{"reasoning_content":"h"}`), delta(`{"reasoning_content":"m","reasoning_details":[{"type":"reasoning.encrypted","data":"ZZ"}]}`),
			delta(`{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"sig=="}}}]}`), stop)}}
	m := s.model(t, some, openai.Options{})
	r := s.ask(t, m, model.Request{})
	again := model.Request{Messages: []model.Message{{Role: model.Assistant, Content: r.Content, Replay: r.Replay}}}
	s.ask(t, m, again)
	for _, part := range []string{`"extra_content":{"google":{"thought_signature":"sig=="}}`, `"reasoning_content":"hm"`, `"reasoning_details":[{"data":"ZZ","type":"reasoning.encrypted"}]`} {
		if !strings.Contains(s.asked[1], part) {
			t.Errorf("%s is not in %s", part, s.asked[1])
		}
	}
	other := s.model(t, some, openai.Options{Model: "other"})
	s.ask(t, other, again)
	if strings.Contains(s.asked[2], "sig==") || strings.Contains(s.asked[2], "reasoning") {
		t.Error(s.asked[2])
	}
}

// What is known of servers by their address.
func TestServers(t *testing.T) {
	s := &server{bodies: []string{whole(`{"content":"x"}`)}}
	req := talk
	req.Force = "click"
	s.ask(t, s.model(t, "https://api.openai.com/v1", openai.Options{MaxOutput: 9}), req)
	first := s.last(t)
	if first["max_completion_tokens"] != 9.0 || first["tool_choice"].(object)["type"] != "function" {
		t.Errorf("OpenAI is asked %v", first)
	}
	req.Messages = append(req.Messages, model.Message{Role: model.User, Content: []model.Part{model.Text("more")}})
	s.ask(t, s.model(t, "https://api.openai.com/v1", openai.Options{}), req)
	if key, _ := first["prompt_cache_key"].(string); key == "" || s.last(t)["prompt_cache_key"] != key {
		t.Errorf("the keys of the cache %v and %v", first["prompt_cache_key"], s.last(t)["prompt_cache_key"])
	}
	s.ask(t, s.model(t, "https://api.mistral.ai/v1", openai.Options{MaxOutput: 9}), req)
	got := s.last(t)
	if got["tool_choice"] != "any" || got["max_tokens"] != 9.0 || got["prompt_cache_key"] != nil {
		t.Errorf("Mistral is asked %v", got)
	}
	if id := got["messages"].([]any)[3].(object)["tool_call_id"].(string); len(id) != 9 {
		t.Errorf("an id %q", id)
	}
}

// Servers that take a tool's name nowhere are asked with that tool alone.
func TestForcingWithoutNames(t *testing.T) {
	s := &server{bodies: []string{`{"error":"Invalid tool_choice type: 'object'. Supported string values: none, auto, required"}`, whole(`{"content":"x"}`)}, status: []int{400}}
	req := model.Request{Tools: []model.Tool{{Name: "f"}, {Name: "g"}}, Force: "g"}
	s.ask(t, s.model(t, some, openai.Options{}), req)
	if got := s.last(t); got["tool_choice"] != "required" || len(got["tools"].([]any)) != 1 || !strings.Contains(s.asked[1], `"g"`) {
		t.Errorf("%v", got)
	}
}

// What a refusal is about is told by its words, and the least is given up for it.
func TestWhatIsGivenUp(t *testing.T) {
	req := model.Request{Force: "f", Tools: []model.Tool{{Name: "f", Input: json.RawMessage(`{"type":"object","properties":{"x":{"oneOf":[{"type":"integer"},{"type":"string"}]}}}`)}}}
	for text, check := range map[string]func(object) bool{
		"m does not support this tool_choice":                                func(o object) bool { return o["tool_choice"] == "required" && o["tools"] != nil },
		"Invalid schema for function 'f': 'oneOf' is not supported":          func(o object) bool { return strings.Contains(js(o["tools"]), `"parameters":{"type":"object"}`) },
		"Unknown parameter: 'stream_options'":                                func(o object) bool { return o["tools"] != nil && o["stream_options"] == nil },
		"m does not support Function Calling":                                func(o object) bool { return o["tools"] == nil },
		"Function calling is not supported with this model, see the manual.": func(o object) bool { return o["tools"] == nil },
	} {
		s := &server{bodies: []string{js(object{"error": object{"message": text}}), whole(`{"content":"x"}`)}, status: []int{400}}
		if s.ask(t, s.model(t, some, openai.Options{}), req); len(s.asked) != 2 || !check(s.last(t)) {
			t.Errorf("%s: %v", text, s.last(t))
		}
	}
}

// Servers are started without what tools need.
func TestServersWithoutTools(t *testing.T) {
	req := model.Request{Tools: []model.Tool{{Name: "f"}, {Name: "g"}}}
	s := &server{bodies: []string{`{"object":"error","message":"x","error":{"message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}}`, whole(`{"content":"x"}`)}, status: []int{400}}
	m := s.model(t, some, openai.Options{})
	s.ask(t, m, req)
	if got := s.last(t); got["tool_choice"] != "required" || len(got["tools"].([]any)) != 2 {
		t.Errorf("%v", got)
	}
	for _, c := range []struct {
		status int
		text   string
	}{{404, "No endpoints found that support tool use."}, {400, "registry.example/m does not support tools"}, {400, "tools are not supported in this model"}} {
		s := &server{bodies: []string{js(object{"error": object{"message": c.text}}), whole(`{"content":"{\"tool\":\"f\",\"input\":{}}"}`)}, status: []int{c.status}}
		m := s.model(t, some, openai.Options{})
		got := s.ask(t, m, req)
		if d := cmp.Diff([]model.Part{call("", "f", `{}`)}, got.Content); d != "" || m.Caps().Tools || s.last(t)["tools"] != nil {
			t.Errorf("%s: %s", c.text, d)
		}
	}
}

// Groq refuses what the model said, and says what it was.
func TestAFailedGenerationIsRead(t *testing.T) {
	failed := func(said string) string {
		return js(object{"error": object{"message": "Failed to call a function.", "type": "invalid_request_error", "code": "tool_use_failed", "failed_generation": said}})
	}
	s := &server{bodies: []string{failed(`<tool_call>{"name":"f","arguments":{"x":1}}</tool_call>`), failed("I can not")}, status: []int{400, 400}}
	m := s.model(t, some, openai.Options{})
	req := model.Request{Tools: []model.Tool{{Name: "f"}}}
	got := s.ask(t, m, req)
	if d := cmp.Diff([]model.Part{call("", "f", `{"x":1}`)}, got.Content); d != "" || got.Finish != model.FinishCalls || !got.Usage.Estimated {
		t.Errorf("%+v", got)
	}
	got, err := m.Generate(t.Context(), req)
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorMalformed || !e.Temporary || got.Usage.Output == 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// An error may stand in a choice, and what was paid in requests before counts.
func TestErrorsInChoices(t *testing.T) {
	s := &server{bodies: []string{`{"choices":[{"index":0,"error":{"code":502,"message":"upstream"},"message":{"content":"x"}}]}`}}
	_, err := s.model(t, some, openai.Options{}).Generate(t.Context(), model.Request{})
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorOverloaded || !e.Temporary {
		t.Error(err)
	}
}

func TestStrictSchemasAreUndone(t *testing.T) {
	s := &server{bodies: []string{whole(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":1,\"note\":null}"}}]}`)}}
	m := s.model(t, "https://api.openai.com/v1", openai.Options{})
	got := s.ask(t, m, model.Request{Tools: []model.Tool{{Name: "f", Input: json.RawMessage(`{"type":"object","properties":{"x":{"type":"integer"},"note":{"type":"string"}},"required":["x"],"additionalProperties":false}`)}}})
	if string(got.Content[0].Input) != `{"x":1}` {
		t.Errorf("%s", got.Content[0].Input)
	}
	if !strings.Contains(s.asked[0], `"required":["x","note"]`) {
		t.Error(s.asked[0])
	}
}

func TestRequestIDs(t *testing.T) {
	s := &server{bodies: []string{`{"id":"gen-7",` + whole(`{"content":"x"}`)[1:]}}
	if got := s.ask(t, s.model(t, some, openai.Options{}), model.Request{}); got.RequestID != "gen-7" {
		t.Errorf("%q", got.RequestID)
	}
}

func TestCaps(t *testing.T) {
	for name, want := range map[string]model.Caps{
		"gpt-4o-mini":     {Tools: true, ForcedTool: true, ParallelTools: true, StrictTools: true, Temperature: true, Images: true, MaxImages: 500, Coordinates: model.Pixels, ContextTokens: 128_000, OutputTokens: 16_384},
		"o3-mini":         {Tools: true, ForcedTool: true, ParallelTools: true, StrictTools: true, Reasoning: true, MaxImages: 500, Coordinates: model.Pixels, ContextTokens: 200_000, OutputTokens: 100_000},
		"of-next-month":   {Tools: true, ForcedTool: true, ParallelTools: true, StrictTools: true, Temperature: true, MaxImages: 500, Coordinates: model.Pixels},
		"qwen/qwen3-vl:8": {Tools: true, ForcedTool: true, ParallelTools: true, StrictTools: true, Temperature: true, Images: true, MaxImages: 500, Coordinates: model.Pixels},
	} {
		m, err := openai.New(openai.Options{Model: name, Key: "k"})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, model.CapsOf(m)); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
	m, err := openai.New(openai.Options{Model: "o3", Key: "k", Caps: func(c *model.Caps) { c.Images = !c.Images; c.ContextTokens = 7 }})
	if c := model.CapsOf(m); err != nil || c.Images || c.ContextTokens != 7 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []openai.Options{{}, {Model: "m"}, {Model: "m", BaseURL: openai.DefaultBase}, {Model: "m", BaseURL: "api.example"}, {Model: "m", Key: "k", MaxOutput: -1}, {Model: "m", Key: "k", Temperature: new(math.NaN())}, {Model: "m", Key: "k", Dialect: "strange"}} {
		if _, err := openai.New(o); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
