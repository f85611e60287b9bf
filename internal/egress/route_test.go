package egress_test

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
)

func gateFor(t testing.TB, roots *x509.CertPool, prefixes ...string) *egress.Gate {
	t.Helper()
	o := egress.Options{Resolver: egresstest.Names{}, UpstreamRoots: roots, Logger: slog.New(slog.DiscardHandler), BlockHosts: []string{"ads.test", "banner9.*"}}
	for _, p := range prefixes {
		o.AllowPrefixes = append(o.AllowPrefixes, netip.MustParsePrefix(p))
	}
	g, err := egress.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func upstream(t testing.TB, rawURL string) *egress.Upstream {
	t.Helper()
	u, err := egress.ParseUpstream(rawURL)
	if err != nil {
		t.Fatal(err)
	}
	return &u
}

// told is what a proxy tells its host.
type told struct {
	mu              sync.Mutex
	refused, failed []error
}

func (f *told) options() egress.ProxyOptions {
	return egress.ProxyOptions{
		OnRefused: func(r egress.Refusal) { f.mu.Lock(); defer f.mu.Unlock(); f.refused = append(f.refused, r.Err) },
		OnFailed:  func(_ string, err error) { f.mu.Lock(); defer f.mu.Unlock(); f.failed = append(f.failed, err) },
	}
}

func startProxy(t testing.TB, g *egress.Gate, policy egress.Policy) (*egress.Proxy, *told) {
	t.Helper()
	f := &told{}
	p, err := egress.NewProxy(g, f.options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	p.Use(policy)
	return p, f
}

// clients are the two ways through a policy: a session's proxy, and a dialer in
// a transport of its own.
func clients(t testing.TB, g *egress.Gate, policy egress.Policy, roots *x509.CertPool) map[string]*http.Client {
	t.Helper()
	p, _ := startProxy(t, g, policy)
	proxyURL, err := url.Parse(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	d := g.Dialer(policy)
	transports := map[string]*http.Transport{
		"proxy": {Proxy: http.ProxyURL(proxyURL)}, "dialer": {Proxy: d.Proxy, DialContext: d.DialContext},
	}
	all := map[string]*http.Client{}
	for name, tr := range transports {
		tr.TLSClientConfig = insecureFor(roots)
		t.Cleanup(tr.CloseIdleConnections)
		all[name] = &http.Client{Transport: tr}
	}
	return all
}

func site(t testing.TB, secure bool) *httptest.Server {
	t.Helper()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		content, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %q%q", r.Method, r.URL, content, r.Header["Proxy-Authorization"], r.Header["Proxy-Connection"])
	})
	s := httptest.NewUnstartedServer(h)
	if secure {
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// named is the server's URL under a name that leads to it.
func named(s *httptest.Server, host string) string {
	return strings.Replace(s.URL, "127.0.0.1", host, 1)
}

func TestEveryKindOfUpstreamReachesTheServer(t *testing.T) {
	plain, secure := site(t, false), site(t, true)
	for _, scheme := range []string{"http", "https", "socks5"} {
		for _, user := range []string{"", "us er"} {
			t.Run(scheme+"/"+user, func(t *testing.T) {
				behind := egresstest.Start(t, scheme, url.PathEscape(user), "p%40ss")
				if user != "" {
					behind = egresstest.Start(t, scheme, user, "p@ss")
				}
				up := upstream(t, behind.Server)
				if user != "" {
					withLogin, err := up.WithLogin(user, "p@ss")
					if err != nil {
						t.Fatal(err)
					}
					up = &withLogin
				}
				g := gateFor(t, behind.Roots, "127.0.0.1/32")
				for way, c := range clients(t, g, egress.Policy{Routes: []egress.Route{{Upstream: up}}}, certOf(secure)) {
					for _, s := range []*httptest.Server{plain, secure} {
						resp, err := c.Post(named(s, "shop.test")+"/p?a=b", "text/plain", strings.NewReader("hello"))
						if got := body(t, resp, err); got != `POST /p?a=b hello [][]` {
							t.Errorf("%s to %s: %s", way, s.URL, got)
						}
					}
				}
				if got, want := behind.Asked(), wantAsked(scheme, plain, secure); !slices.Equal(got, want) {
					t.Errorf("the proxy was asked for %q, want %q", got, want)
				}
			})
		}
	}
}

// wantAsked is what one kind of proxy is asked for: plain requests as such where
// it takes them, names never looked up before.
func wantAsked(scheme string, plain, secure *httptest.Server) []string {
	_, plainPort, _ := strings.Cut(strings.TrimPrefix(plain.URL, "http://"), ":")
	_, securePort, _ := strings.Cut(strings.TrimPrefix(secure.URL, "https://"), ":")
	if scheme == "socks5" {
		all := []string{"SOCKS shop.test:" + plainPort, "SOCKS shop.test:" + securePort}
		slices.Sort(all)
		return all
	}
	return []string{"CONNECT shop.test:" + securePort, "POST http://shop.test:" + plainPort + "/p?a=b"}
}

func body(t testing.TB, resp *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Error(err)
		return ""
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

func TestTheFirstRouteThatMatchesDecides(t *testing.T) {
	one, two := egresstest.Start(t, "http", "", ""), egresstest.Start(t, "socks5", "u", "p")
	s := site(t, false)
	policy := egress.Policy{Routes: []egress.Route{
		{Domain: regexp.MustCompile(`^direct\.one\.test$`)},
		{Domain: regexp.MustCompile(`(^|\.)one\.test$`), Upstream: upstream(t, one.URL)},
		{Domain: regexp.MustCompile(`two`), Upstream: upstream(t, two.URL)},
		{Domain: regexp.MustCompile(`.*one.*`), Upstream: upstream(t, two.URL)},
	}}
	g := gateFor(t, nil, "127.0.0.1/32")
	for _, c := range clients(t, g, policy, nil) {
		for _, host := range []string{"a.one.test", "ONE.test", "direct.one.test", "two.test", "other.test", "127.0.0.1"} {
			resp, err := c.Get(named(s, host))
			body(t, resp, err)
		}
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	asked := strings.ToLower(strings.Join(one.Asked(), " "))
	if want := "get http://a.one.test:" + port + "/ get http://one.test:" + port + "/"; !strings.HasSuffix(asked, want) || strings.Contains(asked, "direct") {
		t.Errorf("the first proxy was asked for %q, want %q", asked, want)
	}
	if got, want := two.Asked(), []string{"SOCKS two.test:" + port}; !slices.Equal(got, want) {
		t.Errorf("the second proxy was asked for %q, want %q", got, want)
	}
}

func TestUseIsForNewConnections(t *testing.T) {
	behind := egresstest.Start(t, "http", "", "")
	s := site(t, true)
	p, _ := startProxy(t, gateFor(t, nil, "127.0.0.1/32"), egress.Policy{})
	proxyURL, _ := url.Parse(p.URL())
	tr := &http.Transport{Proxy: http.ProxyURL(proxyURL), TLSClientConfig: insecureFor(certOf(s))}
	defer tr.CloseIdleConnections()
	get := func() {
		resp, err := (&http.Client{Transport: tr}).Get(s.URL)
		body(t, resp, err)
	}
	get()
	p.Use(egress.Policy{Routes: []egress.Route{{Upstream: upstream(t, behind.URL)}}})
	get() // over the connection that stands
	if asked := behind.Asked(); len(asked) != 0 {
		t.Errorf("a connection that stood went another way: %q", asked)
	}
	tr.CloseIdleConnections()
	get()
	if asked := behind.Asked(); len(asked) != 1 {
		t.Errorf("a new connection did not follow the policy: %q", asked)
	}
	p.Use(egress.Policy{AllowedDomains: []string{"other.test"}})
	tr.CloseIdleConnections()
	if resp, err := (&http.Client{Transport: tr}).Get(s.URL); err == nil {
		resp.Body.Close()
		t.Error("a host that is no longer allowed was reached")
	}
}

// A name that is not known here goes to the proxy, which may know it.
func TestNamesOfTheProxysOwnGoToIt(t *testing.T) {
	behind := egresstest.Start(t, "http", "", "")
	g := gateFor(t, nil, "127.0.0.1/32")
	_, err := g.Dialer(egress.Policy{Routes: []egress.Route{{Upstream: upstream(t, behind.URL)}}}).DialContext(t.Context(), "tcp", "only.there.example:443")
	if pub := errtypes.Public(err); pub.Kind != errtypes.BadGateway || !strings.Contains(pub.Message, "could not connect to the server (502)") {
		t.Errorf("%v", err)
	}
	if asked := behind.Asked(); !slices.Equal(asked, []string{"CONNECT only.there.example:443"}) {
		t.Errorf("the proxy was asked for %q", asked)
	}
}

// What leads a proxy to the metadata of its own machine does not go to it, nor,
// where the host wants so, what is not known here, or not in time.
func TestNamesThatAProxyIsNotAskedFor(t *testing.T) {
	behind := egresstest.Start(t, "http", "", "")
	route := egress.Policy{Routes: []egress.Route{{Upstream: upstream(t, behind.URL)}}}
	d := gateFor(t, nil, "127.0.0.1/32").Dialer(route)
	for _, name := range []string{"metadata.google.internal", "Metadata.Google.Internal.", "instance-data", "localhost", "x.localhost"} {
		_, err := d.DialContext(t.Context(), "tcp", name+":80")
		if _, ok := errors.AsType[*egress.RefusedError](err); ok == strings.HasSuffix(name, "localhost") {
			t.Errorf("%s: %v", name, err) // loopback is open here
		}
	}
	before := len(behind.Asked())
	for resolver, timeout := range map[egress.Resolver]time.Duration{egresstest.Names{}: 0, silentDNS{}: time.Nanosecond} {
		g, err := egress.New(egress.Options{
			Resolver: resolver, AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
			RefuseUnknownNames: true, RemoteResolveTimeout: timeout,
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Dialer(route).DialContext(t.Context(), "tcp", "rebound.example:80")
		if pub := errtypes.Public(err); pub.Kind != errtypes.BadGateway || !strings.Contains(pub.Message, "not known here") {
			t.Errorf("%T: %v", resolver, err)
		}
	}
	if asked := behind.Asked(); len(asked) != before {
		t.Errorf("the proxy was asked for %q", asked)
	}
}

// silentDNS answers nothing.
type silentDNS struct{}

func (silentDNS) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestACallersProxyMustPassTheGate(t *testing.T) {
	behind := egresstest.Start(t, "http", "", "")
	s := site(t, false)
	g := gateFor(t, nil, "127.0.0.2/32") // not where the proxy is
	up := upstream(t, behind.URL)
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	_, err := g.Dialer(egress.Policy{Routes: []egress.Route{{Upstream: up}}}).DialContext(t.Context(), "tcp", "far.example:"+port)
	refused, ok := errors.AsType[*egress.RefusedError](err)
	if !ok || refused.Class != egress.ClassLoopback || !strings.Contains(errtypes.Public(err).Message, "the proxy 127.0.0.1 is refused") {
		t.Errorf("a caller's proxy on loopback: %v", err)
	}
	own := up.OfHost()
	_, err = g.Dialer(egress.Policy{Routes: []egress.Route{{Upstream: &own}}}).DialContext(t.Context(), "tcp", "far.example:"+port)
	if pub := errtypes.Public(err); !strings.HasPrefix(pub.Message, "the configured proxy could not connect") || strings.Contains(pub.Message, "127.0.0.1") {
		t.Errorf("the host's own proxy: %v", err)
	}
	if asked := behind.Asked(); !slices.Equal(asked, []string{"CONNECT far.example:" + port}) {
		t.Errorf("the proxy was asked for %q", asked)
	}
}

func TestWebsocketsGoThroughAnUpstream(t *testing.T) {
	behind := egresstest.Start(t, "http", "u", "p")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		kind, msg, err := c.Read(r.Context())
		if err == nil {
			c.Write(r.Context(), kind, append(msg, '!'))
		}
	}))
	defer s.Close()
	g := gateFor(t, nil, "127.0.0.1/32")
	// As an absolute URL with an upgrade, as our own proxy may be asked.
	p, _ := startProxy(t, g, egress.Policy{Routes: []egress.Route{{Upstream: upstream(t, behind.URL)}}})
	proxyURL, _ := url.Parse(p.URL())
	tr := &http.Transport{Proxy: http.ProxyURL(proxyURL)}
	defer tr.CloseIdleConnections()
	c, _, err := websocket.Dial(context.Background(), strings.Replace(s.URL, "http:", "ws:", 1), &websocket.DialOptions{HTTPClient: &http.Client{Transport: tr}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	c.Write(t.Context(), websocket.MessageText, []byte("hi"))
	if _, msg, err := c.Read(t.Context()); err != nil || string(msg) != "hi!" {
		t.Errorf("%q, %v", msg, err)
	}
	if asked := behind.Asked(); len(asked) != 1 || !strings.HasPrefix(asked[0], "CONNECT ") {
		t.Errorf("the proxy was asked for %q", asked)
	}
}

func TestBytesAreCountedWhateverTheWay(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Write(make([]byte, 3<<20))
	}))
	defer s.Close()
	for _, scheme := range []string{"", "http", "https", "socks5"} {
		policy := egress.Policy{}
		var roots *x509.CertPool
		if scheme != "" {
			behind := egresstest.Start(t, scheme, "", "")
			policy.Routes, roots = []egress.Route{{Upstream: upstream(t, behind.URL)}}, behind.Roots
		}
		p, _ := startProxy(t, gateFor(t, roots, "127.0.0.1/32"), policy)
		proxyURL, _ := url.Parse(p.URL())
		tr := &http.Transport{Proxy: http.ProxyURL(proxyURL)}
		resp, err := (&http.Client{Transport: tr}).Post(s.URL, "x/y", strings.NewReader(strings.Repeat("x", 2<<20)))
		body(t, resp, err)
		tr.CloseIdleConnections()
		p.Close()
		if st := p.Stats(); st.Sent < 2<<20 || st.Sent > 2<<20+4096 || st.Received < 3<<20 || st.Received > 3<<20+4096 {
			t.Errorf("%s: %+v", scheme, st)
		}
	}
}
