package egress

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
)

// talkative is a server that answers each request, by its path, with the bytes
// of a table, and holds the connection open after them. It counts connections.
type talkative struct {
	addr  string
	conns atomic.Int64
	ended chan struct{} // one for each connection that has ended
	got   chan string   // the head of each request
}

func newTalkative(t testing.TB, answers map[string]string) *talkative {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &talkative{addr: l.Addr().String(), ended: make(chan struct{}, 100), got: make(chan string, 100)}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.conns.Add(1)
			go s.talk(conn, answers)
		}
	}()
	t.Cleanup(func() {
		l.Close()
		<-done
		for range s.conns.Load() {
			<-s.ended
		}
	})
	return s
}

// talk ends where an answer ends with "close", after what is before that.
func (s *talkative) talk(conn net.Conn, answers map[string]string) {
	defer func() { conn.Close(); s.ended <- struct{}{} }()
	in := bufio.NewReader(conn)
	for {
		head, err := readHead(in, 1<<20)
		if err != nil {
			return
		}
		s.got <- string(head)
		_, rest, _ := strings.Cut(string(head), " ")
		path, _, _ := strings.Cut(rest, " ")
		answer, closes := strings.CutSuffix(answers[path], "close")
		if _, err := io.WriteString(conn, answer); err != nil || closes {
			return
		}
	}
}

func (s *talkative) get(path string) string { return s.ask("GET", path) }

func (s *talkative) ask(method, path string) string {
	return method + " http://" + s.addr + path + " HTTP/1.1\r\n\r\n"
}

// readFinal reads a response, and the interim ones before it.
func readFinal(in *bufio.Reader, method string) (*http.Response, error) {
	for {
		resp, err := http.ReadResponse(in, &http.Request{Method: method})
		if err != nil || resp.StatusCode >= 200 || resp.StatusCode == http.StatusSwitchingProtocols {
			return resp, err
		}
	}
}

const okay = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

// converse sends requests one after the other, each after the end of the
// response before, and returns what came for each; "" for a connection that had
// ended.
func converse(t testing.TB, p *Proxy, requests ...string) (answers []string) {
	t.Helper()
	conn := connectTo(t, p)
	in := bufio.NewReader(conn)
	for _, r := range requests {
		io.WriteString(conn, r)
		method, _, _ := strings.Cut(r, " ")
		resp, err := readFinal(in, method)
		if err != nil {
			answers = append(answers, "")
			continue
		}
		content, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		answers = append(answers, fmt.Sprintf("%d %s %t %v", resp.StatusCode, content, resp.Close, err))
	}
	return answers
}

