package runs

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/sessions"
)

// A run's session is a record that leads to what the run did, without what was
// secret.
func TestTheSessionOfARunIsARecord(t *testing.T) {
	t.Parallel()
	w := quick(t, setup{})
	r := w.do(t, Create{
		Task: `Go to https://a.example. Type %word% into "Name". Click "Go". Return the title.`, Variables: map[string]Variable{"word": {Value: "a-secret-value"}},
	})
	if r.Status != Completed {
		t.Fatalf("%s %+v", r.Status, r.Cause)
	}
	s, err := w.records.Get(t.Context(), r.SessionID)
	if err != nil || s.Status != sessions.Completed || s.Cause != nil {
		t.Fatalf("%+v, %v", s, err)
	}
	events, err := w.records.Recording(t.Context(), r.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, e := range events {
		var d struct {
			Tag     string
			Payload recordedStep
		}
		if err := json.Unmarshal(e.Data, &d); err != nil || d.Tag != "step" || bytes.Contains(e.Data, []byte("a-secret-value")) {
			t.Errorf("%s %v", e.Data, err)
		}
		tools = append(tools, d.Payload.Tool)
	}
	if got := strings.Join(tools, " "); !strings.HasPrefix(got, "navigate") || !strings.HasSuffix(got, "done") || !strings.Contains(got, "type") {
		t.Errorf("steps: %s", got)
	}
}

// Whoever releases the session of a run takes the browser from under it.
func TestASessionThatIsReleasedUnderItsRun(t *testing.T) {
	t.Parallel()
	site := openSite(t)
	w := start(t, setup{browser: chrometest.Provider(t)})
	r := w.hold(t, site)
	r, err := w.Get(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := w.records.Release(t.Context(), r.SessionID); err != nil || s.Status != sessions.Completed {
		t.Fatalf("%+v, %v", s, err)
	}
	if got := w.wait(t, r.ID); got.Status != Failed || got.Cause.Code != CauseBrowser || got.Cause.Message != "the browser session was ended from outside" {
		t.Errorf("%s %+v", got.Status, got.Cause)
	}
}

// What a page does with the value of a variable is not to be read in the log or
// the recording of the session, in whatever form it says it.
func TestTheLogOfARunHoldsNoValue(t *testing.T) {
	t.Parallel()
	const value = `K@nary 8264/"ü"`
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<meta charset=utf-8><title>Form</title><form action="/sent"><input name=q aria-label=Name><button>Go</button></form><p id=p></p><script>
const q = new URLSearchParams(location.search).get('q') || '';
const bytes = new TextEncoder().encode(q), hex = [...bytes].map(b => b.toString(16).padStart(2, '0')).join('');
const p = document.getElementById('p');
p.textContent = q;
if (q) {
  document.title = q;
  console.log(q, encodeURIComponent(q), btoa(String.fromCharCode(...bytes)), btoa('user:' + String.fromCharCode(...bytes)), hex);
  console.log(p.innerHTML, JSON.stringify(q), JSON.stringify(JSON.stringify(q)), q.toUpperCase(), 'x'.repeat(3990) + q);
  console.log(q.slice(0, 7), q.slice(7), {password: q});
  alert(q);
  history.pushState(null, '', '/again?x=' + encodeURIComponent(q) + '#' + q);
  new Image().src = '/pixel/' + encodeURIComponent(q) + '?b=' + encodeURIComponent(btoa(String.fromCharCode(...bytes)));
  setTimeout(() => { throw new Error('bad ' + q); });
}
</script>`)
	}))
	t.Cleanup(site.Close)
	w := start(t, setup{browser: chrometest.Provider(t)})
	r := w.do(t, Create{
		Task: "Go to " + site.URL + `. Type %word% into "Name". Click "Go". Return the title.`, Variables: map[string]Variable{"word": {Value: value}},
	})
	if r.Status != Completed {
		t.Fatalf("%s %+v", r.Status, r.Cause)
	}
	logs, err := w.records.Logs(t.Context(), r.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	recording, err := w.records.Recording(t.Context(), r.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, e := range logs {
		fmt.Fprintf(&all, "%s %s\n", e.Method, e.Params)
	}
	for _, e := range recording {
		fmt.Fprintf(&all, "%s\n", e.Data)
	}
	said := strings.ToLower(all.String())
	for _, part := range []string{"nary 8264", "nary+8264", "nary%208264", "nary-8264", "8264", strings.ToLower(base64.StdEncoding.EncodeToString([]byte(value))[:8]), hex.EncodeToString([]byte(value))[:10], "q2fuyxj5"} {
		if strings.Contains(said, part) {
			t.Errorf("%s is among:\n%s", part, all.String())
		}
	}
	if n := strings.Count(said, "%word%"); n < 10 || !strings.Contains(said, "runtime.exceptionthrown") || !strings.Contains(said, "javascriptdialogopening") {
		t.Errorf("it holds %%word%% %d times:\n%s", n, all.String())
	}
}
