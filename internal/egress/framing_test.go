package egress

import (
	"io"
	"net"
	"strings"
	"testing"
)

func TestFraming(t *testing.T) {
	for head, want := range map[string]int64{ // -1: not plain
		"":                       0,
		"Accept: */*\r\n":        0,
		"Content-Length: 12\r\n": 12,
		"content-length:12\r\n":  12,
		"Content-Length: 12\r\nContent-Length: 12\r\n": -1,
		"Content-Length: +12\r\n":                      -1,
		"Content-Length: 12, 12\r\n":                   -1,
		"Content-Length: -1\r\n":                       -1,
		"Content-Length: 0x1\r\n":                      -1,
		"Content-Length:\r\n":                          -1,
		"Content-Length: 9223372036854775808\r\n":      -1,
		"Content-Length : 12\r\n":                      -1,
		"Transfer-Encoding: chunked\r\n":               -1,
		"transfer-encoding:\tidentity\r\n":             -1,
		"X: y\rTransfer-Encoding: chunked\r\n":         -1,
		"X: y\x00\r\n":                                 -1,
		"no colon\r\n":                                 -1,
		"Connection: upgrade\r\nUpgrade: x\r\n":        -1,
	} {
		req, err := readPlainRequest("POST", "http://h/", head+"\r\n")
		if err != nil {
			t.Errorf("%q: %v", head, err)
			continue
		}
		if got := req.body; req.plain != (want >= 0) || want >= 0 && got != want {
			t.Errorf("%q: %d, %t, want %d", head, got, req.plain, want)
		}
	}
	if req, err := readPlainRequest("GET", "http://h/\rX", "\r\n"); err == nil && req.plain {
		t.Error("a path that ends a line is plain")
	}
}

// What comes behind a request never reaches a proxy, which would take it for
// another one.
func TestNothingFollowsARequestToAProxy(t *testing.T) {
	const second = "GET http://10.0.0.1/secret HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n"
	for name, raw := range map[string]string{
		"pipelined":     "GET http://8.8.8.8/ HTTP/1.1\r\n\r\n" + second,
		"behind a body": "POST http://8.8.8.8/ HTTP/1.1\r\nContent-Length: 4\r\n\r\nbody" + second,
		"two lengths":   "POST http://8.8.8.8/ HTTP/1.1\r\nContent-Length: 0\r\nContent-Length: 60\r\n\r\n" + second,
		"chunked":       "POST http://8.8.8.8/ HTTP/1.1\r\nContent-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + second,
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		got := make(chan string, 1)
		go func() {
			conn, err := l.Accept()
			if err != nil {
				got <- err.Error()
				return
			}
			defer conn.Close()
			io.WriteString(conn, "HTTP/1.1 403 x\r\nConnection: close\r\n\r\n") // an answer before the question, so that nobody waits
			all, _ := io.ReadAll(conn)
			got <- string(all)
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
		if text := <-got; strings.Contains(text, "10.0.0.1") || !strings.Contains(text, "8.8.8.8") {
			t.Errorf("%s: the proxy was sent\n%q", name, text)
		}
	}
}
