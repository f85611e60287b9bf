package actors

import (
	"bufio"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage/projects"
)

// door is an endpoint with a pass for a run, and asks there.
func door(t *testing.T, most int, platform http.HandlerFunc) (e *endpoint, p *pass, ask func(method, path string) net.Conn) {
	t.Helper()
	e = newEndpoint(Config{Clock: clock.System(), Logger: slog.New(slog.DiscardHandler)})
	e.platform, e.conns.Most = platform, most
	t.Cleanup(e.stop)
	p, at, err := e.open(projects.Project{ID: "project"}, Caller{RunID: "run"})
	if err != nil {
		t.Fatal(err)
	}
	host := strings.TrimPrefix(at.base, "http://")
	return e, p, func(method, path string) net.Conn {
		t.Helper()
		conn := must(net.Dial("tcp4", host))(t)
		t.Cleanup(func() { conn.Close() })
		must(conn.Write([]byte(method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + at.token + "\r\nContent-Length: 0\r\n\r\n")))(t)
		return conn
	}
}

func status(t *testing.T, conn net.Conn) int {
	t.Helper()
	answer := must(http.ReadResponse(bufio.NewReader(conn), nil))(t)
	answer.Body.Close()
	return answer.StatusCode
}

// What a process has asked for is done although it has gone, but for what it only wanted
// to read; then its pass ends.
func TestLastWordsAreHeard(t *testing.T) {
	t.Parallel()
	entered, gone, said := make(chan bool), make(chan bool), make(chan error, 1)
	_, p, ask := door(t, mostConnections, func(_ http.ResponseWriter, r *http.Request) {
		entered <- true
		if r.Method == http.MethodGet {
			<-r.Context().Done()
			close(gone)
			return
		}
		<-gone
		said <- r.Context().Err()
	})
	both := []net.Conn{ask("GET", "/v2/a"), ask("POST", "/v2/b")}
	<-entered
	<-entered
	for _, conn := range both {
		conn.Close()
	}
	p.close()
	if err := <-said; err != nil {
		t.Error(err)
	}
	if got := status(t, ask("GET", "/v2/a")); got != http.StatusUnauthorized {
		t.Errorf("after its end: %d", got)
	}
}

func TestRequestsAreThoseOfTheRun(t *testing.T) {
	t.Parallel()
	_, _, ask := door(t, 1, func(w http.ResponseWriter, r *http.Request) {
		caller, ok := CallerFrom(r.Context())
		project, _ := projects.From(r.Context())
		if !ok || caller.RunID != "run" || project.ID != "project" || r.URL.Path != "/v2/a//../b" {
			w.WriteHeader(http.StatusTeapot)
		}
	})
	if got := status(t, ask("PUT", "/v2/a//../b")); got != http.StatusOK {
		t.Error(got)
	}
	if _, ok := CallerFrom(t.Context()); ok {
		t.Error("nobody is a run")
	}
	if got := status(t, ask("GET", "/v2/a//../b")); got != http.StatusTooManyRequests { // the first one's connection is open
		t.Error(got)
	}
}

// The endpoint ends with the last process, not before it.
func TestTheEndpointEndsWithItsLastPass(t *testing.T) {
	t.Parallel()
	e, p, ask := door(t, mostConnections, func(http.ResponseWriter, *http.Request) {})
	e.close()
	conn := ask("GET", "/")
	if got := status(t, conn); got != http.StatusOK {
		t.Error(got)
	}
	conn.Close()
	p.close()
	if _, _, err := e.open(projects.Project{}, Caller{RunID: "late"}); err == nil {
		t.Error("it lets in a process that comes later")
	}
}

// Who has no token is let through to read with a signature, which the platform looks at,
// as nobody; the connection may be a run's before and after.
func TestSignedRequestsAreNobodys(t *testing.T) {
	t.Parallel()
	_, _, ask := door(t, 1, func(w http.ResponseWriter, r *http.Request) {
		if _, ok := CallerFrom(r.Context()); ok {
			w.WriteHeader(http.StatusTeapot)
		}
		if _, ok := projects.From(r.Context()); ok {
			w.WriteHeader(http.StatusTeapot)
		}
	})
	conn := ask("GET", "/v2/a")
	for _, c := range []struct {
		request string
		want    int
	}{
		{"GET /v2/a?signature=s", http.StatusOK}, {"POST /v2/a?signature=s", http.StatusUnauthorized},
		{"GET /v2/a?signature=", http.StatusUnauthorized}, {"GET /v2/a?signature=s&token=x", http.StatusUnauthorized},
	} {
		host := conn.RemoteAddr().String()
		fresh := must(net.Dial("tcp4", host))(t)
		must(fresh.Write([]byte(c.request + " HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 0\r\n\r\n")))(t)
		if got := status(t, fresh); got != c.want {
			t.Errorf("%s: %d", c.request, got)
		}
		fresh.Close()
	}
	if got := status(t, conn); got != http.StatusTeapot {
		t.Errorf("with a token: %d", got)
	}
}
