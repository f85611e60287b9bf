package runproxy

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/egress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// gate lets through to loopback, and to no other private network.
func gate(t testing.TB) *egress.Gate {
	return must(egress.New(egress.Options{AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}))(t)
}

func open(t testing.TB, pool *egress.Pool) *Proxy {
	t.Helper()
	p := must(Open(Options{Gate: gate(t), Pool: pool, Clock: clock.System(), Logger: slog.New(slog.DiscardHandler)}))(t)
	t.Cleanup(p.Close)
	return p
}

// upstream is a proxy of a host, which counts what it serves.
func upstream(t testing.TB) *egress.Proxy {
	t.Helper()
	p := must(egress.NewProxy(gate(t), egress.ProxyOptions{}))(t)
	t.Cleanup(func() { p.Close() })
	return p
}

// as is a client that shows a name and a password.
func as(t testing.TB, p *Proxy, name, password string) *http.Client {
	at := &url.URL{Scheme: "http", User: url.UserPassword(name, password), Host: p.proxy.Addr().String()}
	transport := &http.Transport{Proxy: http.ProxyURL(at), TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// get is the status and the body of an answer, or the error where a tunnel was refused.
func get(t testing.TB, c *http.Client, at string) string {
	t.Helper()
	res, err := c.Get(at)
	if err != nil {
		return err.(*url.Error).Err.Error()
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(res.StatusCode, " ", string(body))
}

// sites are one that speaks plainly and one that speaks TLS.
func sites(t testing.TB) (plain, secure string) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Proxy-Authorization") != "" {
			t.Error("a site was shown the password")
		}
		fmt.Fprint(w, "hello")
	})
	a, b := httptest.NewServer(h), httptest.NewTLSServer(h)
	t.Cleanup(func() { a.Close(); b.Close() })
	return a.URL, b.URL
}

// Who has the password is let through, to what the gate lets through.
func TestWhoIsLetThrough(t *testing.T) {
	t.Parallel()
	p := open(t, nil)
	plain, secure := sites(t)
	for _, row := range []struct{ name, password, at, want string }{
		{"auto", p.password, plain, "200 hello"},
		{"auto", p.password, secure, "200 hello"},
		{"", p.password, plain, "200 hello"},
		{"groups-RESIDENTIAL+DC,session-a_b~1.2", p.password, secure, "200 hello"},
		{"auto", "", plain, "407 the password is not that of a run that is executed here\n"},
		{"auto", p.password + "x", plain, "407 the password is not that of a run that is executed here\n"},
		{"auto", p.password[1:], secure, "Proxy Authentication Required"},
		{"country-DE", p.password, plain, "502 " + plain[len("http://"):] + " cannot be reached: no proxy of this host is in DE\n"},
		{"country-DE", p.password, secure, "Bad Gateway"},
		{"session-", p.password, plain, "407 the user name must be auto, or of the form groups-…,session-…,country-…: \"session-\" is no part of one\n"},
		{"auto,x-1", p.password, secure, "Proxy Authentication Required"},
		{"auto", p.password, "http://10.0.0.1/", "403 "},
		{"session-a", p.password, "https://192.168.1.1/", "Forbidden"},
		{"auto", p.password, "http://[::1]:4000/", "403 "},
		{"auto", p.password, "http://169.254.169.254/latest/", "403 "},
	} {
		if got := get(t, as(t, p, row.name, row.password), row.at); got != row.want && (len(row.want) > 4 || got[:4] != row.want) {
			t.Errorf("%s of %s: %s, want %s", row.at, row.name, got, row.want)
		}
	}
	for _, shown := range []string{"", "Basic !", "Bearer " + p.password} {
		if got := raw(t, p, plain, shown); got != http.StatusProxyAuthRequired {
			t.Errorf("%q: %d", shown, got)
		}
	}
}

// raw asks with a header that no client sends.
func raw(t testing.TB, p *Proxy, at, shown string) int {
	t.Helper()
	transport := &http.Transport{Proxy: http.ProxyURL(must(url.Parse(p.proxy.URL()))(t))}
	defer transport.CloseIdleConnections()
	r := must(http.NewRequestWithContext(t.Context(), "GET", at, nil))(t)
	if shown != "" {
		r.Header.Set("Proxy-Authorization", shown)
	}
	res := must(transport.RoundTrip(r))(t)
	res.Body.Close()
	return res.StatusCode
}

