package chrome_test

import (
	"crypto/x509"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// egressProvider has a gate that lets 127.0.0.1 through, verifies https proxies
// by roots, and knows "ads.test" for advertising.
func egressProvider(t testing.TB, roots *x509.CertPool) *chrome.Provider {
	t.Helper()
	gate, err := egress.New(egress.Options{
		AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Resolver: chrometest.Names{},
		UpstreamRoots: roots, BlockHosts: []string{"ads.test"}, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return chrometest.Provider(t, func(o *chrome.Options) { o.Gate = gate })
}

func openTo(t testing.TB, p *chrome.Provider, policy egress.Policy) browser.Session {
	t.Helper()
	s, err := p.Open(t.Context(), browser.Options{Egress: policy})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func upstream(t testing.TB, rawURL string) *egress.Upstream {
	t.Helper()
	u, err := egress.ParseUpstream(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	return &u
}

// socketSite serves a page that shows what a websocket answers.
func socketSite(t testing.TB) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/socket" {
			c, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
			if err != nil {
				return
			}
			defer c.CloseNow()
			c.Write(r.Context(), websocket.MessageText, []byte("heard"))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!DOCTYPE html><title>%s</title><p id=p>waiting</p><script>
			const ws = new WebSocket("ws://" + location.host + "/socket");
			ws.onmessage = e => { p.textContent = "socket " + e.data; fetch("/done") }
			ws.onerror = e => { p.textContent = "socket failed" }</script>`, r.Host)
	}))
	t.Cleanup(srv.Close)
	return srv
}

func TestASessionThroughEachKindOfUpstream(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every kind of proxy")
	for _, scheme := range []string{"http", "https", "socks5"} {
		t.Run(scheme, func(t *testing.T) {
			behind := egresstest.Start(t, scheme, "me", "s3cr3t")
			srv := socketSite(t)
			s := openTo(t, egressProvider(t, behind.Roots), egress.Policy{Routes: []egress.Route{{Upstream: upstream(t, behind.URL)}}})
			page := navigate(t, s, at(srv, "shop.test", "/"))
			if !strings.HasPrefix(page.Title, "shop.test:") || !says(t, s, "socket heard") {
				t.Errorf("%+v\n%s", page, lines(snapshot(t, s)))
			}
			asked := strings.Join(behind.Asked(), "\n")
			want := []string{"CONNECT shop.test:", "GET http://shop.test:"}
			if scheme == "socks5" {
				want = []string{"SOCKS shop.test:"}
			}
			for _, w := range want {
				if !strings.Contains(asked, w) {
					t.Errorf("the proxy was not asked for %s:\n%s", w, asked)
				}
			}
			sent, received := s.Traffic()
			s.Close()
			if after, _ := s.Traffic(); sent < 500 || received < 500 || after < sent {
				t.Errorf("traffic %d and %d, after Close %d", sent, received, after)
			}
		})
	}
}

func TestTwoHostsGoTwoWays(t *testing.T) {
	t.Parallel()
	one, two := egresstest.Start(t, "http", "", ""), egresstest.Start(t, "socks5", "", "")
	srv := pages(t, map[string]string{
		"/":      `<title>t</title><img src="{other}/picture"><iframe src="{other}/inner"></iframe>`,
		"/inner": `inner`,
	})
	s := openTo(t, egressProvider(t, nil), egress.Policy{Routes: []egress.Route{
		{Domain: regexp.MustCompile(`^main\.test$`), Upstream: upstream(t, one.URL)},
		{Domain: regexp.MustCompile(`\.test$`), Upstream: upstream(t, two.URL)},
	}})
	navigate(t, s, at(srv, "main.test", "/"))
	navigate(t, s, srv.URL+"/inner") // directly
	for _, asked := range one.Asked() {
		if !strings.Contains(asked, "main.test") {
			t.Errorf("the first proxy was asked for %s", asked)
		}
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(srv.URL, "http://"), ":")
	if len(one.Asked()) == 0 || !slices.Equal(two.Asked(), []string{"SOCKS other.test:" + port}) {
		t.Errorf("the proxies were asked for %q and %q", one.Asked(), two.Asked())
	}
}

func TestWhatThePolicyOfASessionRefuses(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>t</title><p id=p></p><script>
		const out = [];
		const tried = ["http://evil.test:" + location.port, "http://ads.test:" + location.port].map(u =>
			fetch(u + "/leak", {mode: "no-cors"}).then(() => out.push("answered"), () => out.push("failed")));
		const ws = new Promise(done => { const s = new WebSocket("ws://evil.test:" + location.port + "/leak"); s.onopen = () => done("open"); s.onerror = () => done("shut") });
		Promise.all([...tried, ws]).then(r => p.textContent = "socket " + r[2] + ".")</script>`})
	var mu sync.Mutex
	var leaks []string
	inner := srv.Config.Handler
	srv.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/leak" {
			mu.Lock()
			leaks = append(leaks, r.Host)
			mu.Unlock()
		}
		inner.ServeHTTP(w, r)
	})
	p := egressProvider(t, nil)
	s := openTo(t, p, egress.Policy{AllowedDomains: []string{"main.test", "ads.test"}, BlockAds: true})
	navigate(t, s, at(srv, "main.test", "/"))
	if !says(t, s, "socket shut.") {
		t.Errorf("a websocket to a domain that is not allowed:\n%s", lines(snapshot(t, s)))
	}
	for url, want := range map[string]string{
		at(srv, "evil.test", "/"):                                      "evil.test is refused: it is not one of the allowed domains",
		strings.Replace(at(srv, "evil.test", "/"), "http", "https", 1): "evil.test is refused: it is not one of the allowed domains",
		at(srv, "sub.ads.test", "/"):                                   "sub.ads.test is refused: it is known for advertising or tracking",
		"https://ads.test/":                                            "ads.test is refused: it is known for advertising or tracking",
	} {
		_, err := s.Navigate(t.Context(), url)
		if !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(errtypes.Public(err).Message, want) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
	navigate(t, s, at(srv, "sub.main.test", "/"))
	s.Close()
	srv.Close()
	if len(leaks) > 0 {
		t.Errorf("reached %q", leaks)
	}
	if _, err := p.Open(t.Context(), browser.Options{Egress: egress.Policy{AllowedDomains: []string{"http://x"}}}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("a domain that is none: %v", err)
	}
}

