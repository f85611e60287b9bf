package chrome_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// markSite has a page that writes what gives an automated browser away, as a
// page, a frame of another site, a popup and a worker see it, and what the
// server was told.
func markSite(t *testing.T) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		marks := `const marks = async () => JSON.stringify([navigator.webdriver, navigator.userAgent, navigator.languages,
			(navigator.userAgentData?.brands ?? []).map(b => b.brand), await navigator.userAgentData?.getHighEntropyValues(['fullVersionList', 'platform'])]);`
		if r.URL.Path == "/worker.js" {
			w.Header().Set("Content-Type", "text/javascript")
			io.WriteString(w, marks+`marks().then(postMessage)`)
			return
		}
		_, port, _ := strings.Cut(r.Host, ":")
		told := r.Header.Get("User-Agent") + "|" + r.Header.Get("Sec-Ch-Ua") + "|" + r.Header.Get("Accept-Language")
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, `<pre>told `+strings.ReplaceAll(told, "<", "")+`</pre><pre id=p></pre><pre id=w></pre><script>`+marks+`
marks().then(m => document.querySelector('#p').textContent = 'page ' + m);
const worker = new Worker('/worker.js'); worker.onmessage = e => document.querySelector('#w').textContent = 'worker ' + e.data;
if (top === self) document.write('<a target=_blank href=/>Open</a><iframe src="http://other.test:`+port+`/"></iframe>');</script>`)
	}))
	t.Cleanup(srv.Close)
	return srv
}

func TestVerifiedSessionsShowNoMarks(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every mark in each kind of frame")
	srv := markSite(t)
	dir := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.MaxSessions, o.TempDir, o.Timeouts.Queue = 2, dir, -1 })
	plain := chrometest.Session(t, p)
	navigate(t, plain, srv.URL)
	if got := lines(snapshot(t, plain)); !strings.Contains(got, "HeadlessChrome") || !strings.Contains(got, "page [true,") {
		t.Errorf("the marks are not seen where they are: %s", got)
	}
	s := openWith(t, p, browser.Options{Verified: true})
	if _, err := p.Open(t.Context(), browser.Options{Verified: true}); err == nil {
		t.Error("the limit counts each kind for itself")
	}
	navigate(t, s, srv.URL)
	for _, what := range []string{"page", "popup"} {
		got := lines(snapshot(t, s))
		if strings.Contains(got, "Headless") || strings.Contains(got, "[true") || strings.Count(got, "[false") < 2 || !strings.Contains(got, "worker [null,") ||
			!strings.Contains(got, `\"Chromium\"`) || strings.Count(got, "en-US") < 4 {
			t.Errorf("%s: %s", what, got)
		}
		if what == "page" {
			s.Click(t.Context(), ref(t, s, "Open"))
		}
	}
	p.Close()
	if left := chrome.ProcessesUsing(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}