// A client asks at the proxy's own address whether it may use it.
func TestStatus(t *testing.T) {
	t.Parallel()
	p := open(t, nil)
	at := p.Env()["APIFY_PROXY_STATUS_URL"] + "/?format=json"
	for name, want := range map[string]string{
		"auto": `{"connected":true,"connectionError":null,"isManInTheMiddle":false}`, "session-1,groups-A": `{"connected":true,"connectionError":null,"isManInTheMiddle":false}`,
		"country-US_CA": `{"connected":false,"connectionError":"no proxy of this host is in US/CA","isManInTheMiddle":false}`,
	} {
		got := get(t, as(t, p, name, p.password), at)
		if got != "200 "+want+"\n" || !json.Valid([]byte(got[4:])) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if got := get(t, as(t, p, "auto", "x"), at); got[:4] != "407 " {
		t.Error(got)
	}
}

// The proxies of the host take turns, but those of a session, and of a place, stay.
func TestThroughAPool(t *testing.T) {
	t.Parallel()
	a, b, c := upstream(t), upstream(t), upstream(t)
	p := open(t, must(egress.NewPool([]string{a.URL() + "#country=DE", b.URL() + "#country=US&state=CA", c.URL() + "#country=US&state=CA"}))(t))
	plain, secure := sites(t)
	served := func(name string, sites ...string) (all [3]int64) {
		before := [3]int64{a.Stats().Requests, b.Stats().Requests, c.Stats().Requests}
		client := as(t, p, name, p.password)
		for range 3 {
			for _, at := range sites {
				if got := get(t, client, at); got != "200 hello" {
					t.Fatal(name, got)
				}
			}
			client.CloseIdleConnections()
		}
		for i, u := range []*egress.Proxy{a, b, c} {
			all[i] = u.Stats().Requests - before[i]
		}
		return all
	}
	if got := served("auto", plain); got != [3]int64{1, 1, 1} {
		t.Errorf("without a session: %v", got)
	}
	if got := served("country-DE", plain, secure); got != [3]int64{6, 0, 0} {
		t.Errorf("in a country: %v", got)
	}
	if got := served("country-us_ca", secure); got[0] != 0 || got[1] == 0 || got[2] == 0 {
		t.Errorf("in a state: %v", got)
	}
	used := map[[3]int64]bool{}
	for i := range 3 {
		got := served(fmt.Sprint("session-", i), plain, secure)
		if used[got] = true; max(got[0], got[1], got[2]) != 6 {
			t.Errorf("of a session: %v", got)
		}
	}
	if len(used) != 3 {
		t.Errorf("sessions do not take turns: %v", used)
	}
}

// Requests of one connection each go by the name that they show.
func TestNamesOfAConnection(t *testing.T) {
	t.Parallel()
	p := open(t, must(egress.NewPool([]string{upstream(t).URL(), upstream(t).URL() + "#country=DE"}))(t))
	plain, _ := sites(t)
	conn := must(net.Dial("tcp4", p.proxy.Addr().String()))(t)
	defer conn.Close()
	in := bufio.NewReader(conn)
	for _, row := range []struct {
		name, password string
		want           int
	}{{"country-DE", p.password, 200}, {"auto", p.password, 200}, {"session-1", p.password, 200}, {"country-DE", p.password, 200}, {"auto", "x", 407}} {
		r := must(http.NewRequestWithContext(t.Context(), "GET", plain, nil))(t)
		r.SetBasicAuth(row.name, row.password)
		r.Header["Proxy-Authorization"], r.Header["Authorization"] = r.Header["Authorization"], nil
		must(0, r.WriteProxy(conn))(t)
		res := must(http.ReadResponse(in, r))(t)
		must(io.Copy(io.Discard, res.Body))(t)
		if res.Body.Close(); res.StatusCode != row.want {
			t.Errorf("%s: %d", row.name, res.StatusCode)
		}
	}
}

// Sessions that were used longest ago are forgotten.
func TestSessionsAreBounded(t *testing.T) {
	t.Parallel()
	w := newWays(Options{Gate: gate(t)})
	first := must(w.of("session-first"))(t)
	for i := range mostSessions - 1 {
		must(w.of(fmt.Sprint("session-", i)))(t)
	}
	if must(w.of("session-first"))(t) != first {
		t.Error("forgotten too early")
	}
	second := must(w.of("session-0"))(t)
	must(w.of("session-new"))(t) // in the place of session-1
	must(w.of("session-other"))(t)
	if len(w.sessions) != mostSessions || w.order.Len() != mostSessions || must(w.of("session-0"))(t) != second || must(w.of("session-first"))(t) != first {
		t.Error(len(w.sessions))
	}
}

// Connections end with the proxy.
func TestTheEnd(t *testing.T) {
	t.Parallel()
	p := open(t, nil)
	l := must(net.Listen("tcp4", "127.0.0.1:0"))(t)
	defer l.Close()
	conn := must((&net.Dialer{}).DialContext(context.Background(), "tcp4", p.proxy.Addr().String()))(t)
	defer conn.Close()
	r := must(http.NewRequest("CONNECT", "http://"+l.Addr().String(), nil))(t)
	r.SetBasicAuth("auto", p.password)
	r.Header["Proxy-Authorization"] = r.Header["Authorization"]
	must(0, r.Write(conn))(t)
	site := must(l.Accept())(t)
	defer site.Close()
	p.Close()
	for _, end := range []net.Conn{conn, site} {
		if _, err := io.ReadAll(end); err != nil {
			t.Log(err) // reset is as good
		}
	}
	if c, err := net.Dial("tcp4", p.proxy.Addr().String()); err == nil {
		c.Close()
		t.Error("it still listens")
	}
	p.Close()
}

// Many use a proxy at the same time, also while it is closed.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	p := open(t, must(egress.NewPool([]string{upstream(t).URL(), upstream(t).URL()}))(t))
	plain, secure := sites(t)
	var all sync.WaitGroup
	var answers atomic.Int32
	closing := make(chan struct{})
	for i := range 8 {
		client := as(t, p, fmt.Sprintf("session-%d", i%3), p.password)
		all.Go(func() {
			for n := range 20 {
				got := get(t, client, []string{plain, secure}[n%2])
				if answers.Add(1) == 40 {
					close(closing)
				}
				select {
				case <-closing: // it may be cut off
				default:
					if got != "200 hello" {
						t.Error(got)
					}
				}
			}
		})
	}
	<-closing
	p.Close()
	all.Wait()
}
