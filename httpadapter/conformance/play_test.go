package conformance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/testlevel"
)

// shownHeaders are those of an answer that stand in a file. Content-Type does
// where it is not that of every JSON answer.
var shownHeaders = []string{
	"Accept-Encoding", "Accept-Ranges", "Allow", "Content-Disposition", "Content-Range", "Content-Type", "Etag", "Last-Modified", "Location",
	"Retry-After", "Vary", "Www-Authenticate", "X-Apify-Pagination-Count", "X-Apify-Pagination-Desc", "X-Apify-Pagination-Limit",
	"X-Apify-Pagination-Offset", "X-Apify-Pagination-Total", "X-Ratelimit-Limit", "X-Should-Retry",
}

const jsonType = "application/json; charset=utf-8"

// transport sends raw bytes to a handler and returns the whole answer.
type transport func(t *testing.T, raw string) (*http.Response, []byte)

func TestConversations(t *testing.T) {
	t.Parallel()
	for _, path := range scripts(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		over := func(transport string, connect func(*testing.T, http.Handler) transport) {
			t.Run(name+"/"+transport, func(t *testing.T) {
				if !*update { // what rewrites a file comes before what reads it
					t.Parallel()
				}
				play(t, path, connect, *update && transport == "in process")
			})
		}
		// Those in Chromium take their time, and URLs of sessions say https over HTTP/2.
		slow := name == "browser" || name == "sessions" || name == "contexts-browser"
		over("in process", inProcess)
		if !slow || testlevel.Full() {
			over("socket", overSocket)
		}
		if !slow {
			over("http2", overHTTP2)
		}
	}
}

func play(t *testing.T, path string, connect func(*testing.T, http.Handler) transport, rewrite bool) {
	s := load(t, path)
	w := newWorld(t, s.setup)
	send := connect(t, w.handler)
	m := newMask(w.words, w.clock == nil)
	for _, st := range s.steps {
		if st.wait != "" {
			w.waitFor(t, m.fill(t, st.wait))
			continue
		}
		w.tick()
		raw := complete(m.fill(t, st.request))
		res, body := send(t, raw)
		checkAgainstDocument(t, st.name, raw, res, body)
		got := render(t, m, res, body)
		if rewrite {
			st.response.Data = []byte(got)
			continue
		}
		if diff := cmp.Diff(strings.Split(string(st.response.Data), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s:\n%s", st.name, diff)
		}
	}
	if rewrite {
		s.save(t)
	}
}

// complete makes bytes for the wire of a request in a file.
func complete(request string) string {
	head, body, _ := strings.Cut(request, "\n\n")
	lines := strings.Split(strings.TrimRight(head, "\n"), "\n")
	body = strings.TrimSuffix(body, "\n")
	if !strings.Contains(lines[0], " HTTP/") {
		lines[0] += " HTTP/1.1"
	}
	lower := strings.ToLower(head)
	if !strings.Contains(lower, "\nhost:") {
		lines = append(lines, "Host: drover.test")
	}
	if body != "" && !strings.Contains(lower, "\ncontent-length:") && !strings.Contains(lower, "\ntransfer-encoding:") {
		lines = append(lines, "Content-Length: "+strconv.Itoa(len(body)))
	}
	return strings.Join(lines, "\r\n") + "\r\n\r\n" + body
}

// render is an answer as it stands in a file.
func render(t *testing.T, m *mask, res *http.Response, body []byte) string {
	t.Helper()
	var b strings.Builder
	fmt.Fprintln(&b, res.StatusCode)
	for _, name := range shownHeaders {
		for _, value := range res.Header[name] {
			if name != "Content-Type" || value != jsonType {
				fmt.Fprintf(&b, "%s: %s\n", strings.ToLower(name), value)
			}
		}
	}
	if len(body) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimRight(indented(t, res, body), "\n"))
	}
	return m.hide(b.String())
}