// What fails on the way to a server over http is an error for a page, as it is
// without a proxy, and never a page that somebody else has written.
func TestAFailureOnTheWayIsNoPage(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>t</title><p id=p></p><script>
		fetch("http://shop.test/", {mode: "no-cors"}).then(() => "answered", () => "no answer").then(r => p.textContent = "got " + r)</script>`})
	closed := "http://" + refusing(t)
	s := openTo(t, egressProvider(t, nil), egress.Policy{Routes: []egress.Route{
		{Domain: regexp.MustCompile(`^shop\.test$`), Upstream: upstream(t, closed)},
	}})
	navigate(t, s, at(srv, "main.test", "/"))
	if !says(t, s, "got no answer") {
		t.Errorf("a page may read what the proxy says:\n%s", lines(snapshot(t, s)))
	}
	for _, url := range []string{"http://shop.test/", closed} {
		_, err := s.Navigate(t.Context(), url)
		if pub := errtypes.Public(err); pub.Kind != errtypes.BadGateway || !strings.Contains(pub.Message, "could not be reached") && !strings.Contains(pub.Message, "cannot be reached") {
			t.Errorf("%s: %v", url, err)
		}
		if page, err := s.Page(t.Context()); err != nil || page.Status != 0 {
			t.Errorf("%s is shown as a page: %+v, %v", url, page, err)
		}
	}
}

func TestAnUpstreamThatFailsIsThePagesError(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": "x"})
	locked := egresstest.Start(t, "http", "me", "right")
	raw := httptest.NewServer(http.NotFoundHandler()) // speaks no TLS
	closed := httptest.NewServer(nil)
	closed.Close()
	defer raw.Close()
	p := egressProvider(t, nil)
	for proxy, want := range map[string]string{
		strings.Replace(locked.Server, "//", "//me:s3cr3t@", 1): "wants a user name and a password",
		closed.URL: "cannot be reached",
		strings.Replace(raw.URL, "http://", "https://u:s3cr3t@", 1): "its TLS handshake failed",
	} {
		s := openTo(t, p, egress.Policy{Routes: []egress.Route{{Upstream: upstream(t, proxy)}}})
		for _, url := range []string{at(srv, "shop.test", "/"), "https://shop.test/"} {
			_, err := s.Navigate(t.Context(), url)
			if !errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(errtypes.Public(err).Message, want) || strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("%s through %s: %v, want %q", url, proxy[:8], err, want)
			}
		}
		s.Close()
	}
}
