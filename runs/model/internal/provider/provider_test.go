package provider

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/model"
)

const secret = "sk-s3cr3t"

// serve starts a provider and returns a client of it.
func serve(t *testing.T, o Options, h http.HandlerFunc) *Client {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	t.Cleanup(srv.CloseClientConnections)
	o.Base = srv.URL + "/v1"
	o.Header = map[string]string{"Authorization": "Bearer " + secret}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// post returns all that a provider says as "name|data".
func post(ctx context.Context, c *Client) (all []string, err error) {
	a, err := c.Post(ctx, "chat/completions", []byte(`{"x":1}`))
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for {
		e, err := a.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, e.Name+"|"+string(e.Data))
	}
}

func TestARequest(t *testing.T) {
	c := serve(t, Options{Query: "alt=sse"}, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || r.URL.RequestURI() != "/v1/chat/completions?alt=sse" || r.Header.Get("Authorization") != "Bearer "+secret ||
			r.Header.Get("Content-Type") != "application/json" || string(body) != `{"x":1}` {
			t.Errorf("%s %s %v %s", r.Method, r.URL, r.Header, body)
		}
		w.Header().Set("X-Request-Id", "req-7")
		fmt.Fprint(w, `{"ok":true}`)
	})
	a, err := c.Post(t.Context(), "chat/completions", []byte(`{"x":1}`))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.RequestID() != "req-7" {
		t.Errorf("request id %q", a.RequestID())
	}
}

