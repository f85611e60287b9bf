// Package looptest has agents do whole tasks through the wire of a provider: a
// server that speaks it plays a script, a Drover in memory runs the loop, and
// Chromium shows the demo shop and a page that changes.
package looptest

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/drovertest"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/internal/providertest"
)

// A line is what the scripted model says to one question. Its calls see the
// conversation that they answer.
type line func(c conversation) providertest.Answer

// A conversation is a question as the server got it, whatever its form.
type conversation struct {
	t    testing.TB
	text string
}

// ref is the reference of the newest element with that role and name.
func (c conversation) ref(element string) string {
	found := regexp.MustCompile(regexp.QuoteMeta(element)+` \[(e[0-9]+)\]`).FindAllStringSubmatch(c.text, -1)
	if len(found) == 0 {
		c.t.Errorf("no %s in the conversation", element)
		return "none"
	}
	return found[len(found)-1][1]
}

// server plays a script, and keeps what it was asked.
type server struct {
	t      testing.TB
	wire   providertest.Wire
	script []line
	// stumble answers a question in place of the script, if it wants to: n counts
	// all questions from 0.
	stumble func(n int, w http.ResponseWriter) bool

	mu    sync.Mutex
	got   int
	asked [][]byte // that the script answered
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got++
	if s.stumble != nil && s.stumble(s.got-1, w) {
		return
	}
	n := len(s.asked)
	s.asked = append(s.asked, body)
	if n >= len(s.script) {
		s.t.Errorf("the script has %d lines, and there is a further question", len(s.script))
		w.WriteHeader(http.StatusGone)
		return
	}
	answer := s.script[n](conversation{s.t, strings.Join(texts(body), "\n")})
	answer.Usage = &model.Usage{Input: 100, Output: 10}
	w.Header().Set("Content-Type", cmp.Or(s.wire.StreamType, "text/event-stream"))
	said, end := s.wire.Events(answer)
	for _, e := range slices.Concat(said, end) {
		fmt.Fprint(w, e)
	}
}

// texts are all strings of a JSON document, those that are JSON themselves opened
// up.
func texts(raw []byte) (all []string) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			all = append(all, v)
			all = append(all, texts([]byte(v))...)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, key := range slices.Sorted(mapKeys(v)) {
				walk(v[key])
			}
		}
	}
	walk(v)
	return all
}

func mapKeys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func call(id, tool string, input any) providertest.Call {
	raw, err := json.Marshal(input)
	if err != nil {
		panic(err)
	}
	return providertest.Call{ID: id, Name: tool, Arguments: string(raw)}
}

func says(calls ...providertest.Call) line {
	return func(conversation) providertest.Answer {
		return providertest.Answer{Reasoning: "One thing after the other.", Calls: calls}
	}
}

// Run has agents do their tasks over a wire.
func Run(t *testing.T, w providertest.Wire) {
	chrometest.RequireChromium(t)
	t.Run("shop", func(t *testing.T) { t.Parallel(); shop(t, w) })
	t.Run("page that changes", func(t *testing.T) { t.Parallel(); changing(t, w) })
	t.Run("provider that stumbles", func(t *testing.T) { t.Parallel(); stumbling(t, w) })
	t.Run("words for a result", func(t *testing.T) { t.Parallel(); talking(t, w) })
}

// do runs a task, and returns it with its messages and what the server was asked.
func do(t *testing.T, w providertest.Wire, script []line, c runs.Create) (runs.Run, []string, [][]byte) {
	t.Helper()
	return play(t, &server{t: t, wire: w, script: script}, c)
}

