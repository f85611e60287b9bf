package chrome_test

import (
	"bufio"
	"bytes"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// elsewhere starts a Chromium with a debugging port on loopback, which is
// nobody's idea but this test's, and returns the port's address.
func elsewhere(t *testing.T) (addr string) {
	t.Helper()
	profile := t.TempDir()
	cmd := exec.Command(chrometest.RequireChromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--remote-debugging-port=0", "--user-data-dir="+profile, "about:blank")
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() && addr == "" {
		if _, after, ok := strings.Cut(lines.Text(), "DevTools listening on ws://"); ok {
			addr, _, _ = strings.Cut(after, "/")
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { io.Copy(io.Discard, out) })
	t.Cleanup(func() {
		cmd.Process.Kill()
		chrome.KillUsing(profile) // its children still write
		cmd.Wait()
		wg.Wait()
		for tries := 0; os.RemoveAll(profile) != nil && tries < 1000; tries++ { // what is dying may write once more
		}
	})
	if addr == "" {
		t.Fatal("the browser does not say where it listens")
	}
	return addr
}

// listed are the pages that the remote browser has, by title and address.
func listed(t *testing.T, addr string) (pages []string) {
	t.Helper()
	var list []struct{ Title, URL, Type string }
	ask(t, http.MethodGet, "http://"+addr+"/json/list", &list)
	for _, p := range list {
		if p.Type == "page" {
			pages = append(pages, p.Title+" "+p.URL)
		}
	}
	return pages
}

func ask(t *testing.T, method, url string, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

func remoteProvider(t *testing.T, url string, change ...func(*chrome.Options)) *chrome.Provider {
	t.Helper()
	return chrometest.Provider(t, append(change, func(o *chrome.Options) { o.RemoteURL = url })...)
}

// On the same machine a remote browser does all that one of Drover's own does,
// but for what is decided when it starts.
func TestARemoteBrowserOnThisMachine(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "browsers elsewhere")
	addr := elsewhere(t)
	p := remoteProvider(t, "http://"+addr)
	if about, err := p.Remote(t.Context()); err != nil || !strings.Contains(about, "Chrome/") || !strings.Contains(about, "reaches this machine's proxies and sees") {
		t.Errorf("it is %q, %v", about, err)
	}
	srv := pages(t, map[string]string{"/": `<title>t</title><a download=f.txt href="data:text/plain,hello">Save</a><script>document.cookie='a=b'</script>`, "/other": `<title>someone</title>`})
	tr := newTrap(t)
	k := newKept()
	s := openWith(t, p, browser.Options{Downloads: k.take, Egress: egress.Policy{AllowedDomains: []string{"127.0.0.1"}}})
	navigate(t, s, srv.URL+"/")
	for _, url := range []string{"http://" + tr.host + "/", at(srv, "main.test", "/")} {
		if _, err := s.Navigate(t.Context(), url); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: %v", url, err)
		}
	}
	navigate(t, s, srv.URL+"/")
	click(t, s, "Save")
	<-k.more
	if sent, received := s.Traffic(); sent == 0 || received == 0 {
		t.Errorf("traffic %d and %d", sent, received)
	}
	// A client's own context uses the session's proxy, and pages of others go on.
	c := connect(t, s)
	guest, _ := c.guestPage()
	c.must(guest, "Page.navigate", map[string]any{"url": "http://" + tr.host + "/guest"})
	var made struct{ ID string }
	ask(t, http.MethodPut, "http://"+addr+"/json/new?"+srv.URL+"/other", &made)
	for !strings.Contains(strings.Join(listed(t, addr), "\n"), "someone "+srv.URL) {
		t.Log("the page of another is not there yet", listed(t, addr))
	}
	infos := c.must("", "Target.getTargets", nil)["targetInfos"].([]any)
	for _, info := range infos {
		if strings.HasSuffix(fmt.Sprint(info), "/other") {
			t.Errorf("the client sees the page of another: %v", info)
		}
	}
	if seen := tr.came(); len(seen) > 0 {
		t.Errorf("the private server was reached: %v", seen)
	}
	for name, o := range map[string]browser.Options{
		"verified": {Verified: true}, "ownProcess": {OwnProcess: true}, "profile": {Profile: &browser.Profile{Dir: t.TempDir()}},
		"certificates": {Egress: egress.Policy{TLS: egress.TLS{Roots: []*x509.Certificate{egresstest.NewAuthority(t, "Example").Cert}}}},
	} {
		if _, err := p.Open(t.Context(), o); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), name+" cannot be honoured by the remote browser") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c.leave()
	p.Close()
	if left := listed(t, addr); len(left) != 2 {
		t.Errorf("the remote browser has %q, of which only the pages of others are to stay", left)
	}
}

// unreachable proxies are what a browser on another machine sees of those here:
// nothing listens at their address there.
func unreachable(o *chrome.Options) {
	gate := o.Gate
	o.Proxy = func(failed func(string, error)) (chrome.Proxy, error) {
		behind, err := egress.NewProxy(gate, egress.ProxyOptions{OnFailed: failed})
		if err != nil {
			return nil, err
		}
		return farProxy{behind}, nil
	}
}

type farProxy struct{ *egress.Proxy }

func (farProxy) Addr() string { return "127.0.0.1:1" }

func (p farProxy) Traffic() (sent, received int64) {
	s := p.Stats()
	return s.Sent, s.Received
}

func TestARemoteBrowserElsewhere(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "browsers elsewhere")
	addr := elsewhere(t)
	p := remoteProvider(t, "http://"+addr, unreachable)
	if about, err := p.Remote(t.Context()); err != nil || !strings.Contains(about, "does not reach this machine's proxies") {
		t.Errorf("it is %q, %v", about, err)
	}
	for name, policy := range map[string]egress.Policy{
		"proxies":        {Routes: []egress.Route{{Upstream: upstream(t, "http://127.0.0.1:1")}}},
		"allowedDomains": {AllowedDomains: []string{"example.com"}},
		"blockAds":       {BlockAds: true},
	} {
		if _, err := p.Open(t.Context(), browser.Options{Egress: policy}); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), name+" cannot be honoured") {
			t.Errorf("%s: %v", name, err)
		}
	}
	srv := pages(t, map[string]string{"/": `<title>far</title><a download=f.txt href="data:text/plain,hello">Save</a><input type=file aria-label=File>`})
	s := openWith(t, p, browser.Options{Downloads: newKept().take})
	if got := navigate(t, s, srv.URL+"/"); got.Title != "far" || got.Status != http.StatusOK {
		t.Errorf("%+v", got)
	}
	got := click(t, s, "Save")
	if diff := cmp.Diff([]browser.Started{{Filename: "f.txt", Refused: "this session keeps no downloads"}}, got.Downloads); diff != "" {
		t.Error(diff)
	}
	if _, err := s.Upload(t.Context(), ref(t, s, "File"), []browser.File{{Name: "x", Content: strings.NewReader("x")}}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("an upload: %v", err)
	}
	file := filepath.Join(t.TempDir(), "offered")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.Offer("offered", file)
	c := connect(t, s)
	page, _ := c.page()
	object := c.must(page, "Runtime.evaluate", map[string]any{"expression": "document.querySelector('input')"})["result"].(map[string]any)["objectId"]
	if r := c.ask(page, "DOM.setFileInputFiles", map[string]any{"objectId": object, "files": []string{"offered"}}); r.Error == nil {
		t.Error("a client may name a file that the browser does not see")
	}
	c.guestPage() // a context of its own is made without the proxy, too
	if sent, received := s.Traffic(); sent != 0 || received != 0 {
		t.Errorf("traffic %d and %d is counted", sent, received)
	}
}

