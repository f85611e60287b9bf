package chrome_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
)

// moved is the title of the page that was led to.
func moved(t *testing.T, p browser.Page, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return p.Title
}

func TestHistory(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/a": `<title>A</title><a href="/b">On</a>`,
		"/b": `<title>B</title><a href="#there">There</a><button onclick="history.pushState(1, '', '/b?pushed'); document.title = 'pushed'">Push</button>
<script>onpopstate = () => document.title = 'popped'</script>`,
	})
	s := open(t)
	ctx := t.Context()
	for name, move := range map[string]func() (browser.Page, error){
		"back":    func() (browser.Page, error) { return s.Back(ctx) },
		"forward": func() (browser.Page, error) { return s.Forward(ctx) },
	} {
		if _, err := move(); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), "there is no page to go "+name) {
			t.Errorf("%s in a new tab: %v", name, err)
		}
	}
	navigate(t, s, srv.URL+"/a")
	if _, err := s.Back(ctx); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("back to the empty page: %v", err)
	}
	navigate(t, s, srv.URL+"/b")
	p, err := s.Back(ctx)
	if moved(t, p, err) != "A" || p.URL != srv.URL+"/a" || p.Status != 200 || p.Behind != 0 || p.Ahead != 1 {
		t.Errorf("back: %+v", p)
	}
	click(t, s, "On")
	if _, err := s.Forward(ctx); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("forward after a link was followed: %v", err)
	}
	click(t, s, "There")
	click(t, s, "Push")
	p, err = s.Back(ctx)
	if got := moved(t, p, err); got != "popped" || !strings.HasSuffix(p.URL, "/b#there") || p.Behind != 2 || p.Ahead != 1 {
		t.Errorf("back within a document: %+v", p)
	}
	p, err = s.Reload(ctx)
	if got := moved(t, p, err); got != "B" || p.Behind != 2 || p.Ahead != 1 {
		t.Errorf("reloaded: %+v", p)
	}
	p, err = s.Forward(ctx)
	if !strings.HasSuffix(p.URL, "/b?pushed") || err != nil {
		t.Errorf("forward within a document: %+v %v", p, err)
	}
}

// A page to which nobody answers any more is an error, and the session goes on.
func TestBackToAServerThatHasGone(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		io.WriteString(w, `<title>Gone</title>`)
	}))
	defer gone.Close()
	srv := pages(t, map[string]string{"/": `<title>Here</title>`})
	s := open(t)
	navigate(t, s, gone.URL)
	navigate(t, s, srv.URL)
	gone.CloseClientConnections()
	gone.Close()
	if p, err := s.Back(t.Context()); err == nil && p.Title != "Gone" {
		t.Errorf("%+v", p)
	}
	if p, err := s.Forward(t.Context()); moved(t, p, err) != "Here" {
		t.Errorf("%+v", p)
	}
}

func TestReloadRevivesACrashedPage(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>Here</title>`})
	s := open(t)
	navigate(t, s, srv.URL)
	chrome.CrashPage(t, s)
	if p, err := s.Reload(t.Context()); moved(t, p, err) != "Here" {
		t.Errorf("%+v", p)
	}
}
