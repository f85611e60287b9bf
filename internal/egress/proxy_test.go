package egress

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/internal/clock"
)

func startProxy(t testing.TB, g *Gate, o ProxyOptions) *Proxy {
	t.Helper()
	o.Logger = slog.New(slog.DiscardHandler)
	p, err := NewProxy(g, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// through returns a client that sends everything through the proxy.
func through(t testing.TB, p *Proxy, server *httptest.Server) *http.Client {
	t.Helper()
	proxyURL, err := url.Parse(p.URL())
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{Proxy: http.ProxyURL(proxyURL)}
	if server != nil && server.TLS != nil {
		transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// speak sends raw bytes to the proxy and returns all that comes back.
func speak(t testing.TB, p *Proxy, raw string) string {
	t.Helper()
	conn := connectTo(t, p)
	io.WriteString(conn, raw)
	conn.(*net.TCPConn).CloseWrite()
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

func connectTo(t testing.TB, p *Proxy) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", p.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func body(t testing.TB, resp *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func echo(w http.ResponseWriter, r *http.Request) {
	content, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s %s %s", r.Method, r.Host, r.RequestURI, content)
}

func TestProxyCarriesHTTPAndHTTPS(t *testing.T) {
	for name, start := range map[string]func(http.Handler) *httptest.Server{"http": httptest.NewServer, "https": httptest.NewTLSServer} {
		t.Run(name, func(t *testing.T) {
			server := start(http.HandlerFunc(echo))
			defer server.Close()
			p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
			client := through(t, p, server)
			host := strings.TrimPrefix(server.URL, name+"://")
			resp, err := client.Get(server.URL + "/a?b=c")
			if got, want := body(t, resp, err), "GET "+host+" /a?b=c "; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
			large := strings.Repeat("x", 1<<20)
			resp, err = client.Post(server.URL+"/p", "text/plain", struct{ io.Reader }{strings.NewReader(large)}) // chunked
			if got, want := body(t, resp, err), "POST "+host+" /p "+large; got != want {
				t.Errorf("a large body came back as %d bytes", len(got))
			}
			client.CloseIdleConnections()
			p.Close()
			s := p.Stats()
			if s.Sent < 1<<20 || s.Received < 1<<20 || s.Requests == 0 || s.Failed+s.Refused+s.TurnedAway != 0 {
				t.Errorf("counted %+v", s)
			}
		})
	}
}

func TestProxyRefuses(t *testing.T) {
	server := greet(t, "127.0.0.1:0")
	var mu sync.Mutex
	var refusals []Refusal
	p := startProxy(t, testGate(t), ProxyOptions{OnRefused: func(r Refusal) {
		mu.Lock()
		defer mu.Unlock()
		refusals = append(refusals, r)
	}})
	requests := []string{
		"GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
		"GET http://0x7f.1:PORT/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
		"GET http://[::ffff:127.0.0.1]:PORT/ HTTP/1.1\r\nHost: example.com\r\n\r\n",
		"POST http://localhost:PORT/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc",
		"CONNECT 127.0.0.1:PORT HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
		"CONNECT 2130706433:PORT HTTP/1.1\r\n\r\n",
		"CONNECT [::1]:PORT HTTP/1.1\r\n\r\n",
		"CONNECT 169.254.169.254:80 HTTP/1.1\r\n\r\n",
		"CONNECT 8.8.8.8:25 HTTP/1.1\r\n\r\n",
		"GET http://8.8.8.8:6667/ HTTP/1.1\r\n\r\n",
	}
	for _, raw := range requests {
		answer := speak(t, p, strings.ReplaceAll(raw, "PORT", server.port()))
		if !strings.HasPrefix(answer, "HTTP/1.1 403 Forbidden\r\n") || !strings.Contains(answer, "\r\nX-Drover-Refused: ") || !strings.Contains(answer, "is refused: ") {
			t.Errorf("%q: %q", raw, answer)
		}
	}
	if n := server.visits.Load(); n != 0 {
		t.Errorf("the server had %d visits", n)
	}
	mu.Lock()
	defer mu.Unlock()
	if n := len(refusals); n != len(requests) || p.Stats().Refused != int64(n) {
		t.Errorf("%d refusals were told and %d counted of %d", n, p.Stats().Refused, len(requests))
	}
	if r := refusals[0]; r.Target != "127.0.0.1:"+server.port() || refusedClass(t, r.Err) != ClassLoopback {
		t.Errorf("the first refusal was told as %+v", r)
	}
}

func TestProxyRefusesWhereARedirectLeads(t *testing.T) {
	private := greet(t, "127.0.0.1:0")
	server := newServerOn(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1:"+private.port()+"/", http.StatusFound)
	})
	p := startProxy(t, testGate(t, "127.0.0.2/32"), ProxyOptions{})
	client := through(t, p, nil)
	client.CheckRedirect = nil
	resp, err := client.Get(server.URL)
	if text := body(t, resp, err); resp.StatusCode != 403 || resp.Header.Get(RefusedHeader) == "" {
		t.Errorf("%d %s", resp.StatusCode, text)
	}
	if n := private.visits.Load(); n != 0 {
		t.Errorf("the private server had %d visits", n)
	}
}

func newServerOn(t testing.TB, addr string, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(handler)
	s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// What a browser would show as a page is no answer; who only gets a tunnel, and
// who would do something twice, is told.
func TestProxyEndsOnFailure(t *testing.T) {
	told := make(chan string, 1)
	garbage := newTalkative(t, map[string]string{"/": "SSH-2.0\r\n\r\n"})
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{EndOnFailure: true, OnFailed: func(target string, _ error) { told <- target }})
	closed := closedPort(t)
	for raw, want := range map[string]string{
		"GET http://" + closed + "/ HTTP/1.1\r\n\r\n":                             "",
		"HEAD http://" + closed + "/ HTTP/1.1\r\n\r\n":                            "",
		"GET http://" + garbage.addr + "/ HTTP/1.1\r\n\r\n":                       "",
		"POST http://" + closed + "/ HTTP/1.1\r\nContent-Length: 1\r\n\r\nx":      "HTTP/1.1 502 ",
		"POST http://" + garbage.addr + "/ HTTP/1.1\r\nContent-Length: 0\r\n\r\n": "HTTP/1.1 502 ",
		"CONNECT " + closed + " HTTP/1.1\r\n\r\n":                                 "HTTP/1.1 502 ",
		"GET http://10.0.0.1/ HTTP/1.1\r\n\r\n":                                   "HTTP/1.1 403 ",
	} {
		if answer := speak(t, p, raw); !strings.HasPrefix(answer, want) || want == "" && answer != "" {
			t.Errorf("%q: %q, want %q", raw, answer, want)
		}
		if !strings.Contains(want, "403") && <-told == "" {
			t.Errorf("%q: nobody was told", raw)
		}
	}
}

// A page is not told where a proxy is that the gate refuses; the log is.
func TestProxyHidesARefusedUpstream(t *testing.T) {
	up, err := ParseUpstream("http://me:s3cr3t@inside.example:3128")
	if err != nil {
		t.Fatal(err)
	}
	dns := newDNSServer(t, map[string][][]netip.Addr{"inside.example.": {addrs("10.1.2.3")}})
	var logged string
	p := startProxy(t, newGate(t, Options{Resolver: dns.resolver()}), ProxyOptions{OnRefused: func(r Refusal) { logged = r.Err.Error() }})
	p.Use(Policy{Routes: []Route{{Upstream: &up}}})
	for _, raw := range []string{"GET http://8.8.8.8/ HTTP/1.1\r\n\r\n", "CONNECT 8.8.8.8:443 HTTP/1.1\r\n\r\n"} {
		answer := speak(t, p, raw)
		if !strings.HasPrefix(answer, "HTTP/1.1 403 ") || !strings.Contains(answer, "the session's upstream proxy is refused") ||
			strings.Contains(answer, "inside.example") || strings.Contains(answer, "10.1.2.3") {
			t.Errorf("answered %q", answer)
		}
		if !strings.Contains(logged, "inside.example is 10.1.2.3") || strings.Contains(logged, "s3cr3t") {
			t.Errorf("logged %q", logged)
		}
	}
}

func TestProxyTellsThatAServerFails(t *testing.T) {
	dns := newDNSServer(t, nil)
	var told []string
	p := startProxy(t, newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.0/8"), Resolver: dns.resolver()}),
		ProxyOptions{OnFailed: func(target string, _ error) { told = append(told, target) }})
	closed := closedPort(t)
	for raw, want := range map[string]string{
		"CONNECT " + closed + " HTTP/1.1\r\n\r\n":                 closed + " cannot be reached",
		"GET http://" + closed + "/ HTTP/1.1\r\n\r\n":             closed + " cannot be reached",
		"CONNECT unknown.example:443 HTTP/1.1\r\n\r\n":            "the name is not known",
		"GET http://unknown.example/ HTTP/1.1\r\nHost: x\r\n\r\n": "the name is not known",
	} {
		answer := speak(t, p, raw)
		if !strings.HasPrefix(answer, "HTTP/1.1 502 ") || !strings.Contains(answer, want) || strings.Contains(answer, RefusedHeader) {
			t.Errorf("%q: %q", raw, answer)
		}
	}
	p.Close()
	if len(told) != 4 || p.Stats().Failed != 4 {
		t.Errorf("told %q, counted %d", told, p.Stats().Failed)
	}
}

func TestProxyRefusesRequestsItDoesNotUnderstand(t *testing.T) {
	p := startProxy(t, testGate(t, "127.0.0.0/8"), ProxyOptions{MaxHeadBytes: 8 << 10})
	for raw, want := range map[string]string{
		"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n":                                       "400 Bad Request",
		"GET https://127.0.0.1/ HTTP/1.1\r\n\r\n":                                         "400 Bad Request",
		"GET ftp://127.0.0.1/ HTTP/1.1\r\n\r\n":                                           "400 Bad Request",
		"GET http://u:p@127.0.0.1/ HTTP/1.1\r\n\r\n":                                      "user name",
		"GET http:///x HTTP/1.1\r\n\r\n":                                                  "has no host",
		`GET http://a\b/x HTTP/1.1` + "\r\n\r\n":                                          "the character",
		"CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n":                                              "has no port",
		"CONNECT 127.0.0.1:http HTTP/1.1\r\n\r\n":                                         "not a number",
		"CONNECT 127.0.0.1:65536 HTTP/1.1\r\n\r\n":                                        "above 65535",
		"CONNECT a..b:80 HTTP/1.1\r\n\r\n":                                                "empty label",
		"CONNECT u@127.0.0.1:80 HTTP/1.1\r\n\r\n":                                         "user name",
		"CONNECT http://127.0.0.1/ HTTP/1.1\r\n\r\n":                                      "400 Bad Request",
		"GET http://127.0.0.1/\r\n\r\n":                                                   "400 Bad Request",
		"GET http://127.0.0.1/ HTTP/2.0\r\n\r\n":                                          "400 Bad Request",
		"\r\n\r\n":                                                                        "400 Bad Request",
		"\x16\x03\x01\x00\xa5\n\n":                                                        "400 Bad Request",
		"GET http://127.0.0.1/ HTTP/1.1\r\nX: " + strings.Repeat("x", 8<<10) + "\r\n\r\n": "431 ",
		"GET http://127.0.0.1/ HTTP/1.1\r\n" + strings.Repeat("X: y\r\n", 2<<10) + "\r\n": "431 ",
		"GET http://127.0.0.1/ HTTP/1.1\r\nX: y\r\n":                                      "", // it never ends
		"": "",
	} {
		if answer := speak(t, p, raw); !strings.Contains(answer, want) || (want == "" && answer != "") {
			t.Errorf("%.60q: %q, want %q in it", raw, answer, want)
		}
	}
}

// rawServer answers each connection with fixed bytes and keeps what it got of
// the first head.
func rawServer(t testing.TB, answer string) (addr string, head func() string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	heads := make(chan string, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		got, _ := readHead(in, 1<<20)
		heads <- string(got)
		io.WriteString(conn, answer)
		conn.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, in)
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String(), func() string { return <-heads }
}

func TestProxyPassesOnWhatIsNotHopByHop(t *testing.T) {
	addr, head := rawServer(t, "HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n\r\n"+
		"HTTP/1.1 200 Fine\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=5\r\nX-Hop: 1\r\nX-Drover-Refused: a loopback address\r\n"+
		"Proxy-Authenticate: Basic\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nok")
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	answer := speak(t, p, "GET HTTP://"+addr+"/a|b%zz%2f?c=%&d='\" HTTP/1.1\r\nHost: other.example\r\nProxy-Connection: keep-alive\r\n"+
		"Proxy-Authorization: Basic c2VjcmV0\r\nConnection: close, X-Mine\r\nX-Mine: 1\r\nAccept: text/html, application/xml \r\nKeep-Alive: 1\r\nTE: trailers\r\n\r\n")
	wantHead := "GET /a|b%zz%2f?c=%&d='\" HTTP/1.1\r\nHost: " + addr + "\r\nAccept: text/html, application/xml\r\nTE: trailers\r\nConnection: close\r\n\r\n"
	if got := head(); got != wantHead {
		t.Errorf("the server got\n%q, want\n%q", got, wantHead)
	}
	want := "HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n\r\n" +
		"HTTP/1.1 200 Fine\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
	if answer != want {
		t.Errorf("the client got\n%q, want\n%q", answer, want)
	}
}

func TestProxyAnswersForAServerThatTalksNonsense(t *testing.T) {
	for name, answer := range map[string]string{
		"nothing":  "",
		"cut off":  "HTTP/1.1 200 OK\r\nContent-",
		"too long": "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 300<<10) + "\r\n\r\n",
		"no end":   strings.Repeat("\x00", 300<<10),
	} {
		addr, _ := rawServer(t, answer)
		p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
		if got := speak(t, p, "GET http://"+addr+"/ HTTP/1.1\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 502 ") {
			t.Errorf("%s: %.100q", name, got)
		}
	}
}

func TestProxyCarriesWebsockets(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer c.CloseNow()
		for {
			kind, msg, err := c.Read(r.Context())
			if err != nil || c.Write(r.Context(), kind, bytes.ToUpper(msg)) != nil {
				return
			}
		}
	}))
	defer server.Close()
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	host := strings.TrimPrefix(server.URL, "http://")

	t.Run("upgrade", func(t *testing.T) { // a ws: URL as an absolute http one
		chat(t, "ws://"+host, through(t, p, nil))
	})
	t.Run("CONNECT", func(t *testing.T) { // as browsers do
		client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			conn := connectTo(t, p)
			fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", host, host)
			head, err := readHead(bufio.NewReaderSize(conn, 16), 1<<10)
			if err != nil || !strings.HasPrefix(string(head), "HTTP/1.1 200 ") {
				return nil, fmt.Errorf("CONNECT: %q, %v", head, err)
			}
			return conn, nil
		}}}
		chat(t, "ws://"+host, client)
	})
}

