package egress

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

func TestFraming(t *testing.T) {
	for head, want := range map[string]int64{ // -1: refused, -2: to its server only
		"":                       0,
		"Accept: */*\r\n":        0,
		"Content-Length: 12\r\n": 12,
		"content-length:12\r\n":  12,
		"Content-Length: 12\r\nContent-Length: 12\r\n":                 -1,
		"Content-Length: 12\r\nTransfer-Encoding: chunked\r\n":         -1,
		"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n": -1,
		"Transfer-Encoding: gzip, chunked\r\n":                         -1,
		"Transfer-Encoding: chunked,\r\n":                              -1,
		"Accept: a\r\n b\r\n":                                          -1,
		" Accept: a\r\n":                                               -1,
		": a\r\n":                                                      -1,
		"A(b): a\r\n":                                                  -1,
		"Content-Length: +12\r\n":                                      -1,
		"Content-Length: 12, 12\r\n":                                   -1,
		"Content-Length: -1\r\n":                                       -1,
		"Content-Length: 0x1\r\n":                                      -1,
		"Content-Length:\r\n":                                          -1,
		"Content-Length: 9223372036854775808\r\n":                      -1,
		"Content-Length : 12\r\n":                                      -1,
		"Transfer-Encoding: chunked\r\n":                               -2,
		"transfer-encoding:\tidentity\r\n":                             -1,
		"X: y\rTransfer-Encoding: chunked\r\n":                         -1,
		"X: y\x00\r\n":                                                 -1,
		"no colon\r\n":                                                 -1,
		"Connection: upgrade\r\nUpgrade: x\r\n":                        -2,
	} {
		req, err := readPlainRequest("POST", "http://h/", "HTTP/1.1", head+"\r\n")
		got := int64(-1)
		if err == nil {
			got = req.body.length
		}
		if err == nil && !req.plain {
			got = -2
		}
		if got != want || want == -1 && !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%q: %d, %v, want %d", head, got, err, want)
		}
	}
	if _, err := readPlainRequest("GET", "http://h/\rX", "HTTP/1.1", "\r\n"); err == nil {
		t.Error("a path that ends a line is taken")
	}
}

// answered refuses a request, and returns all that was sent before the end of the
// connection. The answer waits for the question: a proxy may take one that comes
// before for a fault.
func answered(conn net.Conn) string {
	var all strings.Builder
	r := io.TeeReader(conn, &all)
	if req, err := http.ReadRequest(bufio.NewReader(r)); err == nil {
		io.Copy(io.Discard, req.Body)
		io.WriteString(conn, "HTTP/1.1 403 x\r\nConnection: close\r\n\r\n")
		conn.(*net.TCPConn).CloseWrite()
	}
	io.Copy(io.Discard, r)
	return all.String()
}

// What comes behind a request never reaches a proxy, which would take it for
// another one.
func TestNothingFollowsARequestToAProxy(t *testing.T) {
	const second = "GET http://10.0.0.1/secret HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n"
	for name, raw := range map[string]string{
		"pipelined":            "GET http://8.8.8.8/ HTTP/1.1\r\n\r\n" + second,
		"behind a body":        "POST http://8.8.8.8/ HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody" + second,
		"refused: two lengths": "POST http://8.8.8.8/ HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 60\r\n\r\n" + second,
		"refused: chunked":     "POST http://8.8.8.8/ HTTP/1.1\r\nContent-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + second,
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		wanted := !strings.HasPrefix(name, "refused")
		got := make(chan string, 1)
		go func() {
			conn, err := l.Accept()
			if err != nil {
				got <- err.Error()
				return
			}
			defer conn.Close()
			got <- answered(conn)
		}()
		up, err := ParseUpstream("http://" + l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		p := startProxy(t, newGate(t, Options{AllowPrefixes: parsePrefixes("127.0.0.1/32")}), ProxyOptions{})
		p.Use(Policy{Routes: []Route{{Upstream: &up}}})
		speak(t, p, raw)
		p.Close()
		l.Close()
		if text := <-got; strings.Contains(text, "10.0.0.1") || strings.Contains(text, "8.8.8.8") != wanted {
			t.Errorf("%s: the proxy was sent\n%q", name, text)
		}
	}
}
