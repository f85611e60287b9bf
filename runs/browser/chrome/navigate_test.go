package chrome_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func walk(root *os.Root) (names []string) {
	fs.WalkDir(root.FS(), ".", func(path string, _ fs.DirEntry, _ error) error {
		names = append(names, path)
		return nil
	})
	return names
}

func TestOnlyTheWebIsNavigatedTo(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, url := range []string{
		"", "about:blank", "file:///etc/passwd", "chrome://version", "chrome://crash", "data:text/html,x", "javascript:alert(1)",
		"view-source:http://127.0.0.1/", "blob:http://127.0.0.1/x", "filesystem:http://127.0.0.1/", "ftp://127.0.0.1/", "ws://127.0.0.1/",
		"chrome-extension://x/", "devtools://devtools/", "mailto:a@b.test", "http://", "//127.0.0.1/", "/path", "http://user:pass@127.0.0.1/",
		"http://a b.test/", "http://127.0.0.1:99999/", " file:///etc/passwd", "FILE:/etc/passwd", "intent://x", "http://" + strings.Repeat("a", 9000),
	} {
		if _, err := s.Navigate(t.Context(), url); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%.60q: %v", url, err)
		}
	}
}

func TestPagesCannotLeaveTheWeb(t *testing.T) {
	t.Parallel()
	var links strings.Builder
	targets := []string{"file:///etc/passwd", "chrome://version/", "view-source:file:///etc/passwd", "devtools://devtools/bundled/inspector.html", "chrome-untrusted://terminal/", "about:settings"}
	for i, target := range targets {
		fmt.Fprintf(&links, `<a href="%s">link %d</a><button onclick="location='%s'">script %d</button><button onclick="window.open('%s')">open %d</button>`, target, i, target, i, target, i)
	}
	srv := pages(t, map[string]string{"/": links.String() + `<iframe src=file:///etc/passwd></iframe><iframe src=chrome://version/></iframe><object data=file:///etc/passwd></object>`})
	for _, how := range []string{"link", "script", "open"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			for i := range targets {
				navigate(t, s, srv.URL+"/")
				p := click(t, s, fmt.Sprintf("%s %d", how, i))
				sn := lines(snapshot(t, s))
				if !strings.HasPrefix(p.URL, srv.URL) && !strings.HasPrefix(p.URL, "about:") || strings.Contains(sn, "root:") || strings.Contains(sn, "Chromium") {
					t.Errorf("%s to %s shows %s\n%s", how, targets[i], p.URL, sn)
				}
			}
		})
	}
}