// relay passes connections on and can break them.
type relay struct {
	ln    net.Listener
	to    string
	wg    sync.WaitGroup
	mu    sync.Mutex
	conns []net.Conn
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{ln: ln, to: to}
	r.wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				c.Close()
				continue
			}
			r.mu.Lock()
			r.conns = append(r.conns, c, out)
			r.mu.Unlock()
			r.wg.Go(func() { io.Copy(out, c); out.Close() })
			r.wg.Go(func() { io.Copy(c, out); c.Close() })
		}
	})
	t.Cleanup(func() { ln.Close(); r.breakAll(); r.wg.Wait() })
	return r
}

func (r *relay) breakAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		c.Close()
	}
	r.conns = nil
}

// A connection that is lost is a browser that died; the next session connects
// again.
func TestALostRemoteBrowser(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "browsers elsewhere")
	addr := elsewhere(t)
	r := newRelay(t, addr)
	p := remoteProvider(t, "http://"+r.ln.Addr().String())
	srv := pages(t, map[string]string{"/": `<title>t</title>`})
	s, idle := chrometest.Session(t, p), chrometest.Session(t, p)
	navigate(t, s, srv.URL+"/")
	soon(t, "the end of the sessions", func() {
		r.breakAll()
		<-s.Done()
		<-idle.Done()
	})
	for _, s := range []browser.Session{s, idle} {
		if err := s.Err(); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "connection to the remote browser at ws://"+r.ln.Addr().String()) && !strings.Contains(err.Error(), "connection to the remote browser at http://"+r.ln.Addr().String()) {
			t.Errorf("the session's error: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	again := chrometest.Session(t, p)
	navigate(t, again, srv.URL+"/")
	if left := listed(t, addr); len(left) != 2 {
		t.Errorf("the remote browser has %q", left)
	}
}

// What is secret in the address shows neither in errors nor in the log.
func TestSecretsOfARemoteBrowser(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "browsers elsewhere")
	var asked []string
	var mu sync.Mutex
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		user, password, _ := r.BasicAuth()
		asked = append(asked, user+":"+password+"@"+r.URL.String())
		switch {
		case r.URL.Path == "/go/json/version":
			http.Redirect(w, r, "http://127.0.0.1:1/leak?"+r.URL.RawQuery, http.StatusFound)
		case r.URL.Path == "/json/version":
			fmt.Fprint(w, `{"webSocketDebuggerUrl": "ws://other.test/devtools/browser/s3cr3tpath"}`)
		default:
			w.WriteHeader(http.StatusForbidden)
		}
	})}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { srv.Serve(ln) })
	defer func() { srv.Close(); wg.Wait() }()
	for _, url := range []string{
		"http://s3cr3tuser:s3cr3tword@ADDR?token=s3cr3ttoken", "http://s3cr3tuser:s3cr3tword@ADDR/go?token=s3cr3ttoken",
		"ws://s3cr3tuser:s3cr3tword@ADDR/devtools/browser/s3cr3tpath?token=s3cr3ttoken",
		"ws://s3cr3tuser:s3cr3tword@127.0.0.1:1/s3cr3tpath?token=s3cr3ttoken", "https://s3cr3tuser:s3cr3tword@127.0.0.1:1?token=s3cr3ttoken",
	} {
		var log bytes.Buffer
		p := remoteProvider(t, strings.ReplaceAll(url, "ADDR", ln.Addr().String()), func(o *chrome.Options) {
			o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		})
		_, err := p.Open(t.Context(), browser.Options{})
		if !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "127.0.0.1:") || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s: %v", url, err)
		}
		p.Close()
		if strings.Contains(log.String(), "s3cr3t") {
			t.Errorf("%s: the log says %s", url, log.String())
		}
	}
	want := []string{
		"s3cr3tuser:s3cr3tword@/json/version?token=s3cr3ttoken", "s3cr3tuser:s3cr3tword@/devtools/browser/s3cr3tpath?token=s3cr3ttoken",
		"s3cr3tuser:s3cr3tword@/go/json/version?token=s3cr3ttoken", "s3cr3tuser:s3cr3tword@/devtools/browser/s3cr3tpath?token=s3cr3ttoken",
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Error(diff)
	}
	for _, url := range []string{"s3cr3t", "ftp://s3cr3t/", "ws://", "ws://u:s3cr3t@h/\x7f", "http://h/#s3cr3t"} {
		_, err := chrome.New(chrome.Options{Gate: chrometest.LocalGate(), RemoteURL: url})
		if !errtypes.Is(err, errtypes.Invalid) || strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%q: %v", url, err)
		}
	}
}
