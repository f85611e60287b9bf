package chrome_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// seen collects events.
type seen struct {
	mu     sync.Mutex
	events []browser.Event
}

func (s *seen) add(e browser.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
}

// with returns the parameters of events with the method that contain the text.
func (s *seen) with(method, text string) (found []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.events {
		if e.Method == method && strings.Contains(string(e.Params), text) {
			found = append(found, string(e.Params))
		}
	}
	return found
}

func TestEvents(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Set-Cookie", "session=sekret-cookie")
			w.Header().Set("X-Told", "yes")
			io.WriteString(w, `<title>Events</title><script>
console.log('hello', {a: 1}, 'x'.repeat(100000)); console.error('bad');
fetch('/data', {method: 'POST', body: 'sekret-body', headers: {Authorization: 'Bearer sekret-token', 'X-Api-Key': 'sekret-key'}});
fetch('http://127.0.0.1:1/').catch(() => {}); fetch('http://127.0.0.2:8081/').catch(() => {});
setTimeout(() => { throw new Error('thrown') }, 0); alert('dialog');
</script><a href=/next target=_blank rel=opener>Open</a><a href=/file>File</a><iframe src="about:blank"></iframe>`)
		case "/file":
			w.Header().Set("Content-Disposition", "attachment; filename=f.bin")
			io.WriteString(w, "x")
		case "/missing":
			http.Redirect(w, r, "/gone", http.StatusFound)
		default:
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusTeapot)
			io.WriteString(w, `<title>Next</title>`)
		}
	}))
	t.Cleanup(srv.Close)
	var got seen
	s := openWith(t, chrometest.Provider(t), browser.Options{Observe: got.add})
	navigate(t, s, srv.URL+"/")
	click(t, s, "File")
	click(t, s, "Open")
	navigate(t, s, srv.URL+"/missing")
	chrome.CrashPage(t, s)
	s.Close()
	for _, want := range []struct{ method, text string }{
		{"Target.targetCreated", `"popup":false`}, {"Target.targetCreated", `"popup":true`}, {"Target.targetDestroyed", "targetId"},
		{"Page.frameNavigated", `"url":"` + srv.URL + `/"`}, {"Page.javascriptDialogOpening", `"dialog"`},
		{"Drover.connectionFailed", `"target":"127.0.0.2:8081"`},
		{"Runtime.consoleAPICalled", `"hello"`}, {"Runtime.consoleAPICalled", `"error"`}, {"Runtime.exceptionThrown", "thrown"},
		{"Network.requestWillBeSent", `"method":"POST"`}, {"Network.requestWillBeSent", `"redirectResponse"`},
		{"Network.responseReceived", `"status":418`}, {"Network.responseReceived", `"X-Told":"yes"`}, {"Network.loadingFailed", "net::"},
		{"Browser.downloadWillBegin", `"suggestedFilename":"f.bin"`}, {"Browser.downloadProgress", `"reason":"this session keeps no downloads"`},
	} {
		if len(got.with(want.method, want.text)) == 0 {
			t.Errorf("no %s with %s", want.method, want.text)
		}
	}
	for _, e := range got.events {
		if strings.Contains(string(e.Params), "sekret") || len(e.Params) > 20_000 || !json.Valid(e.Params) || e.Time.IsZero() {
			t.Errorf("%d bytes: %.300s", len(e.Params), e.Params)
		}
	}
}

func TestAFloodedConsoleHoldsUpNobody(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "a flood of messages")
	srv, spinning := busySite(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Timeouts.Call = 8 * time.Second })
	var got seen
	s := openWith(t, p, browser.Options{Observe: got.add})
	other := openWith(t, p, browser.Options{Observe: func(browser.Event) {}})
	navigate(t, s, srv.URL+"/")
	result := spin(t, s, "Flood", spinning)
	soon(t, "another session", func() { navigate(t, other, srv.URL+"/other") })
	<-result
	if p := navigate(t, s, srv.URL+"/other"); p.Title != "Other" {
		t.Errorf("%+v", p)
	}
	s.Close()
	if n := len(got.with("Runtime.consoleAPICalled", "")); n == 0 || n > 20_000 || len(got.with(browser.EventsDropped, "count")) == 0 {
		t.Errorf("%d messages, %v dropped", n, got.with(browser.EventsDropped, "count"))
	}
}
