package fetch_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/storage/projects"
)

// fails fetches and checks the kind and the message for the caller.
func fails(t *testing.T, s fetch.Service, url string, o fetch.Options, kind errtypes.Kind, message string) {
	t.Helper()
	_, err := s.Get(t.Context(), url, o)
	pub := errtypes.Public(err)
	if err == nil || pub.Kind != kind || !strings.Contains(pub.Message, message) {
		t.Errorf("%s: %v, want %s with %q", url, err, kind, message)
	}
}

func TestBadAndRefusedAddresses(t *testing.T) {
	s := open(t, fetch.Config{})
	for url, message := range map[string]string{
		"":                           "url",
		"example.com":                "url",
		"ftp://example.com/":         "url",
		"file:///etc/passwd":         "url",
		"http://":                    "url",
		"http://exa mple.com":        "url",
		"http://127.0.0.2/":          "loopback",
		"http://2130706434/":         "loopback", // 127.0.0.2
		"http://[::1]/":              "loopback",
		"http://10.0.0.1/":           "private",
		"http://169.254.169.254/":    "metadata",
		"http://[::ffff:127.0.0.2]/": "refused",
	} {
		fails(t, s, url, fetch.Options{}, errtypes.Invalid, message)
	}
}

func TestServersThatCannotBeReachedOrUnderstood(t *testing.T) {
	s := open(t, fetch.Config{})
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	fails(t, s, "http://"+closed.Addr().String(), fetch.Options{}, errtypes.BadGateway, "cannot be reached")
	fails(t, s, "http://no-such-host.invalid/", fetch.Options{}, errtypes.BadGateway, "resolved")
	for name, test := range map[string]struct{ answer, message string }{
		"hangs up":        {"", "closed the connection"},
		"no http":         {"SSH-2.0-OpenSSH\r\n\r\n", "broken answer"},
		"short body":      {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "closed the connection"},
		"short chunk":     {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", "closed the connection"},
		"bad chunk":       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc", "broken answer"},
		"switches":        {"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nabc", "broken answer"},
		"only hints":      {strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 20), "the page's server"},
		"status of zero":  {"HTTP/1.1 000 \r\nContent-Length: 0\r\n\r\n", "broken answer"},
		"status below":    {"HTTP/1.1 099 x\r\nContent-Length: 0\r\n\r\n", "broken answer"},
		"status of words": {"HTTP/1.1 abc x\r\nContent-Length: 0\r\n\r\n", "broken answer"},
		"bad length":      {"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "broken answer"},
		"endless head":    {"HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Y: "+strings.Repeat("z", 1000)+"\r\n", 300), "head of the page's answer is too large"},
		"unknown coding":  {"HTTP/1.1 200 OK\r\nContent-Encoding: lzma\r\nContent-Length: 1\r\n\r\nx", "lzma"},
		"too many":        {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip, gzip\r\nContent-Length: 1\r\n\r\nx", "more than 3"},
		"not compressed":  {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain", "gzip cannot be decoded"},
		"bad brotli":      {"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 5\r\n\r\n\xff\xff\xff\xff\xff", "br cannot be decoded"},
		"bad zstd":        {"HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 5\r\n\r\nplain", "zstd cannot be decoded"},
		"bad deflate":     {"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 5\r\n\r\n\xff\xff\xff\xff\xff", "deflate cannot be decoded"},
		"half compressed": {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n" + string(gzipped("0123456789 abcdefghijklmnopqrstuvwxyz")[:25]), "gzip cannot be decoded"},
	} {
		t.Run(name, func(t *testing.T) {
			fails(t, s, answerRaw(t, test.answer), fetch.Options{}, errtypes.BadGateway, test.message)
		})
	}
}

func gzipped(s string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.Bytes()
}

// answerRaw is a server that reads a request and answers these bytes to it.
func answerRaw(t *testing.T, answer string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { listener.Close(); <-done })
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 4096))
			io.WriteString(conn, answer)
			conn.Close()
		}
	}()
	return "http://" + listener.Addr().String()
}