func chat(t *testing.T, url string, client *http.Client) {
	t.Helper()
	c, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	defer c.CloseNow()
	for _, msg := range []string{"one", "two"} {
		if err := c.Write(t.Context(), websocket.MessageText, []byte(msg)); err != nil {
			t.Fatal(err)
		}
		if _, got, err := c.Read(t.Context()); err != nil || string(got) != strings.ToUpper(msg) {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	c.Close(websocket.StatusNormalClosure, "")
}

// tunnelTo opens a tunnel and returns the client's end.
func tunnelTo(t testing.TB, p *Proxy, addr string) net.Conn {
	t.Helper()
	conn := connectTo(t, p)
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\n\r\n", addr)
	want := "HTTP/1.1 200 Connection Established\r\n\r\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != want {
		t.Fatalf("CONNECT: %q, %v", got, err)
	}
	return conn
}

// silentServer accepts and says nothing; ended is closed when its one client is gone.
func silentServer(t testing.TB) (addr string, ended chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		io.Copy(io.Discard, conn)
	}()
	t.Cleanup(func() { l.Close(); <-ended })
	return l.Addr().String(), ended
}

func TestATunnelHalfClosed(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() { // answers only once the client has said that it is done
		conn, err := l.Accept()
		if err != nil {
			return
		}
		all, _ := io.ReadAll(conn)
		slices.Reverse(all)
		conn.Write(all)
		conn.Close()
	}()
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	conn := tunnelTo(t, p, l.Addr().String())
	io.WriteString(conn, "abc")
	conn.(*net.TCPConn).CloseWrite()
	if got, err := io.ReadAll(conn); err != nil || string(got) != "cba" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAnIdleTunnelEnds(t *testing.T) {
	addr, ended := silentServer(t)
	hands := clock.NewManual(time.Unix(0, 0))
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{Clock: hands})
	conn := tunnelTo(t, p, addr)
	hands.WaitForTimers(1)
	hands.Advance(4 * time.Minute)
	io.WriteString(conn, "x")
	waitFor(func() bool { return p.Stats().Sent == 1 })
	hands.Advance(4 * time.Minute) // the timer is due, the tunnel is not
	hands.WaitForTimers(1)
	select {
	case <-ended:
		t.Fatal("a tunnel in use was ended")
	default:
	}
	waitFor(func() bool { // the relay may note the byte it has relayed at any time
		hands.Advance(5 * time.Minute)
		select {
		case <-ended:
			return true
		default:
			return false
		}
	})
	if _, err := io.ReadAll(conn); err != nil && !errors.Is(err, net.ErrClosed) && !strings.Contains(err.Error(), "reset") {
		t.Errorf("the client's end: %v", err)
	}
}