func TestConnectionsServeManyRequests(t *testing.T) {
	for name, c := range map[string]struct {
		answer string // to the first request, GET /first
		want   string
		conns  int64 // to the server, for two requests
	}{
		"length":            {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst", "200 first false <nil>", 1},
		"no length":         {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "200  false <nil>", 1},
		"same lengths":      {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nfirst", "200 first false <nil>", 1},
		"chunked":           {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nfir\r\n2\r\nst\r\n0\r\nX: y\r\n\r\n", "200 first false <nil>", 1},
		"no content":        {"HTTP/1.1 204 OK\r\n\r\n", "204  false <nil>", 1},
		"no content, said":  {"HTTP/1.1 204 OK\r\nContent-Length: 9\r\n\r\n", "204  false <nil>", 1},
		"not modified":      {"HTTP/1.1 304 OK\r\nContent-Length: 9\r\n\r\n", "304  false <nil>", 1},
		"hints":             {"HTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\n" + okay, "200 ok false <nil>", 1},
		"line ends":         {"HTTP/1.1 200 OK\nContent-Length: 5\n\nfirst", "200 first false <nil>", 1},
		"server closes":     {"HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 5\r\n\r\nfirst", "200 first false <nil>", 2},
		"old server":        {"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nfirst", "200 first false <nil>", 2},
		"too much":          {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst" + okay, "200 first false <nil>", 2},
		"too many chunks":   {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n0\r\n\r\n0\r\n\r\n", "200 first false <nil>", 2},
		"body of no answer": {"HTTP/1.1 304 OK\r\nContent-Length: 9\r\n\r\nbody", "304  false <nil>", 2},
	} {
		s := newTalkative(t, map[string]string{"/first": c.answer, "/second": okay})
		p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
		got := converse(t, p, s.get("/first"), s.get("/second"))
		if got[0] != c.want || got[1] != "200 ok false <nil>" {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if n := s.conns.Load(); n != c.conns {
			t.Errorf("%s: %d connections to the server, want %d", name, n, c.conns)
		}
		p.Close()
		if st := p.Stats(); st.Requests != 2 || st.Failed+st.Refused != 0 {
			t.Errorf("%s: counted %+v", name, st)
		}
	}
}

// A server may hang up while the next request is on its way. The client is not
// told a failure: it sees what it would without a proxy, and asks again.
func TestAServerThatHangsUpBetweenRequests(t *testing.T) {
	s := newTalkative(t, map[string]string{"/first": okay + "close", "/second": okay})
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	for range 20 {
		got := converse(t, p, s.get("/first"), s.get("/second"))
		if got[0] != "200 ok false <nil>" || got[1] != "200 ok false <nil>" && got[1] != "" {
			t.Errorf("%q", got)
		}
	}
	p.Close()
	if st := p.Stats(); st.Failed != 0 {
		t.Errorf("counted %+v", st)
	}
}

// Messages that end nowhere for sure end the client's connection: what follows
// would be taken for something else.
func TestAmbiguousResponsesEndTheConnection(t *testing.T) {
	const injected = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\ninjected"
	for name, answer := range map[string]string{
		"two lengths":        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 50\r\n\r\n" + injected,
		"list of lengths":    "HTTP/1.1 200 OK\r\nContent-Length: 0, 0\r\n\r\n" + injected,
		"signed length":      "HTTP/1.1 200 OK\r\nContent-Length: +0\r\n\r\n" + injected,
		"no number":          "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n" + injected,
		"empty length":       "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n" + injected,
		"huge length":        "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616\r\n\r\n" + injected,
		"both":               "HTTP/1.1 200 OK\r\nContent-Length: 50\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + injected,
		"other coding":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n" + injected,
		"vertical tab":       "HTTP/1.1 200 OK\r\nTransfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n" + injected,
		"two codings":        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + injected,
		"old and chunked":    "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + injected,
		"folded":             "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n X: y\r\n\r\n" + injected,
		"space before colon": "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n" + injected,
		"no colon":           "HTTP/1.1 200 OK\r\nContent-Length 0\r\n\r\n" + injected,
		"return in a line":   "HTTP/1.1 200 OK\r\nX: y\rContent-Length: 0\r\n\r\n" + injected,
		"zero in a line":     "HTTP/1.1 200 OK\r\nX: \x00\r\nContent-Length: 0\r\n\r\n" + injected,
		"unasked upgrade":    "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n" + injected,
		"bad status":         "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n" + injected,
		"bad version":        "HTTP/1.2 200 OK\r\nContent-Length: 0\r\n\r\n" + injected,
	} {
		s := newTalkative(t, map[string]string{"/first": answer, "/second": okay})
		p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
		got := converse(t, p, s.get("/first"), s.get("/second"))
		if !strings.HasPrefix(got[0], "502 "+s.addr+" sent no response") || got[1] != "" {
			t.Errorf("%s: %q", name, got)
		}
		p.Close()
		if st := p.Stats(); st.Failed != 1 {
			t.Errorf("%s: counted %+v", name, st)
		}
	}
}

func TestBadChunksEndTheConnection(t *testing.T) {
	for name, chunks := range map[string]string{
		"no number":         "x\r\n",
		"no digits":         "\r\n",
		"sign":              "+2\r\nok\r\n0\r\n\r\n",
		"prefix":            "0x2\r\nok\r\n0\r\n\r\n",
		"underscore":        "0_2\r\nok\r\n0\r\n\r\n",
		"space before":      " 2\r\nok\r\n0\r\n\r\n",
		"huge":              "fffffffffffffffff\r\n",
		"bare line end":     "2\nok\r\n0\r\n\r\n",
		"bare return":       "2\rok\r\n0\r\n\r\n",
		"return in an ext":  "2;a\rb\r\nok\r\n0\r\n\r\n",
		"long line":         "2;" + strings.Repeat("a", 20<<10) + "\r\nok\r\n0\r\n\r\n",
		"no end of a chunk": "2\r\nokk\r\n0\r\n\r\n",
		"bare chunk end":    "2\r\nok\n0\r\n\r\n",
		"bad trailer":       "2\r\nok\r\n0\r\nX\r\n\r\n",
		"folded trailer":    "2\r\nok\r\n0\r\nX: y\r\n z\r\n\r\n",
		"endless trailer":   "2\r\nok\r\n0\r\n" + strings.Repeat("X: y\r\n", 20<<10),
		"cut off":           "5\r\nokclose",
		"cut off at end":    "2\r\nok\r\n0\r\nclose",
	} {
		s := newTalkative(t, map[string]string{"/first": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, "/second": okay})
		p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
		got := converse(t, p, s.get("/first"), s.get("/second"))
		if strings.HasSuffix(got[0], "<nil>") || got[1] != "" {
			t.Errorf("%s: %q", name, got)
		}
		p.Close()
	}
}

// What a trailer must not say, and what only the proxy says, does not pass.
func TestTrailersPassWithoutWhatIsNotTheirs(t *testing.T) {
	s := newTalkative(t, map[string]string{"/": "HTTP/1.1 200 OK\r\nTrailer: X\r\nTransfer-Encoding: Chunked\r\n\r\n002 ;x\r\nok\r\n000\r\n" +
		"X: y\r\nContent-Length: 7\r\nTransfer-Encoding: chunked\r\nX-Drover-Refused: a\r\nConnection: close\r\n\r\n"})
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	want := "HTTP/1.1 200 OK\r\nTrailer: X\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\nok\r\n0\r\nX: y\r\n\r\n"
	if got := speak(t, p, s.get("/")); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHEADHasNoBody(t *testing.T) {
	s := newTalkative(t, map[string]string{"/length": "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n", "/chunked": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "/": "HTTP/1.1 200 OK\r\n\r\n"})
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	for i, a := range converse(t, p, s.ask("HEAD", "/length"), s.ask("HEAD", "/chunked"), s.ask("HEAD", "/"), s.ask("HEAD", "/length")) {
		if a != "200  false <nil>" {
			t.Errorf("%d: %q", i, a)
		}
	}
	if n := s.conns.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

func TestAResponseToTheEndOfItsConnection(t *testing.T) {
	s := newTalkative(t, map[string]string{"/": "HTTP/1.1 200 OK\r\n\r\nall of itclose"})
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	if got := converse(t, p, s.get("/"), s.get("/")); got[0] != "200 all of it true <nil>" || got[1] != "" {
		t.Errorf("%q", got)
	}
}

// Requests that come together are answered in their order, each after it has
// been judged.
func TestPipelinedRequests(t *testing.T) {
	s := newTalkative(t, map[string]string{"/1": okay, "/2": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"})
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	got := speak(t, p, s.get("/1")+s.get("/2")+s.get("/1")+"GET http://10.0.0.1/ HTTP/1.1\r\n\r\n"+s.get("/1"))
	want := okay + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n" + okay + "HTTP/1.1 403 Forbidden\r\n"
	if !strings.HasPrefix(got, want) || strings.Count(got, "HTTP/1.1 ") != 4 {
		t.Errorf("got %q", got)
	}
	if s.conns.Load() != 1 || p.Stats().Refused != 1 || p.Stats().Requests != 4 {
		t.Errorf("%d connections, %+v", s.conns.Load(), p.Stats())
	}
}

// A request for another target ends the connection to the last one.
func TestAConnectionIsForOneTarget(t *testing.T) {
	one, two := newTalkative(t, map[string]string{"/": okay}), newTalkative(t, map[string]string{"/": okay})
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	local := strings.Replace(one.get("/"), "127.0.0.1", "localhost", 1)
	for i, a := range converse(t, p, one.get("/"), two.get("/"), one.get("/"), local, one.get("/")) {
		if a != "200 ok false <nil>" {
			t.Errorf("%d: %q", i, a)
		}
	}
	if one.conns.Load() != 4 || two.conns.Load() != 1 {
		t.Errorf("%d and %d connections", one.conns.Load(), two.conns.Load())
	}
	<-two.ended // long before the proxy ends
	two.ended <- struct{}{}
}

func TestUseClosesConnectionsThatWait(t *testing.T) {
	s := newTalkative(t, map[string]string{"/": okay})
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	conn := connectTo(t, p)
	in := bufio.NewReader(conn)
	ask := func() int {
		io.WriteString(conn, s.get("/"))
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.ReadAll(resp.Body)
		return resp.StatusCode
	}
	ask()
	p.Use(Policy{})
	<-s.ended
	s.ended <- struct{}{}
	if got := ask(); got != 200 || s.conns.Load() != 2 {
		t.Errorf("%d, %d connections", got, s.conns.Load())
	}
	p.Use(Policy{AllowedDomains: []string{"other.example"}})
	if got := ask(); got != 403 || s.conns.Load() != 2 {
		t.Errorf("%d, %d connections", got, s.conns.Load())
	}
}

func TestIdleConnectionsEnd(t *testing.T) {
	s := newTalkative(t, map[string]string{"/": okay})
	hands := clock.NewManual(time.Unix(0, 0))
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{Clock: hands})
	conn := connectTo(t, p)
	io.WriteString(conn, s.get("/"))
	if _, err := io.ReadFull(conn, make([]byte, len(okay))); err != nil {
		t.Fatal(err)
	}
	waitFor(func() bool { // the answer may be noted after it has come
		hands.Advance(5 * time.Minute)
		select {
		case <-s.ended:
			return true
		default:
			return false
		}
	})
	s.ended <- struct{}{}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("the client's connection is open")
	}
}

func TestExpectationsAreTheServers(t *testing.T) {
	server := newServerOn(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/no" {
			echo(w, r)
			return
		}
		w.WriteHeader(http.StatusExpectationFailed)
	})
	p := startProxy(t, testGate(t, "127.0.0.1/32"), ProxyOptions{})
	conn := connectTo(t, p)
	in := bufio.NewReader(conn)
	ask := func(path string) *http.Response {
		fmt.Fprintf(conn, "POST %s%s HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n", server.URL, path)
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	for range 2 {
		if resp := ask("/yes"); resp.StatusCode != 100 {
			t.Fatal(resp.Status)
		}
		io.WriteString(conn, "body")
		resp, err := http.ReadResponse(in, nil)
		if got := body(t, resp, err); !strings.HasSuffix(got, " body") {
			t.Errorf("got %q", got)
		}
	}
	if resp := ask("/no"); resp.StatusCode != http.StatusExpectationFailed || !resp.Close {
		t.Errorf("%v", resp)
	}
}
