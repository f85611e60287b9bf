package webhooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/egress"
)

func sender(t *testing.T, o egress.Options) *Sender {
	t.Helper()
	gate, err := egress.New(o)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSender(gate, 4, 16)
	t.Cleanup(s.Close)
	return s
}

func loopback() egress.Options {
	return egress.Options{AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

// site is a server that ends with the test, whatever its handlers do.
func site(t *testing.T, start func(*httptest.Server), h http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	start(s)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

func plain(s *httptest.Server) { s.Start() }

// until is a handler that does something, and then hangs until the client is gone.
func until(do func(w http.ResponseWriter)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		do(w)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
}

// gone is an address at which nobody listens.
func gone(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	return "http://" + l.Addr().String()
}

// silent is an address that takes connections and says nothing: the system accepts them, and
// nobody else does.
func silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return "http://" + l.Addr().String()
}

func TestWhatReceiversDo(t *testing.T) {
	t.Parallel()
	var redirected atomic.Int32
	target := site(t, plain, func(http.ResponseWriter, *http.Request) { redirected.Add(1) })
	answer := func(status int, body string) string {
		return site(t, plain, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", target.URL)
			w.WriteHeader(status)
			io.WriteString(w, body)
		}).URL
	}
	closes := func(head string) string {
		return site(t, plain, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			io.WriteString(conn, head)
			conn.Close()
		}).URL
	}
	const most = 300 * time.Millisecond
	for name, c := range map[string]struct {
		url  string
		want Outcome
	}{
		"good":            {answer(200, "ok"), Outcome{Status: 200, Body: "ok"}},
		"empty":           {answer(204, ""), Outcome{Status: 204}},
		"a long answer":   {answer(201, strings.Repeat("x", 100)), Outcome{Status: 201, Body: strings.Repeat("x", 16)}},
		"no text":         {answer(200, "\x00a\xff"), Outcome{Status: 200, Body: "a\uFFFD"}},
		"500":             {answer(500, "no"), Outcome{Status: 500, Body: "no", Error: "the receiver answered with status 500"}},
		"410":             {answer(410, ""), Outcome{Status: 410, Error: "the receiver answered with status 410"}},
		"redirect":        {answer(307, ""), Outcome{Status: 307, Error: "the receiver answered with status 307: redirects are not followed"}},
		"not modified":    {answer(304, ""), Outcome{Status: 304, Error: "the receiver answered with status 304: redirects are not followed"}},
		"down":            {gone(t), Outcome{Silent: true, Error: "the receiver could not be reached: connection refused"}},
		"hangs":           {silent(t), Outcome{Silent: true, Error: "the receiver did not answer within 300ms"}},
		"hangs on":        {site(t, plain, until(func(w http.ResponseWriter) { io.WriteString(w, "begun") })).URL, Outcome{Status: 200, Body: "begun", Silent: true, Error: "the receiver did not answer within 300ms"}},
		"endless":         {site(t, plain, endless).URL, Outcome{Status: 200, Body: strings.Repeat("y", 16)}},
		"closes":          {closes(""), Outcome{Silent: true, Error: "the receiver closed the connection before the end of its answer"}},
		"closes half-way": {closes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), Outcome{Status: 200, Body: "half", Silent: true, Error: "the receiver closed the connection before the end of its answer"}},
		"no http":         {closes("220 mail.example ESMTP\r\n"), Outcome{Silent: true}},
		"huge headers":    {closes("HTTP/1.1 200 OK\r\nA: " + strings.Repeat("x", 1<<20) + "\r\n\r\n"), Outcome{Silent: true}},
		"no name":         {"http://no.such.host.invalid/", Outcome{Silent: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := sender(t, loopback()).Send(t.Context(), Request{URL: c.url, Header: http.Header{}, Body: []byte("{}"), Time: max(most, map[bool]time.Duration{true: 10 * time.Second}[!strings.HasPrefix(name, "hangs")])})
			if c.want.Error == "" && c.want.Status == 0 {
				c.want.Error = got.Error // it is in the words of others
				if got.Error == "" || strings.Contains(got.Error, "127.0.0.1") {
					t.Errorf("%q", got.Error)
				}
			}
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	t.Cleanup(func() {
		if redirected.Load() > 0 {
			t.Error("a redirect was followed")
		}
	})
}

func endless(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, strings.Repeat("y", 4096)); err != nil {
			return
		}
	}
}

func TestCertificatesAreChecked(t *testing.T) {
	t.Parallel()
	s := site(t, (*httptest.Server).StartTLS, func(http.ResponseWriter, *http.Request) {})
	all := sender(t, loopback())
	for ignore, want := range map[bool]string{false: "the receiver's certificate is not valid", true: ""} {
		got := all.Send(t.Context(), Request{URL: s.URL, Header: http.Header{}, IgnoreTLSErrors: ignore, Time: 10 * time.Second})
		if (want == "") != (got.Error == "") || !strings.HasPrefix(got.Error, want) {
			t.Errorf("%t: %+v", ignore, got)
		}
	}
}

// Private networks are refused, under whatever name, and the refusal says what opens them.
func TestPrivateNetworksAreRefused(t *testing.T) {
	t.Parallel()
	reached := false
	s := site(t, plain, func(http.ResponseWriter, *http.Request) { reached = true })
	port := s.Listener.Addr().(*net.TCPAddr).Port
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "10.0.0.1", "169.254.169.254"} {
		got := sender(t, egress.Options{}).Send(t.Context(), Request{URL: fmt.Sprintf("http://%s:%d/", host, port), Header: http.Header{}, Time: 10 * time.Second})
		if got.Status != 0 || !got.Silent || !strings.Contains(got.Error, "Options.AllowPrefixes") {
			t.Errorf("%s: %+v", host, got)
		}
	}
	if reached {
		t.Error("it was reached")
	}
}

// failing is a resolver whose server has no answer.
type failing struct{}

func (failing) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	return nil, &net.DNSError{Err: "server misbehaving", Name: host, Server: "10.1.2.3:53", IsTemporary: true}
}

func TestErrorsNameNoResolver(t *testing.T) {
	t.Parallel()
	got := sender(t, egress.Options{Resolver: failing{}}).Send(t.Context(), Request{URL: "https://receiver.example/", Header: http.Header{}, Time: 10 * time.Second})
	if got.Error != "the host receiver.example could not be looked up" || !got.Silent {
		t.Errorf("%+v", got)
	}
}

func TestARequestIsBrokenOff(t *testing.T) {
	t.Parallel()
	began := make(chan struct{})
	s := site(t, plain, until(func(http.ResponseWriter) { close(began) }))
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		<-began
		cancel(errors.New("enough"))
	}()
	if got := sender(t, loopback()).Send(ctx, Request{URL: s.URL, Header: http.Header{}, Time: time.Hour}); got.Error == "" {
		t.Errorf("%+v", got)
	}
}
