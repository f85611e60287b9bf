package request

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/errtypes"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// echo serves JSON bodies: 200 with the body in brackets, or the status and
// the message of the error.
func echo(t *testing.T, l Limits) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, answered := Guard(w, r, l)
		defer answered()
		if r.URL.Path == "/unread" {
			w.Header().Set("Content-Length", "0")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/form" {
			refuse(w, readForm(w, r, l))
			return
		}
		data, err := JSON(w, r, Rules{Limits: l})
		switch {
		case errtypes.Is(err, errtypes.Canceled):
			panic(http.ErrAbortHandler)
		case err != nil:
			refuse(w, err)
		case data == nil:
			fmt.Fprint(w, "absent")
		default:
			fmt.Fprintf(w, "[%s]", data)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func refuse(w http.ResponseWriter, err error) {
	e := errtypes.Public(err)
	w.Header().Set("Content-Length", strconv.Itoa(len(e.Message)))
	w.WriteHeader(e.Kind.HTTPStatus())
	_, _ = io.WriteString(w, e.Message)
}

// readForm reads the first part of a form.
func readForm(w http.ResponseWriter, r *http.Request, l Limits) error {
	form, done, err := Form(w, r, l.MaxBody, l)
	defer done()
	if err != nil {
		return err
	}
	part, err := form.NextPart()
	if err == nil {
		_, err = io.Copy(io.Discard, part)
	}
	return FormError(r.Context(), err)
}

// exchange sends raw bytes and returns the answer. The connection stays open
// for writing unless the bytes end with halfClose.
func exchange(t *testing.T, s *httptest.Server, raw string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	raw, half := strings.CutSuffix(raw, halfClose)
	if _, err := io.WriteString(conn, raw); err != nil {
		t.Fatal(err)
	}
	if half {
		conn.(*net.TCPConn).CloseWrite()
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%.60q: %v", raw, err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, strings.TrimSpace(string(body))
}

const halfClose = "<half-close>"

func post(headers, body string) string {
	return fmt.Sprintf("POST / HTTP/1.1\r\nHost: x\r\n%sContent-Length: %d\r\n\r\n%s", headers, len(body), body)
}

func zip(t testing.TB, s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const (
	asJSON  = "Content-Type: application/json\r\n"
	zipped  = asJSON + "Content-Encoding: gzip\r\n"
	chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
)

func TestJSONOverASocket(t *testing.T) {
	s := echo(t, Limits{MaxBody: 100, MaxDiscard: 1000, IdleTimeout: 200 * time.Millisecond})
	full := strings.Repeat("x", 100)
	for name, test := range map[string]struct {
		raw    string
		status int
		answer string
	}{
		"plain":                      {post(asJSON, "{}"), 200, "[{}]"},
		"charset":                    {post("Content-Type: Application/JSON; charset=\"UTF-8\"\r\n", "{}"), 200, "[{}]"},
		"chunked":                    {chunked + asJSON + "\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n", 200, "[{}]"},
		"gzip":                       {post(zipped, zip(t, "{}")), 200, "[{}]"},
		"gzip in two members":        {post(zipped, zip(t, "{")+zip(t, "}")), 200, "[{}]"},
		"gzip of the whole limit":    {post(zipped, zip(t, full)), 200, "[" + full + "]"},
		"the whole limit":            {post(asJSON, full), 200, "[" + full + "]"},
		"none":                       {"POST / HTTP/1.1\r\nHost: x\r\n\r\n", 200, "absent"},
		"none of a type":             {post(asJSON, ""), 200, "absent"},
		"none of another type":       {post("Content-Type: text/html\r\n", ""), 200, "absent"},
		"none in chunks":             {chunked + asJSON + "\r\n0\r\n\r\n", 200, "absent"},
		"no type":                    {post("", "{}"), 415, "the Content-Type of the body is missing; it must be application/json"},
		"other type":                 {post("Content-Type: text/plain\r\n", "{}"), 415, `the Content-Type of the body must be application/json, not "text/plain"`},
		"two types":                  {post(asJSON+asJSON, "{}"), 415, `the Content-Type of the body must be application/json, not "application/json, application/json"`},
		"broken type":                {post("Content-Type: application/json; =\r\n", "{}"), 415, `the Content-Type of the body must be application/json, not "application/json; ="`},
		"long type":                  {post("Content-Type: "+strings.Repeat("x", 200)+"\r\n", "{}"), 415, `the Content-Type of the body must be application/json, not "` + strings.Repeat("x", 100) + `…"`},
		"other charset":              {post("Content-Type: application/json; charset=latin1\r\n", "{}"), 415, `the charset of the body must be utf-8, not "latin1"`},
		"other coding":               {post(asJSON+"Content-Encoding: br\r\n", "{}"), 415, `the Content-Encoding of the body must be gzip or none, not "br"`},
		"coding twice":               {post(zipped+"Content-Encoding: gzip\r\n", zip(t, zip(t, "{}"))), 415, `the Content-Encoding of the body must be gzip or none, not "gzip, gzip"`},
		"one byte too many":          {post(asJSON, full+"y"), 413, "the body is 101 bytes long; the limit is 100 bytes"},
		"one byte too many, chunked": {chunked + asJSON + "\r\n65\r\n" + full + "y\r\n0\r\n\r\n", 413, "the body is 101 bytes long; the limit is 100 bytes"},
		"one byte too many, gzip":    {post(zipped, zip(t, full+"y")), 413, "the body is 101 bytes long; the limit is 100 bytes"},
		"bomb":                       {post(zipped, zip(t, strings.Repeat(full, 5000))), 413, "the body is at least 1000 bytes long; the limit is 100 bytes"},
		"huge and announced":         {"POST / HTTP/1.1\r\nHost: x\r\n" + asJSON + "Content-Length: 1000000000000\r\n\r\n" + strings.Repeat("x", 2000), 413, "the body is 1000000000000 bytes long; the limit is 100 bytes"},
		"announced and not sent":     {"POST / HTTP/1.1\r\nHost: x\r\n" + asJSON + "Content-Length: 101\r\n\r\n", 413, "the body is 101 bytes long; the limit is 100 bytes"},
		"huge and expecting":         {"POST / HTTP/1.1\r\nHost: x\r\n" + asJSON + "Expect: 100-continue\r\nContent-Length: 1000000000000\r\n\r\n", 413, "the body is 1000000000000 bytes long; the limit is 100 bytes"},
		"no gzip":                    {post(zipped, "{}"), 400, "the body is not valid gzip"},
		"gzip broken off":            {post(zipped, zip(t, "{}")[:15]), 400, "the body is not valid gzip"},
		"gzip with a wrong sum":      {post(zipped, zip(t, "{}")[:21]+"1234567"), 400, "the body is not valid gzip"},
		"gzip and more":              {post(zipped, zip(t, "{}")+"{}"), 400, "the body is not valid gzip"},
		"broken off":                 {"POST / HTTP/1.1\r\nHost: x\r\n" + asJSON + "Content-Length: 10\r\n\r\n{}" + halfClose, 400, "the body is broken off or badly framed"},
		"chunk broken off":           {chunked + asJSON + "\r\n5\r\n{}" + halfClose, 400, "the body is broken off or badly framed"},
		"gzip broken off by caller":  {"POST / HTTP/1.1\r\nHost: x\r\n" + zipped + "Content-Length: 1000\r\n\r\n" + zip(t, "{}")[:15] + halfClose, 400, "the body is broken off or badly framed"},
		"bad chunk length":           {chunked + asJSON + "\r\n2\r\n{}\r\nzz\r\n", 400, "the body is broken off or badly framed"},
		"slow":                       {"POST / HTTP/1.1\r\nHost: x\r\n" + asJSON + "Content-Length: 10\r\n\r\n{}", 408, "the body came too slowly: each piece may take 200ms and all of it 5m0s"},
		"slow from the start":        {chunked + asJSON + "\r\n", 408, "the body came too slowly: each piece may take 200ms and all of it 5m0s"},
		"slow and zipped":            {"POST / HTTP/1.1\r\nHost: x\r\n" + zipped + "Content-Length: 10\r\n\r\n\x1f\x8b", 408, "the body came too slowly: each piece may take 200ms and all of it 5m0s"},
		"slow and nobody reads":      {"POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{}", 401, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, answer := exchange(t, s, test.raw)
			if res.StatusCode != test.status || answer != test.answer {
				t.Errorf("got %d %q\nwant %d %q", res.StatusCode, answer, test.status, test.answer)
			}
			if coded := res.Header.Get("Accept-Encoding"); (coded == "gzip") != strings.Contains(answer, "Content-Encoding") {
				t.Errorf("Accept-Encoding %q", coded)
			}
		})
	}
}

func TestTotalTimeIsBounded(t *testing.T) {
	s := echo(t, Limits{IdleTimeout: time.Hour, TotalTimeout: 100 * time.Millisecond})
	res, answer := exchange(t, s, "POST / HTTP/1.1\r\nHost: x\r\n"+asJSON+"Content-Length: 10\r\n\r\n{}")
	if res.StatusCode != 408 || !res.Close || !strings.HasSuffix(answer, "all of it 100ms") {
		t.Errorf("%d %q, close %t", res.StatusCode, answer, res.Close)
	}
}

// deadlines remembers the read deadline that was set last.
type deadlines struct {
	http.ResponseWriter
	last time.Time
}

func (d *deadlines) SetReadDeadline(t time.Time) error {
	d.last = t
	return nil
}

// The server goes on reading to notice that the caller has gone: a deadline
// that outlives the body would end the request.
func TestDeadlineEndsWithTheBody(t *testing.T) {
	r := httptest.NewRequest("POST", "/", strings.NewReader("{}"))
	r.Header.Set("Content-Type", "application/json")
	w := &deadlines{ResponseWriter: httptest.NewRecorder()}
	Guard(w, r, Limits{})
	if left := time.Until(w.last); left < 29*time.Second || left > 30*time.Second {
		t.Errorf("a body that nobody reads has %s", left)
	}
	if _, err := JSON(w, r, Rules{}); err != nil || !w.last.IsZero() {
		t.Errorf("deadline %s, %v", w.last, err)
	}
}

// A caller who goes away is not an error that anybody reads.
func TestCallerWhoLeavesCancels(t *testing.T) {
	got := make(chan error, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := JSON(w, r, Rules{})
		got <- err
	}))
	t.Cleanup(s.Close)
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\n"+asJSON+"Content-Length: 10\r\n\r\n{}"); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).SetLinger(0); err != nil { // close with a reset
		t.Fatal(err)
	}
	conn.Close()
	if err := <-got; !errtypes.Is(err, errtypes.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestJSONWithoutAConnection(t *testing.T) {
	for _, test := range []struct {
		body   io.Reader
		absent bool
	}{{nil, true}, {strings.NewReader(""), true}, {strings.NewReader("{}"), false}} {
		r := httptest.NewRequest("POST", "/", test.body)
		r.Header.Set("Content-Type", "application/json")
		data, err := JSON(httptest.NewRecorder(), r, Rules{})
		if err != nil || (data == nil) != test.absent {
			t.Errorf("%q, %v", data, err)
		}
	}
}

// A body whose length says that it is too large is refused before any of it
// has come: nothing else would end this test.
func TestAnAnnouncedLengthIsRefusedAtOnce(t *testing.T) {
	s := echo(t, Limits{MaxBody: 100, IdleTimeout: time.Hour, TotalTimeout: time.Hour})
	res, answer := exchange(t, s, "POST / HTTP/1.1\r\nHost: x\r\n"+asJSON+"Content-Length: 101\r\n\r\n")
	if res.StatusCode != 413 || !res.Close || answer != "the body is 101 bytes long; the limit is 100 bytes" {
		t.Errorf("%d %q, close %t", res.StatusCode, answer, res.Close)
	}
}

// Clients that send all of a body before they look at the answer get it nevertheless: a
// connection that is closed under them is a failure of the network.
func TestABodyThatNobodyReadsMayBeSentToItsEnd(t *testing.T) {
	const length = 16 << 20 // more than the buffers of a connection hold
	full := strings.Repeat("x", length)
	small, large := echo(t, Limits{MaxBody: 100, MaxDiscard: 2 * length}), echo(t, Limits{MaxBody: 2 * length})
	for name, test := range map[string]struct {
		server *httptest.Server
		raw    string
		status int
		answer string
	}{
		"too large":              {small, post(asJSON, full), 413, fmt.Sprintf("the body is %d bytes long; the limit is 100 bytes", length)},
		"a form":                 {small, "POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: " + strconv.Itoa(length+len("--b\r\n\r\n")) + "\r\n\r\n--b\r\n\r\n" + full, 413, "the body is longer than 100 bytes"},
		"not looked at":          {large, "POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: " + strconv.Itoa(length) + "\r\n\r\n" + full, 401, ""},
		"chunked, not looked at": {large, "POST /unread HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n", length) + full + "\r\n0\r\n\r\n", 401, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res, answer := exchange(t, test.server, test.raw)
			if res.StatusCode != test.status || !res.Close || answer != test.answer {
				t.Errorf("%d %q, close %t", res.StatusCode, answer, res.Close)
			}
		})
	}
}
