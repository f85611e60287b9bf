package providertest

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/drover-go/drover/runs/model"
)

// A Reply is what the server says to one request.
type Reply struct {
	Status int // default 200
	// Header beside the type, which the look of the body tells: a stream, a page
	// or JSON.
	Header map[string]string
	Body   string
	// Reset breaks the connection behind the body; Bytewise sends every byte
	// alone.
	Reset, Bytewise bool
}

// A server plays replies in turn, the last for ever, and keeps what it was
// asked.
type server struct {
	t    testing.TB
	wire Wire
	http *httptest.Server
	play func(n int, body []byte) Reply

	mu    sync.Mutex
	asked [][]byte
}

// inTurn plays replies one after the other.
func inTurn(replies ...Reply) func(int, []byte) Reply {
	return func(n int, _ []byte) Reply { return replies[min(n, len(replies)-1)] }
}

func (w Wire) serve(t testing.TB, play func(n int, body []byte) Reply) *server {
	t.Helper()
	s := &server{t: t, wire: w, play: play}
	s.http = httptest.NewServer(s)
	t.Cleanup(s.http.Close)
	return s
}

// model makes the model under test.
func (s *server) model(setup Setup) model.Model {
	s.t.Helper()
	return s.wire.model(s.t, s.http, setup)
}

func (w Wire) model(t testing.TB, srv *httptest.Server, setup Setup) model.Model {
	t.Helper()
	setup.BaseURL = srv.URL
	if setup.Transport == nil {
		setup.Transport = srv.Client().Transport
	}
	m, err := w.New(setup)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if !strings.HasSuffix(r.URL.Path, s.wire.Route) || !s.wire.Authorised(r.Header) || strings.Contains(r.URL.String(), Key) {
		s.t.Errorf("asked for %s with %v", r.URL, r.Header)
	}
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, body)
	s.mu.Unlock()
	s.play(n, body).write(w)
}

// requests are the bodies so far.
func (s *server) requests() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]byte(nil), s.asked...)
}

// last reads the last request.
func (s *server) last() Asked {
	s.t.Helper()
	all := s.requests()
	asked, err := s.wire.Read(all[len(all)-1])
	if err != nil {
		s.t.Fatal(err)
	}
	return asked
}

func (r Reply) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", typeOf(r.Body))
	for name, value := range r.Header {
		w.Header().Set(name, value)
	}
	if r.Reset {
		// What is missing tells the client that the end of the connection is not
		// that of the answer.
		w.Header().Set("Content-Length", strconv.Itoa(len(r.Body)+1000))
	}
	w.WriteHeader(max(r.Status, http.StatusOK))
	r.send(w)
	if r.Reset {
		reset(w)
	}
}

func (r Reply) send(w http.ResponseWriter) {
	if !r.Bytewise {
		_, _ = io.WriteString(w, r.Body)
		flush(w)
		return
	}
	for i := range len(r.Body) {
		_, _ = io.WriteString(w, r.Body[i:i+1])
		flush(w)
	}
}

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }

// reset breaks a connection off in the hard way.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func typeOf(body string) string {
	switch {
	case strings.HasPrefix(body, "data:"), strings.HasPrefix(body, "event:"), strings.HasPrefix(body, ":"), strings.HasPrefix(body, "\ufeff"):
		return "text/event-stream"
	case strings.HasPrefix(body, "<"):
		return "text/html; charset=utf-8"
	}
	return "application/json"
}