func TestServersThatFail(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many ways to fail")
	broken := raw(t, func(c net.Conn) { c.Read(make([]byte, 1<<10)) })
	closed := refusing(t)
	tls := httptest.NewTLSServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(tls.Close)
	loop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/private":
			http.Redirect(w, r, "http://127.0.0.2:"+r.URL.Query().Get("port")+"/", http.StatusFound)
		case "/tls-private":
			http.Redirect(w, r, "https://127.0.0.2/", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/204":
			w.WriteHeader(http.StatusNoContent)
		case "/403":
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, "own 403")
		case "/502":
			w.WriteHeader(http.StatusBadGateway)
			io.WriteString(w, "own 502")
		case "/auth":
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			io.WriteString(w, "who are you")
		}
	}))
	t.Cleanup(loop.Close)
	s := open(t)
	for _, c := range []struct {
		name, url string
		kind      errtypes.Kind
		text      string
	}{
		{"unknown name over http", "http://nowhere.invalid/", errtypes.BadGateway, "the host name could not be resolved"},
		{"unknown name over https", "https://nowhere.invalid/", errtypes.BadGateway, "the host name could not be resolved"},
		{"refused connection over http", "http://" + closed + "/", errtypes.BadGateway, "could not be reached"},
		{"refused connection over https", "https://" + closed + "/", errtypes.BadGateway, "could not be reached"},
		{"no TLS", "https://" + broken.Addr().String() + "/", errtypes.BadGateway, ""},
		{"unknown certificate", tls.URL, errtypes.BadGateway, "certificate is not valid"},
		{"redirect loop", loop.URL + "/loop", errtypes.BadGateway, "redirected too often"},
		{"private address over http", "http://127.0.0.2:8080/", errtypes.Invalid, "AllowPrefixes"},
		{"private address over https", "https://127.0.0.2/", errtypes.Invalid, "AllowPrefixes"},
		{"redirect to a private address", loop.URL + "/private?port=8080", errtypes.Invalid, "AllowPrefixes"},
		{"redirect to a private address over https", loop.URL + "/tls-private", errtypes.Invalid, "AllowPrefixes"},
		{"redirect to a file", loop.URL + "/file", errtypes.BadGateway, ""},
		{"a password wanted", loop.URL + "/auth", errtypes.BadGateway, "asks for a user name"},
		{"no content", loop.URL + "/204", errtypes.BadGateway, "without a page"},
		{"a port of another protocol", "http://127.0.0.1:25/", errtypes.Invalid, "port"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := s.Navigate(t.Context(), c.url)
			if err == nil || errtypes.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.text) {
				t.Errorf("%s: %+v, %v (%s), want %s with %q", c.url, p, err, errtypes.KindOf(err), c.kind, c.text)
			}
		})
	}
	// The proxy answers for a server that says nothing.
	if p, err := s.Navigate(t.Context(), "http://"+broken.Addr().String()+"/"); err == nil && p.Status != 502 || err != nil && !errtypes.Is(err, errtypes.BadGateway) {
		t.Errorf("a server that says nothing: %+v, %v", p, err)
	}
	for path, status := range map[string]int{"/403": 403, "/502": 502} {
		if p, err := s.Navigate(t.Context(), loop.URL+path); err != nil || p.Status != status || !says(t, s, fmt.Sprint("own ", status)) {
			t.Errorf("%s: %+v, %v", path, p, err)
		}
	}
}

// refusing returns an address where connections are refused as long as the test goes
// on: its port is a client's, so that nobody comes to listen there.
func refusing(t *testing.T) string {
	t.Helper()
	l := raw(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) })
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.LocalAddr().String()
}

// raw listens and serves each connection with f; nothing listens once it is closed.
func raw(t *testing.T, f func(net.Conn)) net.Listener {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			f(c)
			c.Close()
		}
	}()
	t.Cleanup(func() { ln.Close(); <-done })
	return ln
}

func TestSlowServers(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/half" {
			io.WriteString(w, "<title>Half</title><p>first half</p>"+strings.Repeat(" ", 2048))
			w.(http.Flusher).Flush()
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer srv.Close()
	defer close(release)
	p := chrometest.Provider(t, func(o *chrome.Options) {
		o.Timeouts.Navigate = 700 * time.Millisecond
		o.Settle.Document = 300 * time.Millisecond
		o.Settle.NavigateLoad, o.Settle.AfterLoad = time.Hour, time.Hour // not waited for
	})
	s := chrometest.Session(t, p)
	if _, err := s.Navigate(t.Context(), srv.URL+"/never"); !errtypes.Is(err, errtypes.GatewayTimeout) {
		t.Errorf("a server that never answers: %v", err)
	}
	if p, err := s.Navigate(t.Context(), srv.URL+"/half"); err != nil || !p.Loading || p.Title != "Half" || p.Status != 200 || !says(t, s, "first half") {
		t.Errorf("a page that never ends: %+v, %v\n%s", p, err, lines(snapshot(t, s)))
	}
	if sn := snapshot(t, s); !sn.Page.Loading {
		t.Errorf("a snapshot of it: %+v", sn.Page)
	}
	cause := errors.New("the caller has gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
	defer stop.Stop()
	if _, err := s.Navigate(ctx, srv.URL+"/never"); !errors.Is(err, cause) {
		t.Errorf("a caller that goes: %v", err)
	}
	if _, err := s.Navigate(t.Context(), srv.URL+"/half"); err != nil {
		t.Errorf("after a caller went: %v", err) // its context bound nothing else
	}
}
