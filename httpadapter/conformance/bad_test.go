package conformance

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/httpadapter"
	"github.com/drover-go/drover/internal/testlevel"
)

// bad is a request that only raw bytes can make. The many others, which are
// text, stand in testdata.
type bad struct {
	name   string
	raw    string
	status int
	// message is that of the JSON body.
	message string
}

// plain stands for the text of net/http, which refuses some requests before a
// handler sees them.
const plain = "<plain text>"

const good = `{"name":"x"}`

// request makes the bytes of a POST of an agent with the test's key.
func post(headers, body string) string {
	return fmt.Sprintf("POST /v1/agents HTTP/1.1\r\nHost: drover.test\r\nX-SVC-API-Key: <key>\r\n%sContent-Length: %d\r\n\r\n%s", headers, len(body), body)
}

// framed is a POST whose headers say how long the body is.
func framed(headers, body string) string {
	return "POST /v1/agents HTTP/1.1\r\nHost: drover.test\r\nX-SVC-API-Key: <key>\r\nContent-Type: application/json\r\n" + headers + "\r\n" + body
}

const (
	typed  = "Content-Type: application/json\r\n"
	zipped = typed + "Content-Encoding: gzip\r\n"
	// most is the default limit on bodies.
	most = 9_437_184
)

func zip(t testing.TB, r io.Reader) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.Copy(w, r); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func badRequests(t *testing.T) []bad {
	whole := zip(t, strings.NewReader(good))
	return []bad{
		// Text that is none.
		{"invalid UTF-8 in a value", post(typed, "{\"name\":\"a\xff\"}"), 400, "the body is not valid UTF-8 at line 1, column 11"},
		{"invalid UTF-8 in a name", post(typed, "{\"n\xc3\":1}"), 400, "the body is not valid UTF-8 at line 1, column 4"},
		{"overlong UTF-8", post(typed, "{\"name\":\"\xc0\xaf\"}"), 400, "the body is not valid UTF-8 at line 1, column 10"},
		{"UTF-8 of a surrogate", post(typed, "{\"name\":\"\xed\xa0\x80\"}"), 400, "the body is not valid UTF-8 at line 1, column 10"},
		{"UTF-16", post(typed, "\xff\xfe{\x00}\x00"), 400, "the body is not valid UTF-8 at line 1, column 1"},
		{"a byte order mark", post(typed, "\xef\xbb\xbf"+good), 400, "the body is not valid JSON at line 1, column 1"},
		{"a control character in a value", post(typed, "{\"name\":\"a\x00\"}"), 400, "the body is not valid JSON at line 1, column 11"},
		{"nested without end", post(typed, strings.Repeat("[", 1_000_000)), 400, "the body is nested more than 128 levels deep"},
		{"invalid UTF-8 in the query", "GET /v1/agents?cursor=\xff HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\n\r\n", 400, "cursor must be valid UTF-8"},
		{"escaped invalid UTF-8 in the query", "GET /v1/agents?cursor=%ff HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\n\r\n", 400, "cursor must be valid UTF-8"},
		{"invalid UTF-8 in the path", "GET /v1/agents/\xff HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\n\r\n", 404, `there is no agent "\xff"`},
		{"invalid UTF-8 in the key", "GET /v1/agents HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: \xff\r\n\r\n", 401, "the API key is not valid"},

		{"invalid UTF-8 in a filter", "GET /v1/downloads?sessionId=x&filename=%ff HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\n\r\n", 400, "filename must be valid UTF-8"},
		{"invalid UTF-8 in the id of a session", "GET /v1/downloads?sessionId=%ff HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\n\r\n", 400, "sessionId must be valid UTF-8"},
		{"invalid UTF-8 in the id of a download", "DELETE /v1/downloads/\xff HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\n\r\n", 404, `there is no download "\xff"`},
		{"a path in the id of a download", "GET /v1/downloads/..%2f..%2fdrover.db HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\n\r\n", 404, "there is no such path"},
		{"a NUL in the id of a download", "GET /v1/downloads/%00 HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\n\r\n", 404, `there is no download "\x00"`},
		{"invalid UTF-8 in Accept", "GET /v1/downloads/x HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\nAccept: \xff/\xff\r\n\r\n", 406,
			"the header Accept must allow application/json or application/octet-stream"},
		{"an Accept of many", "GET /v1/downloads/x HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\nAccept: " + strings.Repeat("a/b;q=0.1,", 5000) + "*/*\r\n\r\n", 404, `there is no download "x"`},
		{"a body to delete", "DELETE /v1/downloads/x HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\nContent-Length: 1\r\n\r\n{", 404, `there is no download "x"`},

		// Size.
		{"a terabyte that is announced only", framed("Expect: 100-continue\r\nContent-Length: 1099511627776\r\n", ""), 413,
			"the body is 1099511627776 bytes long; the limit is 9437184 bytes"},
		{"a path beyond the headers' limit", "GET /v1/" + strings.Repeat("x", 100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n", 431, plain},
		{"headers beyond their limit", "GET /v1/agents HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("x", 100_000) + "\r\n\r\n", 431, plain},
		{"headers without end", "GET /v1/agents HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X-Many: y\r\n", 10_000) + "\r\n", 431, plain},
		{"a key beyond its limit", "GET /v1/agents HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: " + strings.Repeat("x", 60_000) + "\r\n\r\n", 401, "the API key is not valid"},

		// Compression.
		{"no gzip at all", post(zipped, good), 400, "the body is not valid gzip"},
		{"gzip that breaks off", post(zipped, whole[:len(whole)-5]), 400, "the body is not valid gzip"},
		{"gzip with a wrong sum", post(zipped, whole[:len(whole)-8]+"\x00\x00\x00\x00"+whole[len(whole)-4:]), 400, "the body is not valid gzip"},
		{"gzip with a tail", post(zipped, whole+"tail"), 400, "the body is not valid gzip"},
		{"gzip of something else", post(zipped, zip(t, strings.NewReader("<html>"))), 400, "the body is not valid JSON at line 1, column 1"},
		{"gzip of nothing", post(zipped, zip(t, strings.NewReader(""))), 400, "the body is empty where a JSON value is expected"},
		{"gzip in gzip", post(typed+"Content-Encoding: gzip, gzip\r\n", whole), 415, `the Content-Encoding of the body must be gzip or none, not "gzip, gzip"`},
		{"deflate", post(typed+"Content-Encoding: deflate\r\n", good), 415, `the Content-Encoding of the body must be gzip or none, not "deflate"`},

		// Framing.
		{"a body that ends too early", framed("Content-Length: 100\r\n", good+halfClose), 400, "the body is broken off or badly framed"},
		{"a chunk that ends too early", framed("Transfer-Encoding: chunked\r\n", "5\r\n{"+halfClose), 400, "the body is broken off or badly framed"},
		{"a chunk of no number", framed("Transfer-Encoding: chunked\r\n", "x\r\n{}\r\n0\r\n\r\n"), 400, "the body is broken off or badly framed"},
		{"a chunk longer than it says", framed("Transfer-Encoding: chunked\r\n", "1\r\n{}\r\n0\r\n\r\n"), 400, "the body is broken off or badly framed"},
		{"a chunk of a huge length", framed("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n{}\r\n0\r\n\r\n"), 400, "the body is broken off or badly framed"},
		{"chunks of nothing", framed("Transfer-Encoding: chunked\r\n", "0\r\n\r\n"), 400, "a body is required"},
		{"two lengths", framed("Content-Length: 12\r\nContent-Length: 13\r\n", good), 400, plain},
		{"a negative length", framed("Content-Length: -1\r\n", good), 400, plain},
		{"a length that is no number", framed("Content-Length: 1e1\r\n", good), 400, plain},
		{"another transfer coding", framed("Transfer-Encoding: gzip\r\n", whole), 501, plain},
		{"two transfer codings", framed("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"), 501, plain},

		// Smuggling: another request must not be read out of a body.
		{"a length and chunks", framed("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "c\r\n"+good+"\r\n0\r\n\r\n"), 201, ""},
		{"a header with a space before its colon", framed("Transfer-Encoding : chunked\r\nContent-Length: 12\r\n", good), 400, plain},
		{"a header that goes on in the next line", "GET /v1/agents HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key:\r\n <key>\r\n\r\n", 200, ""},
		{"a header with a line end alone", "GET /v1/agents HTTP/1.1\r\nHost: x\r\nX-A: b\rX-SVC-API-Key: <key>\r\n\r\n", 400, plain},
		{"a header with a NUL", "GET /v1/agents HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\x00\r\n\r\n", 400, plain},
		{"a key in a trailer", "POST /v1/agents HTTP/1.1\r\nHost: x\r\nTrailer: X-SVC-API-Key\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-SVC-API-Key: <key>\r\n\r\n", 401,
			"an API key is required in one of the headers X-SVC-API-Key, X-BB-API-Key"},
		{"a request id with a line end", "GET /v1/agents HTTP/1.1\r\nHost: x\r\nX-Request-Id: a%0d%0aSet-Cookie: b\r\n\r\n", 401, "an API key is required in one of the headers X-SVC-API-Key, X-BB-API-Key"},

		// Protocol.
		{"no host", "GET /v1/agents HTTP/1.1\r\nX-SVC-API-Key: <key>\r\n\r\n", 400, plain},
		{"two hosts", "GET /v1/agents HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, plain},
		{"a bad host", "GET /v1/agents HTTP/1.1\r\nHost: a b\r\n\r\n", 400, plain},
		{"HTTP/1.0 without a key", "GET /v1/agents HTTP/1.0\r\n\r\n", 401, "an API key is required in one of the headers X-SVC-API-Key, X-BB-API-Key"},
		{"HTTP/1.0 with a key", "GET /v1/agents HTTP/1.0\r\nX-SVC-API-Key: <key>\r\n\r\n", 200, ""},
		{"HTTP/3.0", "GET /v1/agents HTTP/3.0\r\nHost: x\r\n\r\n", 505, plain},
		{"no protocol", "GET /v1/agents\r\n\r\n", 400, plain},
		{"no HTTP at all", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400, plain},
		{"a space in the path", "GET /v1/agents x HTTP/1.1\r\nHost: x\r\n\r\n", 400, plain},
		{"a whole URL", "GET http://evil.example/v1/agents HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\n\r\n", 200, ""},
		{"a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\nX-SVC-API-Key: <key>\r\n\r\n", 404, "there is no such path"},
		{"a bad escape in the path", "GET /v1/agents/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, plain},
		{"an upgrade", "GET /v1/agents HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-SVC-API-Key: <key>\r\n\r\n", 200, ""},
		{"an expectation nobody knows", framed("Expect: a miracle\r\nContent-Length: 12\r\n", good), 417, ""},
	}
}

// largeRequests are those around the default limit on bodies.
func largeRequests(t *testing.T) []bad {
	bomb := zip(t, io.LimitReader(zeros{}, 1<<27)) // 128 MiB in 128 KiB
	exact := `{"name":"` + strings.Repeat("x", most-len(`{"name":""}`)) + `"}`
	return []bad{
		{"one byte too many", post(typed, exact+" "), 413, "the body is 9437185 bytes long; the limit is 9437184 bytes"},
		{"one byte too many in gzip", post(zipped, zip(t, strings.NewReader(exact+" "))), 413, "the body is 9437185 bytes long; the limit is 9437184 bytes"},
		{"as large as it may be", post(typed, exact), 400, "name must be 1 to 255 characters of valid UTF-8"},
		{"a decompression bomb", post(zipped, bomb), 413, "the body is at least 67108864 bytes long; the limit is 9437184 bytes"},
	}
}

// slowRequests are those that stop in the middle.
func slowRequests(t *testing.T) []bad {
	const slow = "the body came too slowly: each piece may take 100ms and all of it 5m0s"
	whole := zip(t, strings.NewReader(good))
	return []bad{
		{"a slow body", framed("Content-Length: 100\r\n", good), 408, slow},
		{"a slow body in chunks", framed("Transfer-Encoding: chunked\r\n", "1\r\n{\r\n"), 408, slow},
		{"a body that never begins", framed("Transfer-Encoding: chunked\r\n", ""), 408, slow},
		{"a slow body in gzip", framed("Content-Encoding: gzip\r\nContent-Length: 100\r\n", whole[:12]), 408, slow},
		{"a slow body of another type", "POST /v1/agents HTTP/1.1\r\nHost: x\r\nX-SVC-API-Key: <key>\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<", 415,
			`the Content-Type of the body must be application/json, not "text/html"`},
		{"a slow body without a key", "POST /v1/agents HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", 401, "an API key is required in one of the headers X-SVC-API-Key, X-BB-API-Key"},
	}
}

const halfClose = "<half-close>"

func TestBadRequestsOverASocket(t *testing.T) {
	t.Parallel()
	playBad(t, httpadapter.Options{}, badRequests(t))
}

func TestLargeRequestsOverASocket(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "megabytes of JSON")
	playBad(t, httpadapter.Options{}, largeRequests(t))
}

func TestSlowRequestsOverASocket(t *testing.T) {
	t.Parallel()
	playBad(t, httpadapter.Options{BodyIdleTimeout: 100 * time.Millisecond}, slowRequests(t))
}

func playBad(t *testing.T, o httpadapter.Options, all []bad) {
	w := build(t, config{adapter: o})
	address := serve(t, w.handler)
	for _, b := range all {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			res, body := sendRaw(t, address, strings.ReplaceAll(b.raw, "<key>", w.words["<key>"]))
			if res.StatusCode != b.status {
				t.Errorf("%d, want %d: %.500s", res.StatusCode, b.status, body)
			}
			if got := messageOf(body); got != b.message {
				t.Errorf("got %.500q\nwant %q", got, b.message)
			}
		})
	}
}

// sendRaw writes bytes on a connection of their own. The answer may come
// before all of them are written.
func sendRaw(t *testing.T, address, raw string) (*http.Response, []byte) {
	t.Helper()
	conn, in := dial(t, address)
	defer conn.Close()
	raw, half := strings.CutSuffix(raw, halfClose)
	written := make(chan struct{})
	defer func() { <-written }()
	defer conn.Close()
	go func() {
		defer close(written)
		if _, err := io.WriteString(conn, raw); err == nil && half {
			_ = conn.(*net.TCPConn).CloseWrite()
		}
	}()
	res, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, body
}

// messageOf is empty for an answer that is no error.
func messageOf(body []byte) string {
	if len(body) > 0 && body[0] != '{' {
		return plain
	}
	if len(body) == 0 {
		return ""
	}
	var e struct{ Message string }
	if err := json.Unmarshal(body, &e); err != nil {
		return err.Error()
	}
	return e.Message
}
