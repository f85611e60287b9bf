package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/model"
)

// testKey is the one that the server of these tests knows.
const testKey = "sk-right"

// serveModels speaks the wires of all providers. A model calls the tool report of
// the doctor, or else ends its run; one that is called "mute" only talks. It searches,
// too, below /searx, and refuses to below /closed.
func serveModels(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	says := func(pattern string, key func(http.Header) string, called, muted string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			raw, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			if key(r.Header) != testKey {
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprint(w, `{"error":{"message":"the key is wrong","type":"authentication_error"}}`)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, answerOf(string(raw), r.URL.Path, called, muted))
		})
	}
	bearer := func(h http.Header) string { return strings.TrimPrefix(h.Get("Authorization"), "Bearer ") }
	says("POST /v1/chat/completions", bearer,
		`{"choices":[{"index":0,"finish_reason":"tool_calls","message":{"tool_calls":[{"id":"c","type":"function","function":{"name":NAME,"arguments":TEXT}}]}}],"usage":{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":60}}}`,
		`{"choices":[{"index":0,"finish_reason":"stop","message":{"content":"Hello"}}]}`)
	says("POST /v1/responses", bearer,
		`{"object":"response","id":"r","status":"completed","output":[{"type":"function_call","id":"f","call_id":"c","status":"completed","name":NAME,"arguments":TEXT}],"usage":{"input_tokens":100,"output_tokens":20}}`, ``)
	says("POST /v1/messages", func(h http.Header) string { return h.Get("X-Api-Key") },
		`{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"c","name":NAME,"input":INPUT}],"stop_reason":"tool_use","usage":{"input_tokens":100,"output_tokens":20}}`, ``)
	says("POST /v1beta/models/", func(h http.Header) string { return h.Get("X-Goog-Api-Key") },
		`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":NAME,"args":INPUT}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":20}}`, ``)
	says("POST /ollama/api/chat", func(http.Header) string { return testKey },
		`{"message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":NAME,"arguments":INPUT}}]},"done":true,"done_reason":"stop","prompt_eval_count":100,"eval_count":20}`, ``)
	mux.HandleFunc("GET /ollama/api/version", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"version":"0.30.0"}`) })
	mux.HandleFunc("POST /ollama/api/show", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"capabilities":["completion","tools"],"model_info":{"general.architecture":"q","q.context_length":40960}}`)
	})
	mux.HandleFunc("GET /searx/search", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"results":[{"title":"Sun","url":"https://a.example","content":""}],"unresponsive_engines":[]}`)
	})
	mux.HandleFunc("GET /closed/search", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) })
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv.URL
}

func answerOf(body, path, called, muted string) string {
	if strings.Contains(body, `"mute"`) {
		return muted
	}
	name, input := `"done"`, `{"success":true,"result":{"answer":42}}`
	switch {
	case strings.Contains(body, `They say: 4711`):
		input = `{"success":true,"result":{"answer":4711}}`
	case strings.Contains(body, `nobody is here`):
		input = `{"success":false,"reason":"nobody answers"}`
	case strings.Contains(body, `"ask_human"`):
		name, input = `"ask_human"`, `{"question":"Which code?"}`
	}
	if strings.Contains(body, `"report"`) {
		name, input = `"report"`, `{"number":7}`
	}
	text, _ := json.Marshal(input) // of a string: it cannot fail
	return strings.NewReplacer("NAME", name, "TEXT", string(text), "INPUT", input).Replace(called)
}

// given parses flags of serve.
func given(t *testing.T, args ...string) modelFlags {
	t.Helper()
	var cmds commands
	parser, err := kong.New(&cmds)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"serve"}, args...)); err != nil {
		t.Fatal(err)
	}
	return cmds.Serve.modelFlags
}

func TestModelFlags(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "k")
	t.Setenv("ANTHROPIC_API_KEY", "k")
	t.Setenv("DROVER_MODEL", "")
	cmd := serveCmd{modelFlags: given(t, "--model=openai:m,openai:o", "--model", "plain", "--model-fallback=anthropic:c",
		"--price", "openai:*=1,2", "--price", "anthropic:c=3,15,0.3,3.75,6", "--budget-tokens=1000", "--budget-cost=0.5", "--project-budget-tokens=9000", "--project-budget-cost=2", "--ask-human")}
	o, err := cmd.options(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	fallbacks := map[string]string{}
	for name, c := range o.Models {
		fallbacks[name] = c.Fallback
	}
	want := map[string]string{"openai:m": "anthropic:c", "openai:o": "anthropic:c", "plain": "", "anthropic:c": ""}
	if diff := cmp.Diff(want, fallbacks); diff != "" || o.DefaultModel != "openai:m" {
		t.Errorf("%q\n%s", o.DefaultModel, diff)
	}
	prices := model.Prices{
		{Model: "openai:*", Input: 1, CacheRead: 1, CacheWrite: 1, CacheWriteLong: 1, Output: 2},
		{Model: "anthropic:c", Input: 3, CacheRead: 0.3, CacheWrite: 3.75, CacheWriteLong: 6, Output: 15},
	}
	if diff := cmp.Diff(prices, o.Prices); diff != "" || o.Runs.Budget != (runs.Budget{Tokens: 1000, Cost: 500_000}) {
		t.Errorf("%+v\n%s", o.Runs.Budget, diff)
	}
	if o.Runs.ProjectBudget != (runs.Budget{Tokens: 9000, Cost: 2_000_000}) || !o.RunHooks.Human {
		t.Errorf("%+v %+v", o.Runs.ProjectBudget, o.RunHooks)
	}
	t.Setenv("DROVER_MODEL", "openai:a,plain")
	if got := given(t).Model; !cmp.Equal(got, []string{"openai:a", "plain"}) {
		t.Errorf("from the variable: %q", got)
	}
	if got := given(t, "--model=plain").Model; !cmp.Equal(got, []string{"plain"}) {
		t.Errorf("the flag goes before the variable: %q", got)
	}
}

func TestModelFlagsThatCannotBe(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "k")
	for _, name := range []string{"OPENAI_BASE_URL", "GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL", "ANTHROPIC_API_KEY"} {
		t.Setenv(name, "")
	}
	t.Setenv("ANTHROPIC_BASE_URL", "ftp://x")
	for want, f := range map[string]modelFlags{
		`--model must be plain, or PROVIDER:NAME with one of openai, openai-responses, anthropic, anthropic-browser, gemini, ollama, not "gpt"`: {chosenModels: chosenModels{[]string{"gpt"}}},
		`not "openai:"`: {chosenModels: chosenModels{[]string{"openai:"}}},
		"GEMINI_API_KEY or GOOGLE_API_KEY must be set to a key for the model gemini:g": {chosenModels: chosenModels{[]string{"gemini:g"}}},
		"ANTHROPIC_BASE_URL must be an http or https URL":                              {chosenModels: chosenModels{[]string{"anthropic:c"}}},
		`--price is for "openai:x", which is none`:                                     {chosenModels: chosenModels{[]string{"openai:m"}}, Price: []string{"openai:x=1,2"}},
		`--price must be like`:                                                         {Price: []string{"openai:m"}},
		`--price of openai:m has "a"`:                                                  {Price: []string{"openai:m=1,a"}},
		`--price of openai:m has "-1"`:                                                 {Price: []string{"openai:m=-1,2"}},
		`must have 2 to 5 numbers`:                                                     {Price: []string{"openai:m=1"}},
		`--model-fallback needs the model`:                                             {ModelFallback: "openai:m"},
		`--budget-tokens must be more than 0`:                                          {BudgetTokens: -1},
		`--budget-cost must be a number`:                                               {BudgetCost: math.NaN()},
		`--project-budget-tokens must be more than 0`:                                  {ProjectBudgetTokens: -1},
		`--project-budget-cost needs a price of openai:n: see --price`:                 {chosenModels: chosenModels{[]string{"openai:n", "openai:m"}}, Price: []string{"openai:m=1,2"}, ProjectBudgetCost: 1},
		`--budget-cost needs prices`:                                                   {BudgetCost: 1},
		`--budget-cost needs a price of openai:n: see --price`:                         {chosenModels: chosenModels{[]string{"openai:m", "plain"}}, ModelFallback: "openai:n", Price: []string{"openai:m=1,2"}, BudgetCost: 1},
	} {
		if _, err := (serveCmd{modelFlags: f}).options(slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
}

func TestAddressesInVariables(t *testing.T) {
	for host, want := range map[string]string{
		"": "http://127.0.0.1:11434", "0.0.0.0": "http://127.0.0.1:11434", "box": "http://box:11434", "box:80": "http://box:80", ":1234": "http://127.0.0.1:1234",
		"http://box": "http://box:80", "https://box/x": "https://box:443/x", "http://[::1]:5": "http://[::1]:5", "[::]:5": "http://127.0.0.1:5",
	} {
		if got := ollamaBase(host); got != want {
			t.Errorf("%q: %s, not %s", host, got, want)
		}
	}
	for base, want := range map[string]string{
		"": "", "https://x": "https://x/v1beta", "https://x/": "https://x/v1beta", "https://x/v1": "https://x/v1", "https://x/g/v1beta/": "https://x/g/v1beta/",
	} {
		if got := geminiBase(base); got != want {
			t.Errorf("%q: %s, not %s", base, got, want)
		}
	}
}

func TestUsageLine(t *testing.T) {
	for want, u := range map[string]runs.Usage{
		"": {},
		"2 questions to the model; 110 tokens read (100 of them cached), 5 written; cost 0.001000":                         {Questions: 2, Cost: 1000, Tokens: model.Usage{Input: 10, CacheRead: 100, Output: 5}},
		"1 questions to the model; 10 tokens read, 5 written, as far as is known":                                          {Questions: 1, Unpriced: true, Tokens: model.Usage{Input: 10, Output: 5, Estimated: true}},
		"1 questions to the model; 10 tokens read, 5 written; cost 0.000001, and what has no price":                        {Questions: 1, Cost: 1, Unpriced: true, Tokens: model.Usage{Input: 10, Output: 5}},
		"the model failed, and b went on in its place; 1 questions to the model; 10 tokens read, 5 written; cost 0.000000": {Questions: 1, Fallback: "b", Tokens: model.Usage{Input: 10, Output: 5}},
	} {
		if got := usageLine(u); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// hangingModel is a language model that does not answer: asked gets a value for
// each question, left for each that nobody waits for any more.
func hangingModel(t *testing.T) (env []string, asked, left chan struct{}) {
	t.Helper()
	asked, left = make(chan struct{}, 8), make(chan struct{}, 8)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost { // is it an Ollama?
			http.NotFound(w, r)
			return
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		asked <- struct{}{}
		<-r.Context().Done()
		left <- struct{}{}
	}))
	t.Cleanup(srv.Close)
	return []string{"OPENAI_BASE_URL=" + srv.URL + "/v1", "OPENAI_API_KEY=" + testKey, "DROVER_MODEL=openai:m"}, asked, left
}

// A run is stopped while its model does not answer, and the model is left.
func TestAnInterruptLeavesTheModel(t *testing.T) {
	env, asked, left := hangingModel(t)
	cmd := exec.Command("drover", "run", "--data", ":memory:", "Answer")
	cmd.Env = append(os.Environ(), env...)
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-asked
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-left
	if err := cmd.Wait(); err == nil || !strings.Contains(out.String(), "STOPPED") {
		t.Errorf("%v\n%s", err, &out)
	}
}

// A stream of messages does not keep the service from closing, as its run may.
func TestAStreamEndsWhenTheServiceCloses(t *testing.T) {
	env, asked, left := hangingModel(t)
	s := startServer(t, append(env, keyVariable+"=k"), "--data", ":memory:")
	status, body := s.post("/v1/agents/runs", "k", `{"task":"t"}`)
	var run struct{ RunID string }
	if err := json.Unmarshal([]byte(body), &run); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s", status, body)
	}
	<-asked
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.base+"/v1/agents/runs/"+run.RunID+"/messages/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-SVC-API-Key", "k")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	streamed, err := io.ReadAll(res.Body)
	if err != nil || len(streamed) > 0 {
		t.Errorf("%q, %v", streamed, err)
	}
	select {
	case <-left:
		t.Error("the run was ended before the stream")
	default:
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil { // the second one ends it at once
		t.Fatal(err)
	}
	s.cmd.Wait()
}
