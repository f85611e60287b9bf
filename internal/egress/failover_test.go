package egress_test

import (
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/egress/egresstest"
)

// deadProxy is the URL of a proxy that is not there.
func deadProxy(scheme string) string {
	s := httptest.NewServer(nil)
	defer s.Close()
	return scheme + "://me:s3cr3t@" + s.Listener.Addr().String()
}

func poolOf(t testing.TB, o egress.PoolOptions, urls ...string) *egress.Pool {
	t.Helper()
	pool, err := egress.NewPoolWith(urls, o)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// managed is the policy of a session that asks for the proxies of the host.
func managed(t testing.TB, g *egress.Gate, pool *egress.Pool) egress.Policy {
	t.Helper()
	routes, err := g.Routes(pool, []egress.ProxyRule{{Type: "managed"}}, "proxies")
	if err != nil {
		t.Fatal(err)
	}
	return egress.Policy{Routes: routes}
}

// session is a client of a proxy with a policy of its own. It keeps no
// connections.
func session(t testing.TB, g *egress.Gate, pool *egress.Pool, roots *x509.CertPool) *http.Client {
	t.Helper()
	p, _ := startProxy(t, g, managed(t, g, pool))
	at, err := url.Parse(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(at), TLSClientConfig: insecureFor(roots), DisableKeepAlives: true}}
}

// A session whose proxy cannot be reached goes through the next one, with that
// one's log-in, and stays there; others leave the dead one out for a while.
func TestASessionChangesItsProxyOnlyWhenItMust(t *testing.T) {
	for _, scheme := range []string{"http", "socks5"} {
		t.Run(scheme, func(t *testing.T) {
			hands := clock.NewManual(time.Unix(0, 0))
			one, two := egresstest.Start(t, scheme, "one", "1"), egresstest.Start(t, scheme, "two", "2")
			pool := poolOf(t, egress.PoolOptions{Clock: hands}, deadProxy(scheme), one.URL, two.URL)
			g := gateFor(t, nil, "127.0.0.1/32")
			plain, secure := site(t, false), site(t, true)
			roots := certOf(secure)
			use := func(c *http.Client, where string) {
				t.Helper()
				before := [2]int{len(one.Asked()), len(two.Asked())}
				for _, s := range []*httptest.Server{plain, secure} {
					u := named(s, strings.ReplaceAll(where, " ", "-")+".test") // each name is asked for once
					resp, err := c.Get(u + "/" + where)
					if text := body(t, resp, err); resp.StatusCode != 200 || !strings.Contains(text, "/"+where) {
						t.Fatalf("%s: %d %q", u, resp.StatusCode, text)
					}
				}
				now := [2]int{len(one.Asked()), len(two.Asked())}
				if got := [2]bool{now[0] > before[0], now[1] > before[1]}; got != [2]bool{strings.HasPrefix(where, "one"), strings.HasPrefix(where, "two")} {
					t.Errorf("%s: the proxies were asked for %q and %q", where, one.Asked(), two.Asked())
				}
			}
			first := session(t, g, pool, roots)
			use(first, "one")
			use(first, "one-again")
			use(session(t, g, pool, roots), "one-as-second")
			use(session(t, g, pool, roots), "two")
			use(session(t, g, pool, roots), "one-instead-of-the-dead")
			one.End()
			use(first, "two-now")
			two.End()
			resp, err := first.Get(plain.URL)
			if text := body(t, resp, err); resp.StatusCode != http.StatusBadGateway || !strings.Contains(text, "the session's upstream proxy cannot be reached") {
				t.Errorf("with no proxy left: %d %q", resp.StatusCode, text)
			}
		})
	}
}

// A proxy that was left out is tried again when its time has come, and how many
// are tried for one connection is bounded.
func TestHowManyProxiesAreTried(t *testing.T) {
	hands := clock.NewManual(time.Unix(0, 0))
	live := egresstest.Start(t, "http", "", "")
	pool := poolOf(t, egress.PoolOptions{Clock: hands, Attempts: 2, Rest: time.Minute}, deadProxy("http"), deadProxy("http"), live.URL)
	g := gateFor(t, nil, "127.0.0.1/32")
	target := site(t, false)
	status := func(want int) {
		t.Helper()
		p, told := startProxy(t, g, managed(t, g, pool))
		at, err := url.Parse(p.URL())
		if err != nil {
			t.Fatal(err)
		}
		c := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(at), DisableKeepAlives: true}}
		resp, err := c.Get(target.URL)
		body(t, resp, err)
		p.Close()
		if resp.StatusCode != want || (want != 200) != (len(told.failed) == 1) {
			t.Errorf("%d, told %v; want %d", resp.StatusCode, told.failed, want)
		}
		for _, err := range told.failed {
			if pub := errtypes.Public(err); pub.Kind != errtypes.BadGateway || strings.Contains(pub.Message, "127.0.0.1") || strings.Contains(err.Error(), "s3cr3t") {
				t.Errorf("%v", err)
			}
		}
	}
	status(http.StatusBadGateway) // two were tried
	status(200)                   // both are left out
	pool.Turn()                   // the live one's
	hands.Advance(time.Minute)
	status(http.StatusBadGateway)
}

// What a proxy of the pool answers is no reason to try another: a server that
// cannot be reached would take all of them out.
func TestAProxyThatAnswersStaysTheSessions(t *testing.T) {
	one, two := egresstest.Start(t, "socks5", "", ""), egresstest.Start(t, "socks5", "", "")
	g := gateFor(t, nil, "127.0.0.1/32")
	c := session(t, g, poolOf(t, egress.PoolOptions{}, one.URL, two.URL), nil)
	resp, err := c.Get(deadProxy("http"))
	if body(t, resp, err); resp.StatusCode != http.StatusBadGateway {
		t.Error(resp.Status)
	}
	if len(one.Asked()) != 1 || len(two.Asked()) != 0 {
		t.Errorf("asked %q and %q", one.Asked(), two.Asked())
	}
}

func TestManyRequestsChangeTheProxyTogether(t *testing.T) {
	one, two := egresstest.Start(t, "http", "", ""), egresstest.Start(t, "http", "", "")
	g := gateFor(t, nil, "127.0.0.1/32")
	c := session(t, g, poolOf(t, egress.PoolOptions{}, deadProxy("http"), one.URL, two.URL), nil)
	target := site(t, false)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			resp, err := c.Get(target.URL)
			if err != nil || resp.StatusCode != 200 {
				t.Errorf("%v, %v", resp, err)
			}
			if err == nil {
				resp.Body.Close()
			}
		})
	}
	all.Wait()
	if len(one.Asked()) != 1 || len(two.Asked()) != 0 {
		t.Errorf("asked %q and %q", one.Asked(), two.Asked())
	}
}