func TestTooLargeIsNeverAPartialPage(t *testing.T) {
	s := open(t, fetch.Config{MaxBody: 1000})
	exact, over := strings.Repeat("x", 1000), strings.Repeat("x", 1001)
	if a := get(t, s, serve(t, page("text/plain", exact)), fetch.Options{}); a.Content != exact {
		t.Error("a page of exactly the limit is refused")
	}
	chunked := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			io.WriteString(w, body)
		}
	}
	compressed := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(gzipped(over))
	}
	for name, h := range map[string]http.HandlerFunc{"known": page("text/plain", over), "chunked": chunked(over), "compressed": compressed} {
		t.Run(name, func(t *testing.T) {
			url := serve(t, h)
			fails(t, s, url, fetch.Options{}, errtypes.BadGateway, "larger than 1000 bytes")
			fails(t, s, url, fetch.Options{Format: fetch.Markdown}, errtypes.BadGateway, "larger than 1000 bytes")
			stream, err := s.Open(t.Context(), url, fetch.Options{})
			if err == nil {
				defer stream.Body.Close()
				_, err = io.ReadAll(stream.Body)
			}
			if !errtypes.Is(err, errtypes.BadGateway) || fetch.ErrorID(err) == "" {
				t.Errorf("stream: %v", err)
			}
		})
	}
}

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(page("text/plain", "secret"))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = quiet
	server.StartTLS()
	t.Cleanup(server.Close)
	s := open(t, fetch.Config{})
	fails(t, s, server.URL, fetch.Options{}, errtypes.BadGateway, "TLS certificate verification failed")
	if a := get(t, s, server.URL, fetch.Options{AllowInsecureSSL: true}); a.Content != "secret" {
		t.Errorf("%+v", a)
	}
	// A connection of who accepts anything must not serve who does not.
	fails(t, s, server.URL, fetch.Options{}, errtypes.BadGateway, "TLS certificate verification failed")
	fails(t, s, strings.Replace(serve(t, page("", "x")), "http", "https", 1), fetch.Options{}, errtypes.BadGateway, "TLS connection")
}

func TestHTTP2(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	if a := get(t, open(t, fetch.Config{}), server.URL, fetch.Options{AllowInsecureSSL: true}); a.Content != "HTTP/2.0" {
		t.Errorf("%q", a.Content)
	}
}

// hang is a server that sends some of a body and then nothing.
func hang(t *testing.T, some string) (url string, asked chan struct{}) {
	asked = make(chan struct{}, 16)
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if some != "" {
			io.WriteString(w, some)
			w.(http.Flusher).Flush()
		}
		asked <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(release); server.Close() })
	return server.URL, asked
}