func play(t *testing.T, s *server, c runs.Create) (runs.Run, []string, [][]byte) {
	t.Helper()
	w, script := s.wire, s.script
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	m, err := w.New(providertest.Setup{BaseURL: srv.URL, MaxOutput: 1000})
	if err != nil {
		t.Fatal(err)
	}
	d := drovertest.New(t, drover.Options{Models: map[string]runs.ModelConfig{"m": {Model: m}}, DefaultModel: "m"})
	r, err := d.Runs.Create(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for m, err := range d.Runs.Messages(t.Context(), r.ID) {
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, linesOf(m.Message)...)
	}
	if r, err = d.Runs.Wait(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if len(s.asked) != len(script) {
		t.Errorf("%d questions instead of %d", len(s.asked), len(script))
	}
	if want := (model.Usage{Input: 100, Output: 10}); s.stumble == nil && (r.Usage.Tokens.Input != want.Input*int64(len(s.asked)) || r.Usage.Tokens.Output != want.Output*int64(len(s.asked))) {
		t.Errorf("usage %+v after %d questions", r.Usage, len(s.asked))
	}
	for i, body := range s.asked {
		s.mustAnswer(i, body)
	}
	return r, said, s.asked
}

// mustAnswer checks that each call in a question has its result, in order.
func (s *server) mustAnswer(i int, body []byte) {
	asked, err := s.wire.Read(body)
	if err != nil {
		s.t.Errorf("question %d: %v", i+1, err)
		return
	}
	if diff := gocmp.Diff(asked.Calls, asked.Results); diff != "" {
		s.t.Errorf("question %d: calls and results differ: %s", i+1, diff)
	}
}

// linesOf is a message in short, the same over every wire.
func linesOf(m model.Message) (all []string) {
	for _, p := range m.Content {
		switch p.Type {
		case model.ToolCallPart:
			all = append(all, fmt.Sprintf("call %s %s", p.ToolName, p.Input))
		case model.ToolResultPart:
			first, _, _ := strings.Cut(p.Output.Text(), "\n")
			all = append(all, fmt.Sprintf("%s %s: %.60s", p.Output.Type, p.ToolName, first))
		case model.TextPart:
			all = append(all, "text "+p.Text)
		}
	}
	return all
}

var refs = regexp.MustCompile(`e[0-9]+`)

// same compares what was said, whatever the numbers of elements are.
func same(t *testing.T, want, got []string) {
	t.Helper()
	for i, line := range got {
		got[i] = refs.ReplaceAllString(strings.ReplaceAll(line, "127.0.0.1", "shop"), "eN")
		got[i] = regexp.MustCompile(`shop:[0-9]+`).ReplaceAllString(got[i], "shop")
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func shop(t *testing.T, w providertest.Wire) {
	site := httptest.NewServer(demosite.New())
	t.Cleanup(site.Close)
	script := []line{
		says(call("a", "navigate", map[string]string{"url": site.URL + "/login"})),
		func(c conversation) providertest.Answer {
			return says(
				call("b", "type", map[string]string{"ref": c.ref(`textbox "Email"`), "text": "%email%"}),
				call("c", "type", map[string]string{"ref": c.ref(`textbox "Password"`), "text": "%password%"}),
			)(c)
		},
		func(c conversation) providertest.Answer {
			return says(call("d", "click", map[string]string{"ref": c.ref(`button "Sign in"`)}))(c)
		},
		says(call("e", "Read", map[string]string{"as": "text"})), // no such tool
		says(call("f", "navigate", map[string]string{"url": site.URL + "/products/harbour-desk-lamp"})),
		says(call("g", "done", map[string]any{"success": true, "result": map[string]any{"price": "cheap"}})),
		says(call("h", "done", map[string]any{"success": true, "result": map[string]any{"price": 4, "to": nil}})),
	}
	r, said, asked := do(t, w, script, runs.Create{
		Task:         "Sign in with %email% and %password%, and say what a thing costs.",
		ResultSchema: json.RawMessage(`{"type":"object","properties":{"price":{"type":"integer"},"to":{"type":["string","null"]}},"required":["price"],"additionalProperties":false}`),
		Variables:    map[string]runs.Variable{"email": {Value: demosite.Email}, "password": {Value: demosite.Password}},
	})
	if r.Status != runs.Completed || string(r.Result) != `{"price":4,"to":null}` {
		t.Errorf("%s %v %s", r.Status, r.Cause, r.Result)
	}
	same(t, []string{
		`call navigate {"url":"http://shop/login"}`,
		`text navigate: Opened "http://shop/login".`,
		`call type {"ref":"eN","text":"%email%"}`,
		`call type {"ref":"eN","text":"%password%"}`,
		`text type: Typed "%email%" into textbox "Email" [eN].`,
		`text type: Typed "%password%" into textbox "Password" [eN].`,
		`call click {"ref":"eN"}`,
		`text click: Clicked button "Sign in" [eN].`,
		`call Read {"as":"text"}`,
		`error-text Read: there is no tool "Read"; there are navigate, click, type, fi`,
		`call navigate {"url":"http://shop/products/harbour-desk-lamp"}`,
		`text navigate: Opened "http://shop/products/harbour-desk-lamp".`,
		`call done {"result":{"price":"cheap"},"success":true}`,
		`error-text done: input: result: the value does not match the schema: /price m`,
		`call done {"result":{"price":4,"to":null},"success":true}`,
		`text done: The run ends.`,
	}, said)
	nowhere(t, asked, demosite.Email, demosite.Password)
}

// nowhere looks for values in all that a provider was sent.
func nowhere(t *testing.T, asked [][]byte, values ...string) {
	t.Helper()
	for i, body := range asked {
		all := string(body) + strings.Join(texts(body), "\n")
		for _, v := range values {
			for _, form := range []string{v, url.QueryEscape(v), base64.StdEncoding.EncodeToString([]byte(v))} {
				if strings.Contains(all, form) {
					t.Errorf("question %d has %q in it", i+1, form)
				}
			}
		}
	}
}

// changingPage replaces its button, under another name, when it is clicked, and
// what it says when that is.
const changingPage = `<!doctype html><title>Changes</title><main id="m"><button onclick="first()">Begin</button></main><script>
function first() { document.getElementById("m").innerHTML = '<button onclick="second()">Go on</button>' }
function second() { document.getElementById("m").innerHTML = "<p role='status'>The answer is 42.</p>" }
</script>`

func changing(t *testing.T, w providertest.Wire) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, changingPage)
	}))
	t.Cleanup(site.Close)
	stale := ""
	script := []line{
		says(call("a", "navigate", map[string]string{"url": site.URL})),
		func(c conversation) providertest.Answer {
			stale = c.ref(`button "Begin"`)
			return says(call("b", "click", map[string]string{"ref": stale}))(c)
		},
		func(c conversation) providertest.Answer {
			return says(call("c", "click", map[string]string{"ref": stale}))(c)
		},
		func(c conversation) providertest.Answer {
			return says(call("d", "click", map[string]string{"ref": c.ref(`button "Go on"`)}), call("e", "note_answer", map[string]any{"answer": 42}))(c)
		},
		says(call("a", "done", map[string]any{"success": true, "result": 42})), // the id once more
	}
	r, said, _ := do(t, w, script, runs.Create{Task: "Find the answer."})
	if r.Status != runs.Completed || string(r.Result) != `{"result":42}` {
		t.Errorf("%s %v %s", r.Status, r.Cause, r.Result)
	}
	if len(said) != 12 || !strings.HasPrefix(said[5], "error-text click: ") || said[10] != `call done {"result":42,"success":true}` {
		t.Errorf("%q", said)
	}
}

