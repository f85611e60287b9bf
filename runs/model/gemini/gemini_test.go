package gemini_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/gemini"
	"github.com/drover-go/drover/runs/model/internal/providertest"
)

// A server answers with these replies in turn, the last for ever.
type server struct {
	mu      sync.Mutex
	replies []providertest.Reply
	asked   []string
	paths   []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	reply := s.replies[min(len(s.asked), len(s.replies)-1)]
	s.asked, s.paths = append(s.asked, string(raw)), append(s.paths, r.URL.RequestURI())
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	if reply.Status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(reply.Status)
	}
	fmt.Fprint(w, reply.Body)
}

func says(a providertest.Answer) providertest.Reply { return providertest.Reply{Body: stream(a)} }

func serve(t *testing.T, o gemini.Options, replies ...providertest.Reply) (*server, *gemini.Model) {
	t.Helper()
	s := &server{replies: replies}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	o.BaseURL, o.Key = srv.URL+"/v1beta", providertest.Key
	if o.Model == "" {
		o.Model = "gemini-3-flash"
	}
	m, err := gemini.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s, m
}

func generate(t *testing.T, m *gemini.Model, r model.Request) model.Response {
	t.Helper()
	got, err := m.Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// tree is request n as a tree.
func (s *server) tree(t *testing.T, n int) map[string]any {
	t.Helper()
	tree, ok := parse(t, s.asked[n]).(map[string]any)
	if !ok {
		t.Fatal(s.asked[n])
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
		{Role: model.ToolRole, Content: []model.Part{model.Result(two, model.JSONOutput(json.RawMessage(`{"error":1}`))), model.Result(one, model.ErrorOutput("gone")), image("a")}},
		{Role: model.User, Content: []model.Part{model.Text("Go on")}},
	}
	return r
}

func TestARequest(t *testing.T) {
	s, m := serve(t, gemini.Options{Temperature: new(0.25), ThinkingBudget: new(-1), Thoughts: true}, says(providertest.Answer{Text: "x"}))
	r := conversation()
	r.Force = "read"
	if got := generate(t, m, r); got.RequestID != "resp-1" || s.paths[0] != "/v1beta/models/gemini-3-flash:streamGenerateContent?alt=sse" {
		t.Errorf("request id %q of %s", got.RequestID, s.paths[0])
	}
	want := parse(t, `{
		"systemInstruction":{"parts":[{"text":"You act in a browser."}]},
		"tools":[{"functionDeclarations":[
			{"name":"click","description":"clicks","parametersJsonSchema":{"type":"object","properties":{"x":{"type":"integer"},"note":{"type":"string"}},"required":["x"],"additionalProperties":false}},
			{"name":"read","description":"reads","parametersJsonSchema":{"type":"object","properties":{"x":{"type":"integer"}},"required":[],"additionalProperties":false}}]}],
		"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["read"]}},
		"generationConfig":{"temperature":0.25,"thinkingConfig":{"thinkingBudget":-1,"includeThoughts":true}},
		"contents":[
			{"role":"user","parts":[{"text":"Do it."}]},
			{"role":"model","parts":[{"text":"well"},{"functionCall":{"id":"a","name":"click","args":{"x":1}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"id":"b","name":"read","args":{}}}]},
			{"role":"user","parts":[
				{"functionResponse":{"id":"a","name":"click","response":{"error":"gone"},"parts":[{"inlineData":{"mimeType":"image/png","data":"aW1n"}}]}},
				{"functionResponse":{"id":"b","name":"read","response":{"output":{"error":1}}}}]},
			{"role":"user","parts":[{"text":"Go on"}]}
		]}`)
	if d := cmp.Diff(want, any(s.tree(t, 0))); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// An answer is sent back as it came, whatever is in it; towards another model only
// what everybody knows.
func TestAnswersAreSentBack(t *testing.T) {
	const parts = `[
		{"text":"Hm","thought":true},
		{"text":"Well","thoughtSignature":"b25l"},
		{"executableCode":{"code":"1+1"}},
		{"functionCall":{"name":"click","args":{"x":1},"extra":1},"thoughtSignature":"dHdv","novelty":[1]},
		{"functionCall":{"id":"own","name":"read","args":{}}},
		{"text":"","thoughtSignature":"dGhyZWU="}]`
	answer := providertest.Reply{Body: `data: {"candidates":[{"content":{"role":"model","parts":` + strings.ReplaceAll(parts, "\n", "") + `},"finishReason":"STOP"}]}` + "\n\n"}
	s, m := serve(t, gemini.Options{}, answer)
	got := generate(t, m, providertest.Request())
	if d := cmp.Diff([]model.Part{model.Reasoning("Hm"), model.Text("Well"), call("", "click", `{"x":1}`), call("own", "read", `{}`)}, got.Content); d != "" {
		t.Error(d)
	}
	r := providertest.Request()
	said := got.Content
	said[2].ToolCallID, said[3].ToolCallID = "run-1", "run-2"
	r.Messages = []model.Message{{Role: model.Assistant, Content: said, Replay: got.Replay}, {Role: model.ToolRole, Content: []model.Part{model.Result(said[2], model.TextOutput("1")), model.Result(said[3], model.TextOutput("2"))}}}
	generate(t, m, r)
	contents := s.tree(t, 1)["contents"].([]any)
	want := parse(t, strings.Replace(parts, `"extra":1`, `"extra":1,"id":"run-1"`, 1))
	if d := cmp.Diff(want, contents[1].(map[string]any)["parts"]); d != "" {
		t.Errorf("(-came +sent)\n%s", d)
	}
	for i, id := range []string{"run-1", "own"} {
		if got := contents[2].(map[string]any)["parts"].([]any)[i].(map[string]any)["functionResponse"].(map[string]any)["id"]; got != id {
			t.Errorf("result %d is that of %v", i, got)
		}
	}
	s2, other := serve(t, gemini.Options{Model: "gemini-2.5-pro"}, answer)
	generate(t, other, r)
	want = parse(t, `[{"text":"Well"},{"functionCall":{"id":"run-1","name":"click","args":{"x":1}}},{"functionCall":{"id":"run-2","name":"read","args":{}}}]`)
	if d := cmp.Diff(want, s2.tree(t, 0)["contents"].([]any)[1].(map[string]any)["parts"]); d != "" {
		t.Errorf("(-want +sent)\n%s", d)
	}
}

// A model that wants signatures says so, and gets the mark for none.
func TestASignatureThatIsMissing(t *testing.T) {
	fine := says(providertest.Answer{Text: "x"})
	s, m := serve(t, gemini.Options{Model: "gemini-flash-latest"}, bad("Function call is missing a thought_signature in functionCall parts."), fine)
	for range 2 {
		generate(t, m, conversation())
	}
	for i, marked := range []bool{false, true, true} {
		if n := strings.Count(s.asked[i], "skip_thought_signature_validator"); marked != (n == 1) || len(s.asked) != 3 {
			t.Errorf("request %d of %d: %s", i, len(s.asked), s.asked[i])
		}
	}
}

func TestRefusalsTeach(t *testing.T) {
	fine := says(providertest.Answer{Text: "x"})
	unknown := func(name, at string) providertest.Reply {
		return bad(fmt.Sprintf("Invalid JSON payload received. Unknown name %q at '%s': Cannot find field.", name, at))
	}
	for name, c := range map[string]struct {
		refusal providertest.Reply
		options gemini.Options
		has     string
		hasNot  string
	}{
		"the field of schemas": {unknown("parametersJsonSchema", "tools[0].function_declarations[0]"), gemini.Options{}, `"parameters":{"propertyOrdering":["x","note"],`, "parametersJsonSchema"},
		"ids":                  {unknown("id", "contents[1].parts[1].function_call"), gemini.Options{}, `"functionResponse":{"name":"click"`, `"id"`},
		"thinking":             {bad("Thinking level is not supported for this model."), gemini.Options{ThinkingLevel: "high"}, `"contents"`, "thinkingConfig"},
		"the output":           {bad("Unable to submit request because it has a maxOutputTokens value of 50000 but the supported range is from 1 (inclusive) to 8193 (exclusive)."), gemini.Options{MaxOutput: 50_000}, `"maxOutputTokens":8192`, "50000"},
	} {
		s, m := serve(t, c.options, c.refusal, fine)
		for range 2 {
			generate(t, m, conversation())
		}
		if len(s.asked) != 3 {
			t.Errorf("%s: %d requests", name, len(s.asked))
		}
		for _, asked := range s.asked[1:] {
			if !strings.Contains(asked, c.has) || strings.Contains(asked, c.hasNot) {
				t.Errorf("%s: %s", name, asked)
			}
		}
	}
}

// A tool that takes nothing has no parameters in the provider's own form.
func TestAToolThatTakesNothing(t *testing.T) {
	s, m := serve(t, gemini.Options{}, bad(`Invalid JSON payload received. Unknown name "parametersJsonSchema" at 'tools[0]': Cannot find field.`), says(providertest.Answer{Text: "x"}))
	r := providertest.Request()
	r.Tools = []model.Tool{{Name: "go"}}
	generate(t, m, r)
	want := parse(t, `[{"functionDeclarations":[{"name":"go"}]}]`)
	if d := cmp.Diff(want, s.tree(t, 1)["tools"]); d != "" {
		t.Error(d)
	}
}

func TestReasonsToEnd(t *testing.T) {
	for reason, kind := range map[string]model.ErrorKind{
		"SAFETY": model.ErrorRefused, "PROHIBITED_CONTENT": model.ErrorRefused, "RECITATION": model.ErrorRefused, "BLOCKLIST": model.ErrorRefused, "SPII": model.ErrorRefused,
		"MALFORMED_FUNCTION_CALL": model.ErrorMalformed, "UNEXPECTED_TOOL_CALL": model.ErrorMalformed, "TOO_MANY_TOOL_CALLS": model.ErrorMalformed,
	} {
		body := `{"candidates":[{"content":{"parts":[{"text":"Well"}]},"finishReason":"` + reason + `","finishMessage":"because"}],"usageMetadata":{"promptTokenCount":3}}`
		_, m := serve(t, gemini.Options{}, providertest.Reply{Body: "data: " + body + "\n\n"})
		got, err := m.Generate(t.Context(), providertest.Request())
		e, ok := errors.AsType[*model.Error](err)
		if !ok || e.Kind != kind || e.Temporary != (kind == model.ErrorMalformed) || !strings.Contains(e.Message, reason+": because") || got.Content != nil || got.Usage.Input != 3 {
			t.Errorf("%s: %+v, %v", reason, got, err)
		}
	}
}

func TestWhatAModelCanDo(t *testing.T) {
	beside := `"functionResponse":{"id":"b","name":"read","response":{"output":{"error":1}}}},{"inlineData":{"mimeType":"image/png","data":"aW1n"}}]`
	for name, c := range map[string]struct {
		model  string
		ask    func(*model.Request, *gemini.Options)
		has    string
		hasNot string
	}{
		"images beside results": {"gemini-2.5-flash", func(r *model.Request, _ *gemini.Options) { *r = conversation() }, beside, "skip_thought"},
		"no thoughts":           {"gemini-2.0-flash", func(r *model.Request, o *gemini.Options) { o.ThinkingLevel, r.MoreOutput = "low", true }, `"maxOutputTokens":8192`, "thinkingConfig"},
		"a blind model": {"gemini-3-pro", func(r *model.Request, o *gemini.Options) {
			*r = conversation()
			o.Caps = func(c *model.Caps) { c.Images = false }
		}, "no longer shown", "inlineData"},
		"more output":           {"gemini-3-pro", func(r *model.Request, _ *gemini.Options) { r.MoreOutput = true }, `"maxOutputTokens":65536`, "thinkingConfig"},
		"a model without tools": {"gemma-3-27b-it", func(*model.Request, *gemini.Options) {}, "Schema of the input", `"tools"`},
		"nothing is configured": {"gemini-3-pro", func(*model.Request, *gemini.Options) {}, `"contents"`, "generationConfig"},
		"an answer is no beginning": {"gemini-3-pro", func(r *model.Request, _ *gemini.Options) {
			r.Messages = []model.Message{{Role: model.Assistant, Content: []model.Part{model.Text("Well")}}}
		}, `{"role":"user","parts":[{"text":"Go on."}]}`, "skip_thought"},
	} {
		var o gemini.Options
		r := providertest.Request()
		c.ask(&r, &o)
		o.Model = c.model
		s, m := serve(t, o, says(providertest.Answer{Text: "x"}))
		generate(t, m, r)
		if !strings.Contains(s.asked[0], c.has) || strings.Contains(s.asked[0], c.hasNot) {
			t.Errorf("%s: %s", name, s.asked[0])
		}
	}
}

// Inputs come back in the form of the tool's own schema.
func TestInputsAreThoseOfTheSchema(t *testing.T) {
	r := providertest.Request()
	r.Tools = []model.Tool{{Name: "list", Input: json.RawMessage(`{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}}`)}}
	_, m := serve(t, gemini.Options{}, says(providertest.Answer{Calls: []providertest.Call{{ID: "c", Name: "list", Arguments: `{"value":[{"a":"x","b":null}]}`}}}))
	if got := generate(t, m, r); string(got.Content[0].Input) != `[{"a":"x"}]` {
		t.Errorf("%s", got.Content[0].Input)
	}
}

func TestUsageOfToolsAndThoughts(t *testing.T) {
	body := `data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":100,"toolUsePromptTokenCount":10,"cachedContentTokenCount":30,"candidatesTokenCount":7,"thoughtsTokenCount":5}}` + "\n\n"
	_, m := serve(t, gemini.Options{}, providertest.Reply{Body: body})
	want := model.Usage{Input: 80, CacheRead: 30, Output: 12, Reasoning: 5}
	if got := generate(t, m, providertest.Request()); got.Usage != want {
		t.Errorf("%+v", got.Usage)
	}
}

// An answer in very many pieces takes no more memory than its length: no text is
// copied for each that follows.
func TestManyPieces(t *testing.T) {
	var b strings.Builder
	for range 10_000 {
		b.WriteString(`data: {"candidates":[{"content":{"parts":[{"text":"word "},{"text":"more ","thoughtSignature":"x"}]}}]}` + "\n\n")
	}
	b.WriteString(`data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n")
	_, m := serve(t, gemini.Options{}, providertest.Reply{Body: b.String()})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := generate(t, m, providertest.Request())
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 400<<20 || len(got.Content) != 1 || len(got.Content[0].Text) != 100_000 {
		t.Errorf("%d parts, %d MB", len(got.Content), took>>20)
	}
}

func TestBadOptions(t *testing.T) {
	for field, o := range map[string]gemini.Options{
		"Model": {Model: "../other"}, "Key": {Model: "m"}, "Base": {Model: "m", BaseURL: "api.example"}, "MaxOutput": {Model: "m", MaxOutput: -1},
		"ThinkingBudget": {Model: "m", ThinkingBudget: new(-2)}, "Temperature": {Model: "m", Temperature: new(2.5)},
	} {
		if _, err := gemini.New(o); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, o := range []gemini.Options{{}, {Model: "m", Key: "k", ThinkingLevel: "low", ThinkingBudget: new(3)}} {
		if _, err := gemini.New(o); !errtypes.Is(err, errtypes.Invalid) {
			t.Error(err)
		}
	}
	if _, err := gemini.New(gemini.Options{Model: "tunedModels/mine", Key: "k"}); err != nil {
		t.Error(err)
	}
}