// A stream is read where a document was asked for, and the other way round.
func TestBodies(t *testing.T) {
	for name, c := range map[string]struct {
		kind, body string
		want       string
	}{
		"a stream":             {"text/event-stream; charset=utf-8", "data: a\n\nevent: x\ndata: b\n\n", "[|a x|b]"},
		"a document":           {"application/json", "\n{\"a\":1}\n", `[|{"a":1}]`},
		"lines":                {"application/x-ndjson", "{\"a\":1}\n{\"b\":2}\n", `[|{"a":1} |{"b":2}]`},
		"a stream by its look": {"application/json", "data: a\n\ndata: b", "[|a |b]"},
		"nothing":              {"application/json", "", "[]"},
		"a stream of nothing":  {"text/event-stream", ": hello\n\n", "[]"},
		"no type":              {"", `{"a":1}`, `[|{"a":1}]`},
	} {
		client := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.kind)
			fmt.Fprint(w, c.body)
		})
		if got, err := post(t.Context(), client); err != nil || fmt.Sprint(got) != c.want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		status    int
		header    string
		body      string
		kind      model.ErrorKind
		temporary bool
		delay     time.Duration
		says      string
	}{
		"a wrong key":               {401, "", `{"error":{"message":"Incorrect key sk-s3cr3t","type":"invalid_request_error","code":"invalid_api_key"}}`, model.ErrorAuth, false, 0, "refuses the key: Incorrect key ***"},
		"no word for it":            {401, "", `{"error":{"message":"no","type":"invalid_request_error","code":null}}`, model.ErrorAuth, false, 0, "no"},
		"not allowed":               {403, "", `{"type":"error","error":{"type":"permission_error","message":"no"}}`, model.ErrorAuth, false, 0, "no"},
		"a wrong key with 400":      {400, "", `{"error":{"code":400,"message":"API key not valid. Pass a valid one.","status":"INVALID_ARGUMENT"}}`, model.ErrorAuth, false, 0, "refuses the key"},
		"no such model":             {404, "", `{"error":{"message":"no model x","code":"model_not_found"}}`, model.ErrorModel, false, 0, "no model x"},
		"another model":             {404, "", `{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`, model.ErrorModel, false, 0, "does not have the model: model: x"},
		"no such route":             {404, "", `{"error":{"message":"Invalid URL (POST /chat/completions)","type":"invalid_request_error","code":null}}`, model.ErrorModel, false, 0, "is the path of the base URL right (many end in /v1)?: Invalid URL"},
		"no such page":              {404, "", "404 page not found\n", model.ErrorModel, false, 0, "has nothing at this address, or not the model; is the path of the base URL right (many end in /v1)?: 404 page not found"},
		"no money":                  {402, "", `{"error":{"message":"pay","code":402}}`, model.ErrorQuota, false, 0, "pay"},
		"a quota with 429":          {429, "Retry-After: 1", `{"error":{"message":"pay","type":"insufficient_quota","code":"insufficient_quota"}}`, model.ErrorQuota, false, time.Second, "pay"},
		"no money with 400":         {400, "", `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`, model.ErrorQuota, false, 0, "too low"},
		"a day's quota":             {429, "", `{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerDayPerProject"}]},{"retryDelay":"38s"}]}}`, model.ErrorQuota, false, 38 * time.Second, "x"},
		"a minute's quota":          {429, "", `{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED","details":[{"violations":[{"quotaId":"GenerateRequestsPerMinute"}]}]}}`, model.ErrorRate, true, 0, "x"},
		"too many":                  {429, "Retry-After: 3600", `{"error":{"message":"slowly","code":"rate_limit_exceeded"}}`, model.ErrorRate, true, time.Hour, "slowly"},
		"too many, milliseconds":    {429, "Retry-After-Ms: 250", ``, model.ErrorRate, true, 250 * time.Millisecond, "Too Many Requests"},
		"too many, a date":          {429, "Retry-After: Sat, 31 Jan 2026 12:00:30 GMT", ``, model.ErrorRate, true, 30 * time.Second, "Too Many Requests"},
		"too many, in details":      {429, "", `{"error":{"code":429,"message":"slowly","status":"RESOURCE_EXHAUSTED","details":[{"@type":"x"},{"retryDelay":"38s"}]}}`, model.ErrorRate, true, 38 * time.Second, "slowly"},
		"a delay that is none":      {429, "Retry-After: -5", ``, model.ErrorRate, true, 0, "Too Many"},
		"overloaded":                {529, "", `{"type":"error","error":{"type":"overloaded_error","message":"later"}}`, model.ErrorOverloaded, true, 0, "later"},
		"a page of a proxy":         {502, "", `<html><style>p{}</style><h1>502 Bad&nbsp;Gateway</h1><script>x()</script></html>`, model.ErrorOverloaded, true, 0, "502 Bad Gateway"},
		"no body":                   {500, "", ``, model.ErrorOverloaded, true, 0, "Internal Server Error"},
		"too slow":                  {504, "", `upstream timed out`, model.ErrorNetwork, true, 0, "upstream timed out"},
		"a conflict":                {409, "", ``, model.ErrorNetwork, true, 0, "Conflict"},
		"a text":                    {400, "", `{"error":"unknown field"}`, model.ErrorRequest, false, 0, "refuses the request: unknown field"},
		"a list":                    {400, "", `[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]`, model.ErrorRequest, false, 0, "bad"},
		"an error of no shape":      {400, "", `{"error":[1,2]}`, model.ErrorRequest, false, 0, "[1,2]"},
		"a long conversation":       {400, "", `{"error":{"message":"x","code":"context_length_exceeded","type":"invalid_request_error"}}`, model.ErrorOverflow, false, 0, "x"},
		"the same in words":         {400, "", `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, model.ErrorOverflow, false, 0, "210000"},
		"the same of others":        {400, "", `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, model.ErrorOverflow, false, 0, ""},
		"a large body":              {413, "", `too large`, model.ErrorOverflow, false, 0, "too large"},
		"a redirect":                {307, "Location: http://127.0.0.1:1/elsewhere", ``, model.ErrorRequest, false, 0, "Temporary Redirect"},
		"a success of another kind": {204, "", ``, model.ErrorOther, false, 0, "No Content"},
	} {
		client := serve(t, Options{Clock: clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))}, func(w http.ResponseWriter, _ *http.Request) {
			if name, value, ok := strings.Cut(c.header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		})
		_, err := post(t.Context(), client)
		e, ok := errors.AsType[*model.Error](err)
		if !ok {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e.Kind != c.kind || e.Temporary != c.temporary || e.RetryAfter != c.delay || !strings.Contains(e.Message, c.says) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// A stream that has begun, and servers that know one status, put the fault into
// the answer.
func TestFaultsInAnAnswer(t *testing.T) {
	c, err := New(Options{Base: "https://api.example"})
	if err != nil {
		t.Fatal(err)
	}
	f, _ := ReadFault([]byte(`{"error":{"message":"x","type":"invalid_request_error","code":"tool_use_failed","param":"tools","failed_generation":"{}"}}`))
	if got, ok := FaultOf(c.Fault(f)); !ok || got != f || got.Failed != "{}" || got.Param != "tools" {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]model.ErrorKind{
		`{"error":{"type":"overloaded_error","message":"x"}}`: model.ErrorOverloaded,
		`{"error":{"code":429,"message":"x"}}`:                model.ErrorRate,
		`{"error":{"code":"502","message":"x"}}`:              model.ErrorOverloaded,
		`{"error":"x"}`:                                       model.ErrorOther,
	} {
		f, ok := ReadFault([]byte(text))
		if e := c.Fault(f); !ok || e.Kind != want {
			t.Errorf("%s: %+v", text, e)
		}
	}
	for _, text := range []string{`{"error":null,"choices":[]}`, `{"choices":[]}`, `[]`, `1`, `"error"`, ``, `{`} {
		if f, ok := ReadFault([]byte(text)); ok {
			t.Errorf("%s: %+v", text, f)
		}
	}
}

// How long the parts of an answer may take is told by the client's clock.
func TestSlowProviders(t *testing.T) {
	slow := Timeouts{First: 2 * time.Minute, Idle: time.Minute, All: 5 * time.Minute}
	for name, c := range map[string]struct {
		headers, event bool
		pass           time.Duration
		says           string
	}{
		"no headers": {false, false, slow.First, "took too long to begin"},
		"no body":    {true, false, slow.First, "took too long to begin"},
		"half of it": {true, true, slow.Idle, "stopped in the middle"},
	} {
		t.Run(name, func(t *testing.T) {
			clk, sent := clock.NewManual(time.Now()), make(chan struct{})
			client := serve(t, Options{Clock: clk, Timeouts: slow}, func(w http.ResponseWriter, r *http.Request) {
				if c.headers {
					w.Header().Set("Content-Type", "text/event-stream")
					w.WriteHeader(http.StatusOK)
					w.(http.Flusher).Flush()
				}
				if c.event {
					fmt.Fprint(w, "data: a\n\n")
					w.(http.Flusher).Flush()
				}
				close(sent)
				<-r.Context().Done()
			})
			done := make(chan error, 1)
			got := make(chan struct{})
			go func() {
				a, err := client.Post(t.Context(), "x", nil)
				if err == nil {
					defer a.Close()
					if c.event {
						_, err = a.Next()
						close(got)
					}
					if err == nil {
						_, err = a.Next()
					}
				}
				done <- err
			}()
			<-sent
			if c.event {
				<-got
			}
			clk.Advance(c.pass)
			e, ok := errors.AsType[*model.Error](<-done)
			if !ok || !e.Temporary || e.Kind != model.ErrorNetwork || !strings.Contains(e.Message, c.says) {
				t.Errorf("%+v", e)
			}
		})
	}
}

// Who is slow, but says something in time, is heard, until all the time that an
// answer may take has passed.
func TestASlowProviderThatIsAlive(t *testing.T) {
	clk := clock.NewManual(time.Now())
	next := make(chan struct{})
	client := serve(t, Options{Clock: clk}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for range next {
			fmt.Fprint(w, "data: a\n\n")
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	})
	go func() { next <- struct{}{} }()
	a, err := client.Post(t.Context(), "x", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for i := range 5 {
		if _, err := a.Next(); err != nil {
			t.Fatalf("event %d: %v", i, err)
		}
		clk.Advance(50 * time.Second)
		next <- struct{}{}
	}
	close(next)
	if _, err := a.Next(); err != nil {
		t.Fatal(err)
	}
	clk.Advance(50 * time.Second)
	_, err = a.Next()
	if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorNetwork || !strings.Contains(e.Message, "took too long for its answer") {
		t.Errorf("%v", err)
	}
}

func TestConnectionsThatBreak(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		kind model.ErrorKind
	}{
		"before the headers": {"", model.ErrorNetwork},
		"within the body":    {"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100\r\n\r\ndata: a\n\ndata: b", model.ErrorCut},
		"no HTTP":            {"hello\r\n\r\n", model.ErrorNetwork},
	} {
		client := serve(t, Options{}, func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(conn, c.body)
			conn.Close()
		})
		_, err := post(t.Context(), client)
		if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != c.kind || !e.Temporary || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLongAnswers(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	_, _ = z.Write(make([]byte, 1<<20))
	_ = z.Close()
	for name, c := range map[string]struct{ kind, encoding, body string }{
		"a document": {"application/json", "", strings.Repeat("x", 2000)},
		"a stream":   {"text/event-stream", "", strings.Repeat("data: abc\n\n", 200)},
		"an event":   {"text/event-stream", "", "data: " + strings.Repeat("x", 200) + "\n\n"},
		"gzip":       {"application/json", "gzip", bomb.String()},
	} {
		client := serve(t, Options{MaxAnswer: 1000, MaxEvent: 100}, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", c.kind)
			if c.encoding != "" {
				w.Header().Set("Content-Encoding", c.encoding)
			}
			fmt.Fprint(w, c.body)
		})
		_, err := post(t.Context(), client)
		if e, ok := errors.AsType[*model.Error](err); !ok || e.Kind != model.ErrorMalformed || e.Temporary {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A run that is stopped does not wait for its model, and the connection is
// closed.
func TestAContextThatEnds(t *testing.T) {
	cause := errors.New("stopped")
	for name, headers := range map[string]bool{"before the headers": false, "in the body": true} {
		began, gone := make(chan struct{}), make(chan struct{})
		client := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body) // the server sees the end of a connection only then
			if headers {
				w.Header().Set("Content-Type", "text/event-stream")
				w.(http.Flusher).Flush()
			}
			close(began)
			<-r.Context().Done()
			close(gone)
		})
		ctx, cancel := context.WithCancelCause(t.Context())
		go func() { <-began; cancel(cause) }()
		if _, err := post(ctx, client); !errors.Is(err, cause) {
			t.Errorf("%s: %v", name, err)
		}
		<-gone
	}
}

func TestABaseThatIsNone(t *testing.T) {
	for _, base := range []string{"", "api.example/v1", "ftp://api.example", "https://", "https://me:pw@api.example", "https://api.example/?key=x", "://"} {
		if _, err := New(Options{Base: base}); !errtypes.Is(err, errtypes.Invalid) || strings.Contains(err.Error(), "pw") {
			t.Errorf("%q: %v", base, err)
		}
	}
}
