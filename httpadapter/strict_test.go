package httpadapter

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// listenStrict serves what says how much of a body came and where from.
func listenStrict(t *testing.T) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		fmt.Fprintf(w, "%s %s %q", r.Method, r.URL.Path, body)
	}), nil)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(Strict(l)) }()
	t.Cleanup(func() { server.Close(); <-ended })
	return l.Addr().String()
}

// converse sends raw bytes and returns the statuses of all answers, until the
// server closes the connection or, if it does not, nothing is left to send.
func converse(t *testing.T, addr, raw string, piece int) (answers []string, closed bool) {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	go func() {
		for from := 0; from < len(raw); from += piece {
			if _, err := io.WriteString(c, raw[from:min(from+piece, len(raw))]); err != nil {
				return
			}
		}
	}()
	in := bufio.NewReader(c)
	for {
		_ = c.SetReadDeadline(time.Now().Add(testlevel.Loaded(5 * time.Second)))
		res, err := http.ReadResponse(in, nil)
		if err != nil {
			timeout, ok := err.(net.Error)
			return answers, !ok || !timeout.Timeout()
		}
		body, _ := io.ReadAll(res.Body)
		answers = append(answers, fmt.Sprintf("%d %s", res.StatusCode, body))
	}
}

const head = " /x HTTP/1.1\r\nHost: x\r\n"

func TestTwoEndsAreRefused(t *testing.T) {
	t.Parallel()
	addr := listenStrict(t)
	const chunks = "\r\n2\r\nab\r\n0\r\n\r\n"
	for name, raw := range map[string]string{
		"the length first":     "POST" + head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n" + chunks,
		"the chunks first":     "POST" + head + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\n" + chunks,
		"in other case":        "POST" + head + "tRANSFER-eNCODING: CHUNKED\r\ncontent-length:2\r\n" + chunks,
		"far apart":            "POST" + head + "Content-Length: 2\r\nX: " + strings.Repeat("y", 9000) + "\r\nTransfer-Encoding: chunked\r\n" + chunks,
		"identity":             "POST" + head + "Content-Length: 2\r\nTransfer-Encoding: identity\r\n\r\nab",
		"gzip, chunked":        "POST" + head + "Content-Length: 2\r\nTransfer-Encoding: gzip, chunked\r\n" + chunks,
		"two codings":          "POST" + head + "Transfer-Encoding: chunked\r\nContent-Length: 2\r\nTransfer-Encoding: identity\r\n" + chunks,
		"two lengths":          "POST" + head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
		"the same length":      "POST" + head + "Content-Length: 2\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n" + chunks,
		"a length of nothing":  "POST" + head + "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n" + chunks,
		"a folded coding":      "POST" + head + "Content-Length: 2\r\nTransfer-Encoding:\r\n chunked\r\n" + chunks,
		"a folded length":      "POST" + head + "Content-Length:\r\n\t2\r\nTransfer-Encoding: chunked\r\n" + chunks,
		"a folded length only": "POST" + head + "Content-Length:\r\n 2\r\n\r\nab",
		"bare line feeds":      "POST /x HTTP/1.1\nHost: x\nContent-Length: 2\nTransfer-Encoding: chunked\n\n2\r\nab\r\n0\r\n\r\n",
		"a space before colon": "POST" + head + "Content-Length: 2\r\nTransfer-Encoding : chunked\r\n" + chunks,
		"HTTP/1.0":             "POST /x HTTP/1.0\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n" + chunks,
		"HTTP/1.0 with chunks": "POST /x HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n" + chunks,
		"a GET":                "GET" + head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n" + chunks,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const before, after = "GET /before HTTP/1.1\r\nHost: x\r\n\r\n", "GET /after HTTP/1.1\r\nHost: x\r\n\r\n"
			const good = `200 GET /before ""`
			for _, piece := range []int{len(raw) + len(before) + len(after), 7} {
				if got, closed := converse(t, addr, raw+after, piece); len(got) != 1 || !strings.HasPrefix(got[0], "400 ") || !closed {
					t.Errorf("alone, in pieces of %d: %q, closed: %t", piece, got, closed)
				}
				got, closed := converse(t, addr, before+raw+after, piece)
				if len(got) != 2 || got[0] != good || !strings.HasPrefix(got[1], "400 ") || !closed {
					t.Errorf("behind another, in pieces of %d: %q, closed: %t", piece, got, closed)
				}
			}
		})
	}
}

func TestGoodRequestsPassOnOneConnection(t *testing.T) {
	t.Parallel()
	addr := listenStrict(t)
	raw := "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n" +
		"POST /2 HTTP/1.1\r\nHost: x\r\nContent-Length: 38\r\n\r\nContent-Length: 1\r\nTransfer-Encoding:\n" +
		"POST /3 HTTP/1.1\r\nHost: x\r\nX: a\r\n Content-Length: 7\r\nTransfer-Encoding: Chunked\r\n\r\n" +
		"1A;ext=1\r\nContent-Length: 5\r\n\r\nabcde\r\n00\r\nX-Sum: 3\r\n\r\n\r\n" +
		"PUT /4 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n" +
		"POST /5 HTTP/1.1\nHost: x\nContent-Length: 2\n\nab" +
		"GET /6 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	want := []string{
		`200 GET /1 ""`, `200 POST /2 "Content-Length: 1\r\nTransfer-Encoding:\n"`, `200 POST /3 "Content-Length: 5\r\n\r\nabcde"`,
		`200 PUT /4 ""`, `200 POST /5 "ab"`, `200 GET /6 ""`,
	}
	for _, piece := range []int{len(raw), 1000, 13, 1} {
		got, closed := converse(t, addr, raw, piece)
		if strings.Join(got, "\n") != strings.Join(want, "\n") || !closed {
			t.Errorf("in pieces of %d, closed: %t\n%s", piece, closed, strings.Join(got, "\n"))
		}
	}
}

// What follows an upgrade is no request, whatever it looks like.
func TestAnUpgradedConnectionIsLeftAlone(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := Server(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n")
		_, _ = io.CopyN(c, rw, int64(len(lookalike)))
	}), nil)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(Strict(l)) }()
	t.Cleanup(func() { server.Close(); <-ended })
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, _ = io.WriteString(c, "GET"+head+"Upgrade: x\r\nConnection: Upgrade\r\n\r\n")
	in := bufio.NewReader(c)
	if res, err := http.ReadResponse(in, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatal(res, err)
	}
	_, _ = io.WriteString(c, lookalike)
	if echo, err := io.ReadAll(in); err != nil || string(echo) != lookalike {
		t.Errorf("%q, %v", echo, err)
	}
}

const lookalike = "POST" + head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n"
