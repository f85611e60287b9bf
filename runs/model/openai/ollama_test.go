package openai_test

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

	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/openai"
)

// An ollamaServer speaks Ollama's own route. A token of it is four bytes. It
// reads num_ctx tokens; what is longer it refuses, where it is told not to cut,
// and else drops the oldest messages, as Ollama does.
type ollamaServer struct {
	version string
	show    string
	lines   []string // of the answer
	status  int      // of the answer; 0 for success
	dense   bool     // a token is one byte

	mu      sync.Mutex
	asked   []map[string]any
	routes  []string
	dropped int
}

func (s *ollamaServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.routes = append(s.routes, r.Method+" "+r.URL.Path)
	switch r.Method + " " + r.URL.Path {
	case "GET /api/version":
		fmt.Fprintf(w, `{"version":%q}`, s.version)
	case "POST /api/show":
		if s.show == "" {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"error":"model 'm' not found"}`)
			return
		}
		fmt.Fprint(w, s.show)
	case "POST /api/chat":
		s.chat(w, raw)
	default:
		http.NotFound(w, r)
	}
}

func (s *ollamaServer) chat(w http.ResponseWriter, raw []byte) {
	var asked map[string]any
	_ = json.Unmarshal(raw, &asked)
	s.asked = append(s.asked, asked)
	context, _ := asked["options"].(object)["num_ctx"].(float64)
	truncate, told := asked["truncate"].(bool)
	messages := asked["messages"].([]any)
	size := 4
	if s.dense {
		size = 1
	}
	for len(js(messages))/size > int(context) {
		if told && !truncate && !strings.HasPrefix(s.version, "0.5.") {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":"the input length exceeds the context length"}`)
			return
		}
		messages, s.dropped = messages[1:], s.dropped+1
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	if s.status != 0 {
		w.WriteHeader(s.status)
	}
	fmt.Fprint(w, strings.Join(s.lines, "\n")+"\n")
}

func (s *ollamaServer) model(t *testing.T, o openai.Options) *openai.Model {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	o.Model, o.BaseURL = "m", srv.URL+"/v1"
	o.Transport = srv.Client().Transport
	m, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

const shown = `{"capabilities":["completion","tools","thinking","vision"],"model_info":{"general.architecture":"qwen3","qwen3.context_length":131072,"qwen3.block_count":36}}`

var fine = []string{
	`{"model":"m","message":{"role":"assistant","content":"","thinking":"h"},"done":false}`,
	`{"model":"m","message":{"role":"assistant","content":"","thinking":"m"},"done":false}`,
	`{"model":"m","message":{"role":"assistant","content":"Grü"},"done":false}`,
	`{"model":"m","message":{"role":"assistant","content":"ße","tool_calls":[{"function":{"name":"click","arguments":{"ref":"e1"}}},{"id":"call_7","function":{"name":"read","arguments":{}}}]},"done":false}`,
	`{"model":"m","message":{"role":"assistant","content":""},"done_reason":"stop","done":true,"prompt_eval_count":100,"eval_count":20}`,
}

func TestOllamaIsRecognisedAndSpokenToInItsOwnWay(t *testing.T) {
	s := &ollamaServer{version: "0.14.2", show: shown, lines: fine}
	m := s.model(t, openai.Options{MaxOutput: 7, Temperature: new(0.5)})
	got, err := m.Generate(t.Context(), talk)
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Part{model.Reasoning("hm"), model.Text("Grüße"), call("", "click", `{"ref":"e1"}`), call("call_7", "read", `{}`)}
	if d := cmp.Diff(want, got.Content); d != "" || got.Finish != model.FinishCalls || got.Usage != (model.Usage{Input: 100, Output: 20}) {
		t.Errorf("%s %+v (-want +got)\n%s", got.Finish, got.Usage, d)
	}
	id := s.asked[0]["messages"].([]any)[4].(object)["tool_call_id"].(string)
	fn := func(id, name string, args object) any {
		return object{"id": id, "function": object{"name": name, "arguments": args}}
	}
	asked := object{
		"model": "m", "stream": true, "truncate": false, "shift": false,
		"options": object{"num_ctx": 32768.0, "num_predict": 7.0, "temperature": 0.5},
		"messages": []any{
			object{"role": "system", "content": "act"},
			object{"role": "user", "content": "do it"},
			object{"role": "assistant", "content": "well", "thinking": "hm", "tool_calls": []any{fn("call_a", "click", object{"ref": "e1"}), fn(id, "read", object{})}},
			object{"role": "tool", "tool_name": "click", "tool_call_id": "call_a", "content": "Error: gone"},
			object{"role": "tool", "tool_name": "read", "tool_call_id": id, "content": `{"n":1}`},
			object{"role": "user", "content": "Images of the results above:", "images": []any{"iVBO"}},
			object{"role": "assistant", "content": "so"},
			object{"role": "user", "content": "Go on"},
		},
		"tools": []any{object{"type": "function", "function": object{"name": "click", "description": "clicks", "parameters": object{"type": "object"}}}},
	}
	if d := cmp.Diff(asked, s.asked[0]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if _, err := m.Generate(t.Context(), talk); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"GET /api/version", "POST /api/show", "POST /api/chat", "POST /api/chat"}, s.routes); d != "" {
		t.Error(d)
	}
	if c := m.Caps(); c.ContextTokens != 131072 || !c.Images || !c.Reasoning || c.ForcedTool || c.StrictTools {
		t.Errorf("%+v", c)
	}
}

