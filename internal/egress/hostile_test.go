package egress

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// hostile accepts connections, sends the bytes of one answer after each read,
// and then holds the connection, or closes it where an answer is "close".
func hostile(t testing.TB, answers ...string) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			play(conn, answers)
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

func play(conn net.Conn, answers []string) {
	defer conn.Close()
	buf := make([]byte, 4096)
	for _, a := range answers {
		if _, err := conn.Read(buf); err != nil || a == "close" {
			return
		}
		io.WriteString(conn, a)
	}
	io.Copy(io.Discard, conn)
}

var hostileAnswers = map[string]struct {
	scheme  string
	answers []string
	kind    errtypes.Kind
	want    string
}{
	"http wants a log-in":        {"http", []string{"HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n"}, errtypes.BadGateway, "wants a user name and a password, or does not take the ones it has got (407)"},
	"http bad gateway":           {"http", []string{"HTTP/1.1 502 Bad Gateway\r\n\r\n"}, errtypes.BadGateway, "could not connect to the server (502)"},
	"http unavailable":           {"http", []string{"HTTP/1.0 503 x\r\n\r\n"}, errtypes.BadGateway, "could not connect to the server (503)"},
	"http gateway timeout":       {"http", []string{"HTTP/1.1 504 x\r\n\r\n"}, errtypes.GatewayTimeout, "in time (504)"},
	"http forbidden":             {"http", []string{"HTTP/1.1 403 x\r\n\r\n"}, errtypes.BadGateway, "refuses to connect to the server (403)"},
	"http redirects":             {"http", []string{"HTTP/1.1 302 x\r\nLocation: http://10.0.0.1/\r\n\r\n"}, errtypes.BadGateway, "could not connect to the server (302)"},
	"http closes":                {"http", []string{"close"}, errtypes.BadGateway, "sent no answer that can be read"},
	"http cut off":               {"http", []string{"HTTP/1.1 200 OK\r\nX", "close"}, errtypes.GatewayTimeout, "did not answer in time"},
	"http is no http":            {"http", []string{"SSH-2.0-OpenSSH\r\n\r\n"}, errtypes.BadGateway, "sent no answer that can be read"},
	"http zero status":           {"http", []string{"HTTP/1.1 000 x\r\n\r\n"}, errtypes.BadGateway, "sent no answer that can be read"},
	"http huge status":           {"http", []string{"HTTP/1.1 2000 x\r\n\r\n"}, errtypes.BadGateway, "sent no answer that can be read"},
	"http negative status":       {"http", []string{"HTTP/1.1 -200 x\r\n\r\n"}, errtypes.BadGateway, "sent no answer that can be read"},
	"http endless head":          {"http", []string{"HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 20<<10)}, errtypes.BadGateway, "sent no answer that can be read"},
	"http endless line":          {"http", []string{strings.Repeat("x", 100<<10)}, errtypes.BadGateway, "sent no answer that can be read"},
	"http only hints":            {"http", []string{strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 50)}, errtypes.BadGateway, "sent no answer that can be read"},
	"http hangs":                 {"http", []string{""}, errtypes.GatewayTimeout, "did not answer in time"},
	"https is plain":             {"https", []string{"HTTP/1.1 200 OK\r\n\r\n"}, errtypes.BadGateway, "its TLS handshake failed"},
	"https hangs":                {"https", []string{""}, errtypes.GatewayTimeout, "did not answer in time"},
	"https closes":               {"https", []string{"close"}, errtypes.BadGateway, "its TLS handshake failed"},
	"socks takes no method":      {"socks5", []string{"\x05\xff"}, errtypes.BadGateway, "wants a user name"},
	"socks wants a log-in":       {"socks5", []string{"\x05\x02"}, errtypes.BadGateway, "sent no SOCKS5 answer"},
	"socks wants GSSAPI":         {"socks5", []string{"\x05\x01"}, errtypes.BadGateway, "sent no SOCKS5 answer"},
	"socks 4":                    {"socks5", []string{"\x04\x00"}, errtypes.BadGateway, "sent no SOCKS5 answer"},
	"socks is http":              {"socks5", []string{"HTTP/1.1 400 Bad Request\r\n\r\n"}, errtypes.BadGateway, "sent no SOCKS5 answer"},
	"socks closes at once":       {"socks5", []string{"close"}, errtypes.BadGateway, "sent no SOCKS5 answer"},
	"socks closes later":         {"socks5", []string{"\x05\x00", "close"}, errtypes.BadGateway, "sent no SOCKS5 answer"},
	"socks hangs at once":        {"socks5", []string{""}, errtypes.GatewayTimeout, "did not answer in time"},
	"socks hangs later":          {"socks5", []string{"\x05\x00", ""}, errtypes.GatewayTimeout, "did not answer in time"},
	"socks half a reply":         {"socks5", []string{"\x05\x00", "\x05\x00\x00\x03\xffx"}, errtypes.GatewayTimeout, "did not answer in time"},
	"socks refuses the log-in":   {"socks5 login", []string{"\x05\x02", "\x01\x01"}, errtypes.BadGateway, "does not take the ones it has got"},
	"socks log-in of version 5":  {"socks5 login", []string{"\x05\x02", "\x05\x00"}, errtypes.BadGateway, "sent no SOCKS5 answer"},
	"socks hangs at the log-in":  {"socks5 login", []string{"\x05\x02", ""}, errtypes.GatewayTimeout, "did not answer in time"},
	"socks not allowed":          {"socks5", []string{"\x05\x00", "\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00"}, errtypes.BadGateway, "refuses to connect to the server (SOCKS reply 2)"},
	"socks unreachable":          {"socks5", []string{"\x05\x00", "\x05\x04\x00\x00"}, errtypes.BadGateway, "cannot reach the server (SOCKS reply 4)"},
	"socks refused":              {"socks5", []string{"\x05\x00", "\x05\x05\x00\x01"}, errtypes.BadGateway, "was refused the connection by the server (SOCKS reply 5)"},
	"socks time-out":             {"socks5", []string{"\x05\x00", "\x05\x06\x00\x01"}, errtypes.GatewayTimeout, "in time (SOCKS reply 6)"},
	"socks unknown reply":        {"socks5", []string{"\x05\x00", "\x05\xfe\x00\x01"}, errtypes.BadGateway, "failed (SOCKS reply 254)"},
	"socks unknown address":      {"socks5", []string{"\x05\x00", "\x05\x00\x00\x09\x00\x00"}, errtypes.BadGateway, "sent no SOCKS5 answer"},
	"socks reply of version 4":   {"socks5", []string{"\x05\x00", "\x00\x5a\x00\x01\x00\x00\x00\x00\x00\x00"}, errtypes.BadGateway, "sent no SOCKS5 answer"},
	"unreachable":                {"unreachable", nil, errtypes.BadGateway, "cannot be reached"},
	"http refuses plain request": {"plain", []string{"HTTP/1.1 407 x\r\nProxy-Authenticate: Basic realm=\"give it to me\"\r\n\r\n"}, errtypes.BadGateway, "wants a user name"},
}

// hostileUpstream returns the upstream of a row, and the request that a client
// of the proxy makes.
func hostileUpstream(t *testing.T, scheme string, answers []string) (*Upstream, string) {
	t.Helper()
	request, login := "CONNECT site.example:443 HTTP/1.1\r\n\r\n", ""
	addr := ""
	switch scheme {
	case "unreachable":
		scheme, addr = "http", closedPort(t)
	case "plain":
		scheme, request = "http", "GET http://site.example/ HTTP/1.1\r\n\r\n"
	case "socks5 login":
		scheme, login = "socks5", "hideme:s3cr3t@"
	}
	if addr == "" {
		addr = hostile(t, answers...)
	}
	u, err := ParseUpstream(scheme + "://" + login + addr)
	if err != nil {
		t.Fatal(err)
	}
	return &u, request
}

func TestHostileUpstreams(t *testing.T) {
	for name, c := range hostileAnswers {
		t.Run(name, func(t *testing.T) {
			up, request := hostileUpstream(t, c.scheme, c.answers)
			hands := clock.NewManual(time.Unix(0, 0))
			g := newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.1/32"), Clock: hands, Resolver: newDNSServer(t, nil).resolver()})
			failed := make(chan error, 1)
			p := startProxy(t, g, ProxyOptions{OnFailed: func(target string, err error) { failed <- err }})
			p.Use(Policy{Routes: []Route{{Upstream: up}}})
			if c.kind == errtypes.GatewayTimeout && strings.Contains(c.want, "did not answer") {
				go func() { hands.WaitForTimers(1); hands.Advance(20 * time.Second) }()
			}
			answer := speak(t, p, request)
			err := <-failed
			if pub := errtypes.Public(err); pub.Kind != c.kind || !strings.HasPrefix(pub.Message, "the proxy "+up.String()+" ") || !strings.Contains(pub.Message, c.want) {
				t.Errorf("told %s %v, want %s and %q", pub.Kind, err, c.kind, c.want)
			}
			if !strings.HasPrefix(answer, "HTTP/1.1 502 ") || !strings.Contains(answer, c.want) || strings.Contains(answer, "Proxy-Authenticate") {
				t.Errorf("answered %q", answer)
			}
			if strings.Contains(answer, up.addr()) || !strings.Contains(answer, "the session's upstream proxy ") || !strings.Contains(err.Error(), up.addr()) {
				t.Errorf("a page may read %q, the log says %v", answer, err)
			}
			if strings.Contains(answer+err.Error(), "s3cr3t") || strings.Contains(answer+err.Error(), "hideme") {
				t.Errorf("credentials are shown: %v, %q", err, answer)
			}
			if s := p.Stats(); s.Failed != 1 || s.Refused != 0 {
				t.Errorf("counted %+v", s)
			}
		})
	}
}

// What follows the head of a proxy's answer is the server's.
func TestBytesBehindTheAnswerOfAnUpstreamAreTheServers(t *testing.T) {
	up, err := ParseUpstream("http://" + hostile(t, "HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n220 hello"))
	if err != nil {
		t.Fatal(err)
	}
	g := newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.1/32"), Resolver: newDNSServer(t, nil).resolver()})
	p := startProxy(t, g, ProxyOptions{})
	p.Use(Policy{Routes: []Route{{Upstream: &up}}})
	conn := tunnelTo(t, p, "mail.example:443")
	got := make([]byte, 9)
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != "220 hello" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestCloseEndsAnUpstreamThatHangs(t *testing.T) {
	up, err := ParseUpstream("socks5://" + hostile(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	hands := clock.NewManual(time.Unix(0, 0))
	g := newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.1/32"), Clock: hands})
	p := startProxy(t, g, ProxyOptions{})
	p.Use(Policy{Routes: []Route{{Upstream: &up}}})
	conn := connectTo(t, p)
	io.WriteString(conn, "CONNECT 8.8.8.8:443 HTTP/1.1\r\n\r\n")
	hands.WaitForTimers(1)
	p.Close()

	ctx, cancel := context.WithCancel(t.Context())
	go func() { hands.WaitForTimers(1); cancel() }()
	_, err = g.Dialer(Policy{Routes: []Route{{Upstream: &up}}}).DialContext(ctx, "tcp", "8.8.8.8:443")
	if !errtypes.Is(err, errtypes.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestAnEmptyUpstreamReachesNothing(t *testing.T) {
	d := testGate(t, "127.0.0.0/8").Dialer(Policy{Routes: []Route{{Upstream: &Upstream{}}}})
	if conn, err := d.DialContext(t.Context(), "tcp", closedPort(t)); err == nil || !strings.Contains(err.Error(), "empty Upstream") {
		t.Error(conn, err)
	}
}

func FuzzReadSOCKSReply(f *testing.F) {
	f.Add([]byte("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x50rest"))
	f.Add([]byte("\x05\x00\x00\x03\x04here\x00\x50rest"))
	f.Add([]byte("\x05\x04\x00\x00"))
	f.Fuzz(func(t *testing.T, reply []byte) {
		in := bytes.NewReader(reply)
		code, err := readSOCKSReply(iotest.OneByteReader(in))
		read := len(reply) - in.Len()
		switch {
		case err != nil:
		case code != 0 && read != 4:
			t.Fatalf("read %d bytes of a refusal", read)
		case code == 0 && read != replyLength(reply):
			t.Fatalf("read %d bytes of %q, which is %d long", read, reply, replyLength(reply))
		}
	})
}

func replyLength(reply []byte) int {
	switch reply[3] {
	case socksIPv4:
		return 10
	case socksIPv6:
		return 22
	}
	return 7 + int(reply[4])
}

func FuzzReadConnectStatus(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\n\r\nrest"))
	f.Add([]byte("HTTP/1.1 103 Hints\r\nA: b\r\n\r\nHTTP/1.0 407 x\n\n"))
	f.Fuzz(func(t *testing.T, answer []byte) {
		status, err := readConnectStatus(bufio.NewReader(bytes.NewReader(answer)))
		if err == nil && (status < 200 || status > 599) {
			t.Fatalf("%q gives %d", answer, status)
		}
	})
}