// waitFor yields until done; there is no signal for a counter.
func waitFor(done func() bool) {
	for !done() {
		runtime.Gosched()
	}
}

func TestASlowHeadEnds(t *testing.T) {
	p := startProxy(t, testGate(t), ProxyOptions{HeadTimeout: 20 * time.Millisecond})
	conn := connectTo(t, p)
	io.WriteString(conn, "GET http://exa")
	if got, err := io.ReadAll(conn); err != nil || len(got) != 0 {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestTooManyConnectionsAreTurnedAway(t *testing.T) {
	addr, _ := silentServer(t)
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{MaxConns: 1})
	first := tunnelTo(t, p, addr)
	if got := speak(t, p, "CONNECT "+addr+" HTTP/1.1\r\n\r\n"); got != "" {
		t.Errorf("a second connection was answered %q", got)
	}
	if n := p.Stats().TurnedAway; n != 1 {
		t.Errorf("%d turned away", n)
	}
	first.Close()
	waitFor(func() bool { p.mu.Lock(); defer p.mu.Unlock(); return p.active == 0 })
	if got := speak(t, p, "CONNECT 10.0.0.1:80 HTTP/1.1\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 403 ") {
		t.Errorf("after the first has gone: %q", got)
	}
}

func TestCloseEndsEverything(t *testing.T) {
	addr, ended := silentServer(t)
	p := startProxy(t, testGate(t, "127.0.0.0/8"), ProxyOptions{})
	tunnel := tunnelTo(t, p, addr)
	waiting := connectTo(t, p) // has not asked yet
	waitFor(func() bool { p.mu.Lock(); defer p.mu.Unlock(); return p.active == 2 })
	var closers sync.WaitGroup
	for range 3 {
		closers.Go(func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	closers.Wait()
	<-ended
	for _, conn := range []net.Conn{tunnel, waiting} {
		if n, err := conn.Read(make([]byte, 1)); n != 0 || err == nil {
			t.Errorf("read %d bytes, %v", n, err)
		}
	}
	if conn, err := net.Dial("tcp", p.Addr().String()); err == nil {
		conn.Close()
		t.Error("the proxy still listens")
	}
	if p.conns != nil || p.active != 0 {
		t.Errorf("%d connections are left", len(p.conns))
	}
}

func TestCloseEndsALookUp(t *testing.T) {
	asked := make(chan struct{})
	g := newGate(t, Options{Resolver: stuck{asked}})
	p := startProxy(t, g, ProxyOptions{})
	conn := connectTo(t, p)
	io.WriteString(conn, "CONNECT slow.example:443 HTTP/1.1\r\n\r\n")
	<-asked
	p.Close()
}

// stuck is a resolver that answers only when it is told to stop.
type stuck struct{ asked chan struct{} }

func (s stuck) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) {
	close(s.asked)
	<-ctx.Done()
	return nil, ctx.Err()
}