// long is a conversation of about n bytes.
func long(n int) model.Request {
	r := model.Request{System: "act", Task: "do it"}
	for range 10 {
		r.Messages = append(r.Messages, model.Message{Role: model.User, Content: []model.Part{model.Text(strings.Repeat("x", n/10))}})
	}
	return r
}

func TestTheContextOfOllamaGrows(t *testing.T) {
	s := &ollamaServer{version: "0.13.0", show: shown, lines: fine}
	m := s.model(t, openai.Options{})
	for _, n := range []int{1_000, 200_000, 1_000, 500_000} {
		if _, err := m.Generate(t.Context(), long(n)); err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	var contexts []float64
	for _, r := range s.asked {
		contexts = append(contexts, r["options"].(object)["num_ctx"].(float64))
	}
	if d := cmp.Diff([]float64{32768, 131072, 131072, 131072}, contexts); d != "" || s.dropped != 0 {
		t.Errorf("%d messages dropped (-want +got)\n%s", s.dropped, d)
	}
	_, err := m.Generate(t.Context(), long(1_000_000))
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorOverflow || e.Temporary || s.dropped != 0 {
		t.Errorf("%v, %d messages dropped", err, s.dropped)
	}
}

// A text whose tokens are shorter than was guessed is refused, and asked again
// with more room.
func TestARefusedContextOfOllamaGrows(t *testing.T) {
	s := &ollamaServer{version: "0.13.0", show: shown, lines: fine, dense: true}
	m := s.model(t, openai.Options{Caps: func(c *model.Caps) { c.ContextTokens = 65_536 }})
	if _, err := m.Generate(t.Context(), long(60_000)); err != nil {
		t.Fatal(err)
	}
	if n := len(s.asked); n != 2 || s.asked[1]["options"].(object)["num_ctx"] != 65536.0 || s.dropped != 0 {
		t.Errorf("%d requests, %d messages dropped", n, s.dropped)
	}
	_, err := m.Generate(t.Context(), long(70_000))
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorOverflow || len(s.asked) != 3 {
		t.Errorf("%v after %d requests", err, len(s.asked))
	}
}

// An old Ollama drops messages whatever it is told: it is only asked what surely
// fits, and else nothing.
func TestAnOldOllamaIsNeverAskedTooMuch(t *testing.T) {
	s := &ollamaServer{version: "0.5.7", show: shown, lines: fine}
	m := s.model(t, openai.Options{})
	if _, err := m.Generate(t.Context(), long(100_000)); err != nil || s.asked[0]["options"].(object)["num_ctx"] != 131072.0 {
		t.Errorf("%v, %v", err, s.asked[0]["options"])
	}
	_, err := m.Generate(t.Context(), long(200_000))
	e, ok := errors.AsType[*model.Error](err)
	if !ok || e.Kind != model.ErrorOverflow || !strings.Contains(e.Message, "0.13") || !strings.Contains(e.Message, "0.5.7") || len(s.asked) != 1 || s.dropped != 0 {
		t.Errorf("%v, asked %d times", err, len(s.asked))
	}
}

func TestFaultsOfOllama(t *testing.T) {
	half := fine[:3]
	for name, c := range map[string]struct {
		server    *ollamaServer
		kind      model.ErrorKind
		temporary bool
	}{
		"no such model":   {&ollamaServer{}, model.ErrorModel, false},
		"a cut":           {&ollamaServer{show: shown, lines: half}, model.ErrorCut, true},
		"nothing":         {&ollamaServer{show: shown}, model.ErrorMalformed, true},
		"no JSON":         {&ollamaServer{show: shown, lines: []string{"<html>"}}, model.ErrorMalformed, true},
		"busy":            {&ollamaServer{show: shown, status: 503, lines: []string{`{"error":"server busy, please try again"}`}}, model.ErrorOverloaded, true},
		"out of memory":   {&ollamaServer{show: shown, status: 500, lines: []string{`{"error":"model requires more system memory (9.2 GiB) than is available"}`}}, model.ErrorOverloaded, true},
		"an error inside": {&ollamaServer{show: shown, lines: append(half[:2:2], `{"error":"an error was encountered while running the model"}`)}, model.ErrorOverloaded, true},
	} {
		s := c.server
		s.version = "0.13.0"
		got, err := s.model(t, openai.Options{}).Generate(t.Context(), talk)
		if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != c.kind || e.Temporary != c.temporary || len(got.Content) > 0 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestAModelOfOllamaWithoutTools(t *testing.T) {
	s := &ollamaServer{version: "0.13.0", show: `{"capabilities":["completion"],"model_info":{}}`, lines: []string{
		`{"message":{"role":"assistant","content":"{\"tool\":\"click\",\"input\":{\"ref\":\"e1\"}}"},"done":true,"done_reason":"stop"}`}}
	got, err := s.model(t, openai.Options{}).Generate(t.Context(), talk)
	if d := cmp.Diff([]model.Part{call("", "click", `{"ref":"e1"}`)}, got.Content); err != nil || d != "" || s.asked[0]["tools"] != nil || !got.Usage.Estimated {
		t.Errorf("%v %+v", err, got)
	}
}

// A server on loopback that is no Ollama is asked once, and then by chat
// completions; one elsewhere is not asked.
func TestAServerThatIsNoOllama(t *testing.T) {
	for _, version := range []string{`{"error":"Unexpected endpoint"}`, "<html>", ""} {
		var routes []string
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			routes = append(routes, r.URL.Path)
			if r.URL.Path == "/v1/chat/completions" {
				fmt.Fprint(w, whole(`{"content":"x"}`))
				return
			}
			fmt.Fprint(w, version)
		}))
		m, err := openai.New(openai.Options{Model: "m", BaseURL: srv.URL + "/v1", Transport: srv.Client().Transport})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := m.Generate(t.Context(), model.Request{}); err != nil {
				t.Fatal(err)
			}
		}
		srv.Close()
		if d := cmp.Diff([]string{"/api/version", "/v1/chat/completions", "/v1/chat/completions"}, routes); d != "" {
			t.Error(d)
		}
	}
	s := &server{bodies: []string{whole(`{"content":"x"}`)}}
	srv := httptest.NewServer(s)
	defer srv.Close()
	m, err := openai.New(openai.Options{Model: "m", BaseURL: some, Transport: elsewhere{srv.Client().Transport, srv.URL}})
	if err != nil {
		t.Fatal(err)
	}
	if s.ask(t, m, model.Request{}); len(s.asked) != 1 {
		t.Errorf("%d requests", len(s.asked))
	}
}

// A server that is not up yet may be anything.
func TestAnUnreachableServerIsAskedAgain(t *testing.T) {
	s := &ollamaServer{version: "0.13.0", show: shown, lines: fine}
	srv := httptest.NewUnstartedServer(s)
	url := "http://" + srv.Listener.Addr().String()
	down := &switched{RoundTripper: http.DefaultTransport, down: true}
	m, err := openai.New(openai.Options{Model: "m", BaseURL: url, Transport: down})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Generate(t.Context(), talk)
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorNetwork || !e.Temporary {
		t.Fatal(err)
	}
	srv.Start()
	defer srv.Close()
	down.down, down.RoundTripper = false, srv.Client().Transport
	if _, err := m.Generate(t.Context(), talk); err != nil || len(s.asked) != 1 {
		t.Error(err)
	}
}

// switched is a network that is down at first.
type switched struct {
	http.RoundTripper
	down bool
}

func (s *switched) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.down {
		return nil, errors.New("connection refused")
	}
	return s.RoundTripper.RoundTrip(r)
}
