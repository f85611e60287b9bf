package chrome_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func TestMain(m *testing.M) {
	if os.Getenv(hostEnv) != "" {
		hostMain() // this process plays a host that is killed
	}
	code := m.Run()
	code = max(code, shared.close(), hasty.close())
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// shared is a provider that tests use which do nothing to the browser itself,
// and hasty one for pages that react to a click at once or never.
var shared, hasty providerForAll

type providerForAll struct {
	once sync.Once
	p    *chrome.Provider
	dir  string
	err  error
}

func (s *providerForAll) get(t testing.TB, settle chrome.Settle) *chrome.Provider {
	t.Helper()
	path := chrometest.RequireChromium(t)
	s.once.Do(func() {
		if s.dir, s.err = os.MkdirTemp("", "dc-all"); s.err != nil {
			return
		}
		s.p, s.err = chrome.New(chrome.Options{
			ExecPath: path, Gate: chrometest.LocalGate(), TempDir: s.dir, Logger: slog.New(slog.DiscardHandler), Settle: settle,
			MaxSessions: 100,
		})
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.p
}

func sharedProvider(t testing.TB) *chrome.Provider {
	t.Helper()
	return shared.get(t, chrome.Settle{})
}

func (s *providerForAll) close() int {
	if s.p == nil {
		return 0
	}
	err := s.p.Close()
	left, _ := os.ReadDir(s.dir)
	os.RemoveAll(s.dir)
	if err != nil || len(left) > 0 || len(chrome.ProcessesUsing(s.dir)) > 0 {
		fmt.Fprintln(os.Stderr, "a provider left something behind:", err, left, chrome.ProcessesUsing(s.dir))
		return 1
	}
	return 0
}

// open returns a session of the shared provider.
func open(t testing.TB) browser.Session {
	t.Helper()
	return chrometest.Session(t, sharedProvider(t))
}

// pages serves HTML by path. A page may name {host} and {other}, two sites
// that lead here, and {self}, the server as 127.0.0.1.
func pages(t testing.TB, html map[string]string) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := html[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, port, _ := strings.Cut(r.Context().Value(http.LocalAddrContextKey).(fmt.Stringer).String(), ":")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, strings.NewReplacer(
			"{host}", "http://main.test:"+port, "{other}", "http://other.test:"+port, "{self}", "http://127.0.0.1:"+port).Replace(body))
	}))
	t.Cleanup(srv.Close)
	return srv
}

// at is a path of the server under another name.
func at(srv *httptest.Server, host, path string) string {
	return strings.Replace(srv.URL, "127.0.0.1", host, 1) + path
}

// show opens one page of HTML in a new session that does not wait long for it.
func show(t testing.TB, html string) browser.Session {
	t.Helper()
	srv := pages(t, map[string]string{"/": html})
	s := chrometest.Session(t, hasty.get(t, chrome.Settle{Watch: 50 * time.Millisecond, Linger: 20 * time.Millisecond}))
	navigate(t, s, srv.URL+"/")
	return s
}

func navigate(t testing.TB, s browser.Session, url string) browser.Page {
	t.Helper()
	p, err := s.Navigate(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func snapshot(t testing.TB, s browser.Session) browser.Snapshot {
	t.Helper()
	sn, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return sn
}

// lines writes a snapshot as text: role, name and whatever else is set. Refs
// are shown as [ref], since their numbers depend on what came before.
func lines(sn browser.Snapshot) string {
	var b strings.Builder
	for _, e := range sn.Elements {
		fmt.Fprintf(&b, "%s%s %q", strings.Repeat("  ", e.Depth), e.Role, e.Name)
		for _, f := range []struct {
			set  bool
			text string
		}{
			{e.Ref != "", " [ref]"},
			{e.Value != "", fmt.Sprintf(" value=%q", e.Value)},
			{e.Type != "" && e.Type != "text", " type=" + e.Type},
			{e.Placeholder != "" && e.Placeholder != e.Name, fmt.Sprintf(" hint=%q", e.Placeholder)},
			{e.Level != 0, fmt.Sprintf(" level=%d", e.Level)},
			{len(e.Options) > 0, fmt.Sprintf(" of %v", e.Options)},
			{e.MoreOptions > 0, fmt.Sprintf(" and %d more", e.MoreOptions)},
			{e.Min+e.Max+e.Step != "", fmt.Sprintf(" %s..%s/%s", e.Min, e.Max, e.Step)},
			{e.Description != "", fmt.Sprintf(" (%s)", e.Description)},
			{e.Error != "", fmt.Sprintf(" error=%q", e.Error)},
			{len(e.StateWords()) > 0, " " + strings.Join(e.StateWords(), " ")},
			{e.Scroll != nil, fmt.Sprintf(" scroll=%v", e.Scroll)},
			{e.Frame != "", " in " + e.Frame},
		} {
			if f.set {
				b.WriteString(f.text)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// ref finds the element with the name, which must be the only one that can be
// acted on.
func ref(t testing.TB, s browser.Session, name string) browser.Ref {
	t.Helper()
	sn := snapshot(t, s)
	var found []browser.Ref
	for _, e := range sn.Elements {
		if e.Ref != "" && (e.Name == name || e.Placeholder == name) {
			found = append(found, e.Ref)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d elements are called %q in\n%s", len(found), name, lines(sn))
	}
	return found[0]
}

func click(t testing.TB, s browser.Session, name string) browser.Page {
	t.Helper()
	p, err := s.Click(t.Context(), ref(t, s, name))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// says reports whether the page shows the text.
func says(t testing.TB, s browser.Session, text string) bool {
	t.Helper()
	return strings.Contains(lines(snapshot(t, s)), text)
}