func TestTimeouts(t *testing.T) {
	for name, test := range map[string]struct {
		conf          fetch.Config
		some, message string
		advance       time.Duration
	}{
		"whole, before the head": {fetch.Config{IdleTimeout: time.Hour}, "", "took too long", time.Minute},
		"whole, in the body":     {fetch.Config{IdleTimeout: time.Hour}, "some", "took too long", time.Minute},
		"silent head":            {fetch.Config{}, "", "sent nothing", 30 * time.Second},
		"silent body":            {fetch.Config{}, "some", "sent nothing", 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			c := clock.NewManual(time.Unix(0, 0))
			test.conf.Clock = c
			s := open(t, test.conf)
			url, asked := hang(t, test.some)
			done := make(chan error, 1)
			go func() {
				_, err := s.Get(t.Context(), url, fetch.Options{})
				done <- err
			}()
			<-asked
			c.WaitForTimers(2) // the whole and the silence
			c.Advance(test.advance)
			err := <-done
			if !errtypes.Is(err, errtypes.GatewayTimeout) || !strings.Contains(err.Error(), test.message) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestSlowReaderOfAStreamIsNotTheServersSilence(t *testing.T) {
	c := clock.NewManual(time.Unix(0, 0))
	s := open(t, fetch.Config{Clock: c, Timeout: time.Hour})
	stream, err := s.Open(t.Context(), serve(t, page("", "content")), fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	c.Advance(time.Minute)
	if got, err := io.ReadAll(stream.Body); err != nil || string(got) != "content" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestCallerWhoLeavesEndsTheFetch(t *testing.T) {
	s := open(t, fetch.Config{})
	url, asked := hang(t, "some")
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := s.Get(ctx, url, fetch.Options{}); !errtypes.Is(err, errtypes.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestConcurrencyIsLimitedByProject(t *testing.T) {
	s := open(t, fetch.Config{MaxConcurrent: 2})
	url := serve(t, page("", "x"))
	var streams []*fetch.Stream
	for range 2 {
		stream, err := s.Open(t.Context(), url, fetch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, stream)
	}
	fails(t, s, url, fetch.Options{}, errtypes.RateLimited, "2 concurrent")
	other := projects.With(t.Context(), projects.Project{ID: "other"})
	if _, err := s.Get(other, url, fetch.Options{}); err != nil {
		t.Errorf("another project waits for the first: %v", err)
	}
	streams[0].Body.Close()
	streams[0].Body.Close() // frees one place, not two
	get(t, s, url, fetch.Options{})
	extra, err := s.Open(t.Context(), url, fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fails(t, s, url, fetch.Options{}, errtypes.RateLimited, "2 concurrent")
	extra.Body.Close()
	streams[1].Body.Close()
}

func TestTheLogHasTheReasonAndTheCallerHasNot(t *testing.T) {
	var log bytes.Buffer
	s := open(t, fetch.Config{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	_, err = s.Get(t.Context(), "http://"+l.Addr().String(), fetch.Options{})
	if pub := errtypes.Public(err); strings.Contains(pub.Message, "127.0.0.1") {
		t.Errorf("the caller is told %q", pub.Message)
	}
	if id := fetch.ErrorID(err); id == "" || !strings.Contains(log.String(), id) {
		t.Errorf("id %q is not in %q", id, log.String())
	}
}

func TestASilentHandshakeEnds(t *testing.T) {
	c := clock.NewManual(time.Unix(0, 0))
	s := open(t, fetch.Config{Clock: c})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	done := make(chan error, 1)
	go func() {
		_, err := s.Get(t.Context(), "https://"+l.Addr().String(), fetch.Options{})
		done <- err
	}()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	c.WaitForTimers(2)
	c.Advance(30 * time.Second)
	if err := <-done; !errtypes.Is(err, errtypes.GatewayTimeout) {
		t.Errorf("%v", err)
	}
}

func TestFailedFetchesGiveTheirPlaceBack(t *testing.T) {
	s := open(t, fetch.Config{MaxConcurrent: 1})
	for range 3 {
		fails(t, s, "http://127.0.0.2/", fetch.Options{}, errtypes.Invalid, "loopback")
		fails(t, s, answerRaw(t, "no"), fetch.Options{}, errtypes.BadGateway, "")
	}
	get(t, s, serve(t, page("", "x")), fetch.Options{})
}

func TestHostsGateIsAskedFirst(t *testing.T) {
	asked := map[fetch.Format]int{}
	s := open(t, fetch.Config{Allow: func(_ context.Context, p projects.Project, f fetch.Format) error {
		asked[f]++
		switch {
		case p.Name != projects.Default:
			return errtypes.New(errtypes.Forbidden, "not enabled")
		case f == fetch.Markdown:
			return errtypes.New(errtypes.PaymentRequired, "the quota is used up")
		}
		return nil
	}})
	url := serve(t, page("", "x"))
	get(t, s, url, fetch.Options{})
	fails(t, s, url, fetch.Options{Format: fetch.Markdown}, errtypes.PaymentRequired, "quota")
	_, err := s.Get(projects.With(t.Context(), projects.Project{Name: "x"}), url, fetch.Options{})
	if !errtypes.Is(err, errtypes.Forbidden) || asked[fetch.Raw] != 2 {
		t.Errorf("%v, asked %v", err, asked)
	}
}

func TestClosingRefusesNewAndWaitsForOldFetches(t *testing.T) {
	s := open(t, fetch.Config{})
	url := serve(t, page("", "content"))
	stream, err := s.Open(t.Context(), url, fetch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- s.Close(context.Background()) }()
	for { // until Close has begun
		if _, err := s.Get(t.Context(), url, fetch.Options{}); errtypes.Is(err, errtypes.Unavailable) {
			break
		}
	}
	if got, err := io.ReadAll(stream.Body); string(got) != "content" {
		t.Errorf("a fetch under way was cut off: %q, %v", got, err)
	}
	if len(closed) != 0 {
		t.Error("closed with a fetch under way")
	}
	stream.Body.Close()
	if err := errors.Join(<-closed, s.Close(context.Background())); err != nil {
		t.Error(err)
	}
}

func TestClosingCutsOffWhatTakesTooLong(t *testing.T) {
	s := open(t, fetch.Config{})
	url, asked := hang(t, "some")
	done := make(chan error, 1)
	go func() {
		_, err := s.Get(t.Context(), url, fetch.Options{})
		done <- err
	}()
	<-asked
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	s.Close(ended)
	if err := <-done; !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("%v", err)
	}
}