// talking is a model that calls nothing.
func talking(t *testing.T, w providertest.Wire) {
	word := func(text string) line {
		return func(conversation) providertest.Answer { return providertest.Answer{Text: text} }
	}
	r, said, asked := do(t, w, []line{word("Let me think."), word("Still."), word("Hm."), word("It is 42.")}, runs.Create{Task: "Think."})
	if r.Status != runs.Completed || string(r.Result) != `{"text":"It is 42."}` {
		t.Errorf("%s %v %s", r.Status, r.Cause, r.Result)
	}
	same(t, []string{"text Let me think.", "text Still.", "text Hm.", "text It is 42."}, said)
	if last, err := w.Read(asked[3]); err != nil || !slices.Equal(last.Tools, []string{"done"}) {
		t.Errorf("%+v, %v", last, err)
	}
}

// stumbling is a provider that has faults between its answers: each step is made
// once, whatever the number of questions.
func stumbling(t *testing.T, w providertest.Wire) {
	clicks := 0
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			clicks++
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Counter</title><form method="post"><button>Count</button></form><p>%d so far</p>`, clicks)
	}))
	t.Cleanup(site.Close)
	s := &server{t: t, wire: w, script: []line{
		says(call("a", "navigate", map[string]string{"url": site.URL})),
		func(c conversation) providertest.Answer {
			return says(call("b", "click", map[string]string{"ref": c.ref(`button "Count"`)}))(c)
		},
		says(call("c", "done", map[string]any{"success": true, "result": map[string]int{"n": 1}})),
	}}
	s.stumble = func(n int, rw http.ResponseWriter) bool {
		switch n {
		case 0, 1:
			rw.WriteHeader(http.StatusServiceUnavailable)
		case 2:
			rw.Header().Set("Retry-After", "1")
			rw.WriteHeader(http.StatusTooManyRequests)
		case 4: // the answer to the second question breaks off behind a whole call
			said, _ := w.Events(providertest.Answer{Calls: []providertest.Call{call("x", "click", map[string]string{"ref": "e1"})}})
			rw.Header().Set("Content-Type", cmp.Or(w.StreamType, "text/event-stream"))
			for _, e := range said {
				fmt.Fprint(rw, e)
			}
			_ = http.NewResponseController(rw).Flush()
			panic(http.ErrAbortHandler)
		default:
			return false
		}
		return true
	}
	r, _, _ := play(t, s, runs.Create{Task: "Count once."})
	if r.Status != runs.Completed || string(r.Result) != `{"n":1}` || clicks != 1 {
		t.Errorf("%s %v %s, %d clicks", r.Status, r.Cause, r.Result, clicks)
	}
	if s.got != 7 || r.Usage.Questions != 7 || !r.Usage.Tokens.Estimated || r.Usage.Tokens.Input <= 300 {
		t.Errorf("%d questions, %+v", s.got, r.Usage) // the answer that broke off has cost something, too
	}
}
