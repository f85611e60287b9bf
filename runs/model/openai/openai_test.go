package openai_test

import (
	"context"
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
	"github.com/drover-go/drover/runs/model/openai"
)

// A server answers with the bodies it is given, in turn, the last for ever; one
// that begins with "data:" is a stream. It keeps what it was asked.
type server struct {
	mu     sync.Mutex
	bodies []string
	status []int
	asked  []string
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
	if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer sk-s3cr3t" {
		status = http.StatusTeapot
	}
	if strings.HasPrefix(body, "data:") {
		w.Header().Set("Content-Type", "text/event-stream")
	} else {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	fmt.Fprint(w, body)
}

func (s *server) model(t *testing.T, o openai.Options) *openai.Model {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	o.BaseURL, o.Key, o.Model = srv.URL+"/v1", "sk-s3cr3t", "m"
	m, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

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

func TestAnswers(t *testing.T) {
	fn := func(rest string) string { return delta(`{"tool_calls":[` + rest + `]}`) }
	for name, c := range map[string]struct {
		body string
		want []model.Part
		then model.Finish
	}{
		"text":                      {stream(delta(`{"role":"assistant","content":"Hel"}`), delta(`{"content":"lo"}`), stop), []model.Part{model.Text("Hello")}, model.FinishStop},
		"text, whole":               {whole(`{"role":"assistant","content":"Hello"}`), []model.Part{model.Text("Hello")}, model.FinishStop},
		"whole in a stream":         {stream(whole(`{"content":"Hello"}`)), []model.Part{model.Text("Hello")}, model.FinishStop},
		"content of parts":          {whole(`{"content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"},7]}`), []model.Part{model.Text("Hello")}, model.FinishStop},
		"content a number":          {whole(`{"content":7}`), nil, model.FinishStop},
		"nothing":                   {whole(`{"content":null}`), nil, model.FinishStop},
		"reasoning":                 {stream(delta(`{"reasoning_content":"so"}`), delta(`{"content":"x"}`), stop), []model.Part{model.Reasoning("so"), model.Text("x")}, model.FinishStop},
		"reasoning, renamed":        {whole(`{"reasoning":"so","content":"x"}`), []model.Part{model.Reasoning("so"), model.Text("x")}, model.FinishStop},
		"a null error":              {stream(`{"error":null,"choices":[{"index":0,"delta":{"content":"x"}}]}`, stop), []model.Part{model.Text("x")}, model.FinishStop},
		"another choice":            {stream(`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"x"}}]}`, stop), []model.Part{model.Text("x")}, model.FinishStop},
		"no end mark, but a finish": {"data: " + delta(`{"content":"x"}`) + "\n\ndata: " + stop, []model.Part{model.Text("x")}, model.FinishStop},
		"an odd finish":             {stream(delta(`{"content":"x"}`), `{"choices":[{"index":0,"delta":{},"finish_reason":"tired"}]}`), []model.Part{model.Text("x")}, model.FinishStop},
		"a call in pieces": {stream(fn(`{"index":0,"id":"a","type":"function","function":{"name":"click","arguments":""}}`), fn(`{"index":0,"function":{"arguments":"{\"ref\":"}}`), fn(`{"index":0,"function":{"arguments":"\"e1\"}"}}`), stop),
			[]model.Part{call("a", "click", `{"ref":"e1"}`)}, model.FinishCalls},
		"interleaved calls": {stream(fn(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}},{"index":1,"id":"b","function":{"name":"g","arguments":"{\"y\""}}`), fn(`{"index":1,"function":{"arguments":":2}"}}`), fn(`{"index":0,"function":{"arguments":":1}"}}`), stop),
			[]model.Part{call("a", "f", `{"x":1}`), call("b", "g", `{"y":2}`)}, model.FinishCalls},
		"no index": {stream(fn(`{"id":"a","function":{"name":"f","arguments":"{}"}}`), fn(`{"id":"b","function":{"name":"f","arguments":"{\"z\":"}}`), fn(`{"function":{"arguments":"3}"}}`), stop),
			[]model.Part{call("a", "f", `{}`), call("b", "f", `{"z":3}`)}, model.FinishCalls},
		"no index, no ids": {stream(fn(`{"function":{"name":"f","arguments":"{}"}}`), fn(`{"function":{"name":"f","arguments":"{}"}}`), stop),
			[]model.Part{call("", "f", `{}`), call("", "f", `{}`)}, model.FinishCalls},
		"one index for two": {stream(fn(`{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`), fn(`{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}`), stop),
			[]model.Part{call("a", "f", `{}`), call("b", "g", `{}`)}, model.FinishCalls},
		"an object":         {whole(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x":1}}}]}`), []model.Part{call("a", "f", `{"x":1}`)}, model.FinishCalls},
		"no arguments":      {whole(`{"tool_calls":[{"id":"a","function":{"name":"f"}},{"id":"b","function":{"name":"f","arguments":null}}]}`), []model.Part{call("a", "f", `{}`), call("b", "f", `{}`)}, model.FinishCalls},
		"encoded twice":     {whole(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"\"{\\\"x\\\":1}\""}}]}`), []model.Part{call("a", "f", `{"x":1}`)}, model.FinishCalls},
		"text behind":       {whole(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":1} and so on"}}]}`), []model.Part{call("a", "f", `{"x":1}`)}, model.FinishCalls},
		"a cut object":      {whole(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]}`), []model.Part{call("a", "f", `"{\"x\":"`)}, model.FinishCalls},
		"a list":            {whole(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"[1]"}}]}`), []model.Part{call("a", "f", `"[1]"`)}, model.FinishCalls},
		"the limit reached": {stream(delta(`{"content":"x"}`), fn(`{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}`), `{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`), []model.Part{model.Text("x")}, model.FinishLength},
	} {
		s := &server{bodies: []string{c.body}}
		got, err := s.model(t, openai.Options{}).Generate(t.Context(), model.Request{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff(c.want, got.Content); d != "" || got.Finish != c.then {
			t.Errorf("%s: %s (-want +got)\n%s", name, got.Finish, d)
		}
	}
}

func TestWhatIsNoAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		status    int
		body      string
		kind      model.ErrorKind
		temporary bool
	}{
		"nothing":                 {200, "", model.ErrorMalformed, true},
		"an empty stream":         {200, "data: [DONE]\n\n", model.ErrorMalformed, true},
		"no choices":              {200, `{"choices":[]}`, model.ErrorMalformed, true},
		"a page":                  {200, "<html>hello</html>", model.ErrorMalformed, true},
		"half a document":         {200, `{"choices":[{"mess`, model.ErrorMalformed, true},
		"a stream without an end": {200, "data: " + delta(`{"content":"x"}`) + "\n\n", model.ErrorCut, true},
		"an error with 200":       {200, `{"error":{"message":"x","code":429}}`, model.ErrorRate, true},
		"an error in the stream":  {200, stream(delta(`{"content":"x"}`), `{"error":{"message":"x","type":"server_error"}}`), model.ErrorOverloaded, true},
		"a wrong key":             {401, `{"error":{"message":"no sk-s3cr3t"}}`, model.ErrorAuth, false},
		"a long conversation":     {400, `{"error":{"message":"x","code":"context_length_exceeded"}}`, model.ErrorOverflow, false},
		"a refusal":               {200, stream(delta(`{"content":"partly"}`), delta(`{"refusal":"I will "}`), delta(`{"refusal":"not"}`), stop), model.ErrorRefused, false},
		"a filter":                {200, stream(delta(`{"content":"partly"}`), `{"choices":[{"index":0,"delta":{},"finish_reason":"content_filter"}]}`), model.ErrorRefused, false},
	} {
		s := &server{bodies: []string{c.body}, status: []int{c.status}}
		got, err := s.model(t, openai.Options{}).Generate(t.Context(), model.Request{})
		e, ok := errors.AsType[*model.Error](err)
		if !ok || e.Kind != c.kind || e.Temporary != c.temporary || len(got.Content) > 0 || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestUsage(t *testing.T) {
	for name, c := range map[string]struct {
		usage string
		want  model.Usage
	}{
		"all":      {`{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":60},"completion_tokens_details":{"reasoning_tokens":5}}`, model.Usage{Input: 40, CacheRead: 60, Output: 20, Reasoning: 5}},
		"some":     {`{"prompt_tokens":100,"completion_tokens":20}`, model.Usage{Input: 100, Output: 20}},
		"none":     {`null`, model.Usage{}},
		"negative": {`{"prompt_tokens":-100,"completion_tokens":-1,"prompt_tokens_details":{"cached_tokens":60}}`, model.Usage{}},
		"no count": {`"many"`, model.Usage{}},
	} {
		s := &server{bodies: []string{stream(delta(`{"content":"x"}`), `{"choices":[],"usage":{"prompt_tokens":1}}`, `{"choices":[],"usage":`+c.usage+`}`)}}
		if strings.HasPrefix(name, "no") {
			s.bodies[0] = stream(delta(`{"content":"x"}`), `{"choices":[],"usage":`+c.usage+`}`)
		}
		if got, err := s.model(t, openai.Options{}).Generate(t.Context(), model.Request{}); err != nil || got.Usage != c.want {
			t.Errorf("%s: %+v, %v", name, got.Usage, err)
		}
	}
}

// asked is a request as a tree.
func asked(t *testing.T, raw string) (tree map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(raw), &tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestTheConversation(t *testing.T) {
	s := &server{bodies: []string{whole(`{"content":"x"}`)}}
	m := s.model(t, openai.Options{MaxOutput: 7, Temperature: new(0.5)})
	one, two := call("a", "click", `{"ref":"e1"}`), call("b", "read", `{}`)
	_, err := m.Generate(t.Context(), model.Request{
		System: "act", Task: "do it",
		Messages: []model.Message{
			{Role: model.Assistant, Content: []model.Part{model.Reasoning("hm"), model.Text("well"), one, two}},
			{Role: model.ToolRole, Content: []model.Part{model.Result(one, model.ErrorOutput("gone")), model.Result(two, model.JSONOutput(json.RawMessage(`{"n":1}`)))}},
			{Role: model.Assistant, Content: []model.Part{model.Text("so")}},
			{Role: model.User, Content: []model.Part{model.Text("Go on")}},
		},
		Tools: []model.Tool{{Name: "click", Description: "clicks", Input: json.RawMessage(`{"type":"object"}`)}, {Name: "read"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	fn := func(id, name, args string) any {
		return map[string]any{"id": id, "type": "function", "function": map[string]any{"name": name, "arguments": args}}
	}
	want := map[string]any{
		"model": "m", "stream": true, "stream_options": map[string]any{"include_usage": true}, "max_completion_tokens": 7.0, "temperature": 0.5,
		"messages": []any{
			map[string]any{"role": "system", "content": "act"},
			map[string]any{"role": "user", "content": "do it"},
			map[string]any{"role": "assistant", "content": "well", "tool_calls": []any{fn("a", "click", `{"ref":"e1"}`), fn("b", "read", `{}`)}},
			map[string]any{"role": "tool", "tool_call_id": "a", "content": "Error: gone"},
			map[string]any{"role": "tool", "tool_call_id": "b", "content": `{"n":1}`},
			map[string]any{"role": "assistant", "content": "so"},
			map[string]any{"role": "user", "content": "Go on"},
		},
		"tools": []any{
			map[string]any{"type": "function", "function": map[string]any{"name": "click", "description": "clicks", "parameters": map[string]any{"type": "object"}}},
			map[string]any{"type": "function", "function": map[string]any{"name": "read"}},
		},
	}
	if d := cmp.Diff(want, asked(t, s.asked[0])); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// Fields of a call that nobody here knows are sent back as they came.
func TestSignaturesAreSentBack(t *testing.T) {
	s := &server{bodies: []string{whole(`{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"},"extra_content":{"google":{"thought_signature":"sig=="}}}]}`)}}
	m := s.model(t, openai.Options{})
	r, err := m.Generate(t.Context(), model.Request{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(t.Context(), model.Request{Messages: []model.Message{{Role: model.Assistant, Content: r.Content, Replay: r.Replay}}}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.asked[1], `"extra_content":{"google":{"thought_signature":"sig=="}}`) {
		t.Error(s.asked[1])
	}
}

// An optional field that the server refuses is left out, now and from now on.
func TestRefusedFieldsAreLeftOut(t *testing.T) {
	bad := func(field string) string {
		return `{"error":{"message":"Unsupported parameter: '` + field + `'","type":"invalid_request_error"}}`
	}
	s := &server{bodies: []string{bad("temperature"), bad("max_completion_tokens"), whole(`{"content":"x"}`)}, status: []int{400, 400, 200}}
	m := s.model(t, openai.Options{MaxOutput: 7, Temperature: new(1.0)})
	for range 2 {
		if _, err := m.Generate(t.Context(), model.Request{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.asked) != 4 {
		t.Fatalf("%d requests", len(s.asked))
	}
	for _, raw := range s.asked[2:] {
		if tree := asked(t, raw); tree["temperature"] != nil || tree["max_completion_tokens"] != nil || tree["max_tokens"] != 7.0 {
			t.Errorf("%v", tree)
		}
	}
}

// A request that stays refused is not sent for ever.
func TestARefusedRequestEnds(t *testing.T) {
	s := &server{bodies: []string{`{"error":"max_tokens, temperature and stream_options are unknown"}`}, status: []int{400}}
	_, err := s.model(t, openai.Options{}).Generate(t.Context(), model.Request{})
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorRequest || len(s.asked) != 2 {
		t.Errorf("%v after %d requests", err, len(s.asked))
	}
}

// A stop ends the call at once.
func TestAStopEndsTheCall(t *testing.T) {
	stopped, began := errors.New("stopped"), make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: "+delta(`{"content":"x"}`)+"\n\n")
		w.(http.Flusher).Flush()
		close(began)
		<-r.Context().Done()
	}))
	t.Cleanup(srv.Close)
	m, err := openai.New(openai.Options{BaseURL: srv.URL, Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { <-began; cancel(stopped) }()
	if _, err := m.Generate(ctx, model.Request{}); !errors.Is(err, stopped) {
		t.Error(err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []openai.Options{{}, {Model: "m", BaseURL: "api.example"}, {Model: "m", MaxOutput: -1}} {
		if _, err := openai.New(o); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