func indented(t *testing.T, res *http.Response, body []byte) string {
	t.Helper()
	switch res.Header.Get("Content-Type") {
	case jsonType:
	case "application/zip":
		return unzipped(t, body)
	default:
		return string(body)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, body, "", "  "); err != nil {
		t.Fatalf("an answer is not JSON: %v\n%s", err, body)
	}
	return b.String()
}

// inProcess calls the handler.
func inProcess(_ *testing.T, h http.Handler) transport {
	return func(t *testing.T, raw string) (*http.Response, []byte) {
		t.Helper()
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
		if err != nil {
			t.Fatalf("the request cannot be read: %v\n%s", err, raw)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r.WithContext(t.Context()))
		return finish(t, w.Result())
	}
}

// overSocket writes the bytes to a listening server, all on one connection as
// long as that lasts.
func overSocket(t *testing.T, h http.Handler) transport {
	address := serve(t, h)
	var conn net.Conn
	var in *bufio.Reader
	t.Cleanup(func() {
		if conn != nil {
			conn.Close()
		}
	})
	return func(t *testing.T, raw string) (*http.Response, []byte) {
		t.Helper()
		if conn == nil {
			conn, in = dial(t, address)
		}
		if _, err := io.WriteString(conn, raw); err != nil {
			t.Fatal(err)
		}
		method, _, _ := strings.Cut(raw, " ")
		res, err := http.ReadResponse(in, &http.Request{Method: method})
		if err != nil {
			t.Fatalf("%v\n%s", err, raw)
		}
		res, body := finish(t, res)
		if res.Close {
			conn.Close()
			conn = nil
		}
		return res, body
	}
}

// overHTTP2 has net/http's client send the same requests over TLS.
func overHTTP2(t *testing.T, h http.Handler) transport {
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	return func(t *testing.T, raw string) (*http.Response, []byte) {
		t.Helper()
		r := readRequest(t, raw)
		r.RequestURI, r.URL.Scheme, r.URL.Host = "", "https", s.Listener.Addr().String()
		res, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if res.ProtoMajor != 2 {
			t.Errorf("it came over %s", res.Proto)
		}
		return finish(t, res)
	}
}

// serve listens until the test ends.
func serve(t testing.TB, h http.Handler) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := httpadapter.Server(h, discard)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	t.Cleanup(func() {
		s.Close()
		<-ended
	})
	return l.Addr().String()
}

func dial(t testing.TB, address string) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return conn, bufio.NewReader(conn)
}

// madeByOthers reports whether an answer is content that somebody else has made:
// a page or a program.
func madeByOthers(res *http.Response) bool {
	h := res.Header
	return h.Get("Content-Disposition") != "" || strings.HasPrefix(h.Get("Content-Type"), "text/plain") || h.Get("X-Apify-Pagination-Total") != "" || h.Get("Vary") == "Accept-Encoding"
}

// finish reads the answer and checks what holds for every one.
func finish(t *testing.T, res *http.Response) (*http.Response, []byte) {
	t.Helper()
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	policy := "default-src 'none'; frame-ancestors 'none'"
	if madeByOthers(res) {
		policy += "; sandbox"
	}
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
		"Content-Security-Policy": policy,
	} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if res.Header.Get("X-Request-Id") == "" {
		t.Error("the answer has no request id")
	}
	if res.Header.Get("X-Accel-Buffering") == "no" {
		return res, body // it goes on until it ends
	}
	if len(body) > 0 && (res.ContentLength != int64(len(body)) || res.TransferEncoding != nil || res.Header.Get("Content-Encoding") != "") {
		t.Errorf("%d bytes came with Content-Length %d, codings %q %q", len(body), res.ContentLength, res.TransferEncoding, res.Header.Get("Content-Encoding"))
	}
	if slices.Contains([]int{204, 304}, res.StatusCode) && len(body) > 0 {
		t.Errorf("%d has a body", res.StatusCode)
	}
	return res, body
}
