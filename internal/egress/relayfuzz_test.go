package egress

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// wire is one end of a connection over which some bytes come, and which keeps
// what is written to it.
type wire struct {
	net.Conn
	from   io.Reader
	to     bytes.Buffer
	closed bool
}

func (w *wire) Read(b []byte) (int, error)      { return w.from.Read(b) }
func (w *wire) Write(b []byte) (int, error)     { return w.to.Write(b) }
func (w *wire) CloseWrite() error               { return nil }
func (w *wire) Close() error                    { w.closed = true; return nil }
func (w *wire) SetReadDeadline(time.Time) error { return nil }
func (w *wire) SetWriteDeadline(time.Time) error {
	return nil
}

func watch() *idleWatch {
	return newIdleWatch(clock.NewManual(time.Unix(0, 0)), time.Minute, func() {})
}

// FuzzResponses has a server send any bytes. After a response after which the
// client's connection goes on, another reader must be where the proxy is, and
// have read the same.
func FuzzResponses(f *testing.F) {
	for _, s := range []string{
		okay, okay + okay, "HTTP/1.1 100 x\r\n\r\n" + okay, "HTTP/1.0 200\r\n\r\nx", "HTTP/1.1 204 x\r\nContent-Length: 9\r\n\r\n" + okay,
		"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"\r\n\"\r\nabc\r\n0\r\nX: y\r\n\r\n" + okay,
		"HTTP/1.1 200 OK\nTransfer-Encoding:\tchunked\n\n3\r\nabc\r\n0000\r\n\r\n",
		"HTTP/1.1 200 \rX: y\r\nContent-Length : 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\tX: y\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nConnection: Content-Length\r\nContent-Length: 2\r\n\r\nok",
		"HTTP/1.1 200 OK\r\nConnection: transfer-encoding\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"HTTP/1.1 101 x\r\nUpgrade: x\r\n\r\n", "HTTP/1.1 304 x\r\nTransfer-Encoding: chunked\r\n\r\n",
	} {
		for _, method := range []string{"GET", "HEAD"} {
			f.Add(method, []byte(s))
		}
	}
	p := startProxy(f, testGate(f), ProxyOptions{MaxHeadBytes: 4 << 10})
	f.Fuzz(func(t *testing.T, method string, sent []byte) {
		req, err := readPlainRequest(method, "http://h/", "HTTP/1.1", "\r\n")
		if err != nil {
			return
		}
		browser, server := &wire{}, &wire{from: bytes.NewReader(sent)}
		c := &client{p: p, conn: browser, idle: watch()}
		x := &exchange{c: c, req: req, outcome: make(chan outcome, 1)}
		x.read.Store(true)
		l := &link{c: c, conn: server, out: bufio.NewReader(server), x: x, uses: 1}
		kept := l.answer(x)
		if o := <-x.outcome; o == outcomeKeep {
			checkPassed(t, method, sent, browser.to.Bytes())
		} else if kept {
			t.Fatal("the server's connection goes on, the client's does not")
		}
		if kept == server.closed || kept && l.out.Buffered() > 0 {
			t.Fatalf("kept %t, closed %t, %d bytes ahead", kept, server.closed, l.out.Buffered())
		}
	})
}

func checkPassed(t *testing.T, method string, sent, passed []byte) {
	t.Helper()
	in := bufio.NewReader(bytes.NewReader(passed))
	resp, err := readFinal(in, method)
	if err != nil && bytes.ContainsFunc(passed, notInLine) {
		return // this reader wants no control characters in values, which others let pass (RFC 9110, 5.5)
	}
	if err != nil {
		t.Fatalf("%q passed as %q: %v", sent, passed, err)
	}
	content, err := io.ReadAll(resp.Body)
	if rest, _ := io.ReadAll(in); err != nil || len(rest) > 0 || resp.Close {
		t.Fatalf("%q passed as %q: %v, and %q follows", sent, passed, err, rest)
	}
	direct, err := readFinal(bufio.NewReader(bytes.NewReader(sent)), method)
	if err != nil {
		return // another reader takes less than the proxy
	}
	want, err := io.ReadAll(direct.Body)
	if err == nil && (direct.StatusCode != resp.StatusCode || !bytes.Equal(content, want)) {
		t.Fatalf("%q passed as %d %q, want %d %q", sent, resp.StatusCode, content, direct.StatusCode, want)
	}
}

func notInLine(c rune) bool { return isControl(c) && c != '\t' && c != '\r' && c != '\n' }

// FuzzRequests has a client send any bytes. What goes on to a server must be
// one request to another reader too, and leave what follows to the next turn.
func FuzzRequests(f *testing.F) {
	const second = "GET http://10.0.0.1/ HTTP/1.1\r\n\r\n"
	for _, s := range []string{
		"GET http://h/ HTTP/1.1\r\n\r\n", "POST http://h HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
		"POST http://h/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "POST http://h/ HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"POST http://h/ HTTP/1.1\r\nConnection: Content-Length\r\nContent-Length: 3\r\n\r\nabc", "POST http://h/ HTTP/1.1\r\nX: y\rContent-Length: 3\r\n\r\nabc",
		"POST http://h/ HTTP/1.1\r\nConnection: transfer-encoding, host\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"G\x00T http://h/ HTTP/1.1\r\n\r\n", "GET http://h/\tx HTTP/1.1\nA: b\n\n", "GET http://h?x HTTP/1.0\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
		"GET http://h/ HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n",
	} {
		f.Add([]byte(s + second))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		from, to := &wire{from: bytes.NewReader(sent)}, &wire{}
		in := bufio.NewReader(from)
		req, err := readRequest(in, 4<<10)
		if err != nil || req.tunnel {
			return
		}
		flow := &flow{dst: to, src: from, in: in, n: new(atomic.Int64), idle: watch(), inProcess: true}
		if flow.message(req.head(nil), req.body, func() {}) != nil {
			return
		}
		out := bufio.NewReader(&to.to)
		got, err := http.ReadRequest(out)
		if err != nil {
			return // no server takes it for two
		}
		_, err = io.ReadAll(got.Body)
		if rest, _ := io.ReadAll(out); err != nil || len(rest) > 0 || len(got.Header["Host"])+len(got.Header["Connection"]) > 1 {
			t.Fatalf("%q went on as %v, %v, followed by %q", sent, got, err, rest)
		}
	})
}
