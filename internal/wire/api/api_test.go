package api

import (
	"cmp"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/strictjson"
	"github.com/drover-go/drover/internal/wire/access"
	"github.com/drover-go/drover/internal/wire/request"
	"github.com/drover-go/drover/storage/projects"
)

// typed is an interface that has nothing in common with v1 but what is shared:
// bearer tokens, errors with types whose status counts, three codings, null for
// nothing, and fields that nobody knows.
func typed(o Interface) Interface {
	o.Below, o.AnswerTimeout, o.Logger = "/t/", time.Minute, cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	o.Authenticate = func(x *Exchange) (context.Context, error) {
		switch x.R.Header.Get("Authorization") {
		case "Bearer good":
			return projects.With(x.R.Context(), projects.Project{ID: "p"}), nil
		case "":
			return nil, errtypes.OfType(errtypes.TypeTokenNotProvided, "a token is required")
		}
		return nil, errtypes.OfType(errtypes.TypeInvalidToken, "the token is not valid")
	}
	o.Error = func(x *Exchange, f Failure) Answer {
		status, name := f.Status, cmp.Or(f.Public.Type, errtypes.TypeInvalidRequest)
		if f.Public.Type != "" {
			status = f.Public.Type.HTTPStatus()
		}
		return Answer{status, map[string]any{"error": map[string]any{"type": name, "message": f.Public.Message}}}
	}
	o.Bodies = request.Rules{Limits: request.Limits{MaxBody: 100}, Codings: []string{"gzip", "deflate", "br"}}
	o.JSON = strictjson.Options{NullIsAbsent: true, IgnoreUnknown: true}
	return o
}

func echoName(x *Exchange) (Answer, error) {
	name := "nobody"
	err := x.Body(strictjson.Closed(strictjson.Fields{"name": strictjson.String(&name)}))
	return Created(map[string]string{"name": name}), err
}

var typedRoutes = []Route{
	{Method: "POST", Pattern: "/t/things", Call: echoName},
	{Method: "GET", Pattern: "/t/things/{id}", Call: func(x *Exchange) (Answer, error) { return OK(x.Path("id")), nil }},
	{Method: "GET", Pattern: "/t/things/mine", Call: func(x *Exchange) (Answer, error) {
		p, _ := projects.From(x.R.Context())
		return OK(p.ID + x.Record.ProjectID), nil
	}},
	{Method: "DELETE", Pattern: "/t/things/{name}", Call: func(*Exchange) (Answer, error) { return NoContent(), nil }},
	{Method: "GET", Pattern: "/t/open", Public: true, Call: func(x *Exchange) (Answer, error) {
		if x.R.URL.Query().Get("signature") != "good" {
			return OK("let in"), x.Authenticate()
		}
		return OK("signed"), nil
	}},
	{Method: "POST", Pattern: "/t/open", Call: echoName},
	{Method: "GET", Pattern: "/t/fault", Call: func(*Exchange) (Answer, error) { return Answer{}, errors.New("secret") }},
	{Method: "GET", Pattern: "/t/busy", Call: func(*Exchange) (Answer, error) {
		return Answer{}, errtypes.OfType(errtypes.TypeRateLimitExceeded, "too fast")
	}},
	{Method: "GET", Pattern: "/t/panic", Call: func(*Exchange) (Answer, error) { panic("secret") }},
	{Method: "GET", Pattern: "/t/unsayable", Call: func(*Exchange) (Answer, error) { return OK(make(chan int)), nil }},
	{Method: "POST", Pattern: "/t/any", Call: func(x *Exchange) (Answer, error) {
		data, err := request.Bytes(x.W, x.R, x.in.Bodies)
		return OK(string(data)), err
	}},
}

// serve asks a typed interface. The request is as in HTTP, its lines cut by
// newlines; it has a token unless it says that it has none.
func serve(t *testing.T, raw string) *httptest.ResponseRecorder {
	t.Helper()
	head, body, _ := strings.Cut(raw, "\n\n")
	lines := strings.Split(head, "\n")
	method, target, _ := strings.Cut(lines[0], " ")
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer good")
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	New(typed(Interface{}), typedRoutes).ServeHTTP(w, r.WithContext(access.With(t.Context(), &access.Record{})))
	return w
}

func TestAnInterfaceDecidesForItself(t *testing.T) {
	const asJSON = "\nContent-Type: application/json"
	failure := func(name, message string) string {
		return fmt.Sprintf(`{"error":{"message":%q,"type":%q}}`, message, name)
	}
	for raw, want := range map[string]struct {
		status int
		body   string
	}{
		// Who is let in, and what the others learn.
		"GET /t/things/mine":                                 {200, `"pp"`},
		"GET /t/things/mine\nAuthorization: ":                {401, failure("token-not-provided", "a token is required")},
		"GET /t/nothing\nAuthorization: Bearer bad":          {401, failure("invalid-token", "the token is not valid")},
		"PUT /t/things\nAuthorization: ":                     {401, failure("token-not-provided", "a token is required")},
		"GET /elsewhere\nAuthorization: ":                    {404, failure("page-not-found", "there is no such path")},
		"GET /t/open?signature=good\nAuthorization: ":        {200, `"signed"`},
		"GET /t/open\nAuthorization: ":                       {401, failure("token-not-provided", "a token is required")},
		"GET /t/open":                                        {200, `"let in"`},
		"POST /t/open\nAuthorization: " + asJSON + "\n\n{}":  {401, failure("token-not-provided", "a token is required")},
		"DELETE /t/open\nAuthorization: ":                    {401, failure("token-not-provided", "a token is required")},
		"POST /t/open?signature=good\nAuthorization: \n\n{}": {401, failure("token-not-provided", "a token is required")},
		"GET /t/nothing":                                     {404, failure("page-not-found", "there is no such path")},
		"GET /t/things//mine":                                {404, failure("page-not-found", "there is no such path")},
		"GET /t/things/mine/":                                {404, failure("page-not-found", "there is no such path")},
		"GET /t/things/%2e%2e/open":                          {404, failure("page-not-found", "there is no such path")},
		"PUT /t/things":                                      {405, failure("method-not-allowed", "the method must be one of OPTIONS, POST")},
		"PATCH /t/things/7":                                  {405, failure("method-not-allowed", "the method must be one of DELETE, GET, HEAD, OPTIONS")},
		"DELETE /t/things/mine":                              {405, failure("method-not-allowed", "the method must be one of GET, HEAD, OPTIONS")},
		"OPTIONS /t/things/7":                                {204, ""},
		"DELETE /t/things/7":                                 {204, ""},
		"HEAD /t/things/7":                                   {200, ""},
		"GET /t/things/owner~a%2Fb%20c":                      {200, `"owner~a/b c"`},
		// Errors.
		"GET /t/fault":     {500, failure("invalid-request", "internal error")},
		"GET /t/panic":     {500, failure("invalid-request", "internal error")},
		"GET /t/unsayable": {500, failure("invalid-request", "internal error")},
		"GET /t/busy":      {429, failure("rate-limit-exceeded", "too fast")},
		// Bodies.
		"POST /t/things" + asJSON + "\n\n{\"name\":\"x\",\"more\":[null]}":               {201, `{"name":"x"}`},
		"POST /t/things" + asJSON + "\n\n{\"name\":null}":                                {201, `{"name":"nobody"}`},
		"POST /t/things" + asJSON + "\n\n{\"name\":7}":                                   {400, failure("invalid-request", "name must be a string, not a number")},
		"POST /t/things" + asJSON:                                                        {400, failure("invalid-request", "a body is required")},
		"POST /t/things\nContent-Type: text/plain\n\n{}":                                 {400, failure("invalid-content-type-header", `the Content-Type of the body must be application/json, not "text/plain"`)},
		"POST /t/things" + asJSON + "\nContent-Encoding: bla\n\n{}":                      {415, failure("unsupported-content-encoding", `the Content-Encoding of the body must be gzip, deflate, br or none, not "bla"`)},
		"POST /t/things" + asJSON + "\nContent-Encoding: br\n\nno":                       {400, failure("invalid-request", "the body is not valid br")},
		"POST /t/things" + asJSON + "\nContent-Encoding: deflate\n\nno":                  {400, failure("invalid-request", "the body is not valid deflate")},
		"POST /t/things" + asJSON + "\n\n" + strings.Repeat(" ", 101):                    {413, failure("request-too-large", "the body is 101 bytes long; the limit is 100 bytes")},
		"POST /t/things" + asJSON + "\nContent-Encoding: br\n\n" + broken("br", 101):     {413, failure("request-too-large", "the body is 101 bytes long; the limit is 100 bytes")},
		"POST /t/things" + asJSON + "\nContent-Encoding: br\n\n" + coded("br"):           {201, `{"name":"br"}`},
		"POST /t/things" + asJSON + "\nContent-Encoding: deflate\n\n" + coded("deflate"): {201, `{"name":"deflate"}`},
		"POST /t/any\nContent-Type: image/png\n\nbytes":                                  {200, `"bytes"`},
		"POST /t/any\nContent-Type: image/png\nContent-Encoding: zstd\n\nbytes":          {415, failure("unsupported-content-encoding", `the Content-Encoding of the body must be gzip, deflate, br or none, not "zstd"`)},
	} {
		w := serve(t, raw)
		if got := strings.TrimSpace(w.Body.String()); w.Code != want.status || !sameJSON(got, want.body) {
			t.Errorf("%s:\n got %d %s\nwant %d %s", raw, w.Code, got, want.status, want.body)
		}
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	return a == b || json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && fmt.Sprint(x) == fmt.Sprint(y)
}

// coded is an object with the name of its coding.
func coded(coding string) string { return through(coding, `{"name":"`+coding+`"}`) }

// broken is a body of so many bytes that are no JSON.
func broken(coding string, size int) string { return through(coding, strings.Repeat("x", size)) }

func through(coding, text string) string {
	var b strings.Builder
	var w io.WriteCloser = brotli.NewWriter(&b)
	if coding == "deflate" {
		w = zlib.NewWriter(&b)
	}
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

func TestHeadersOfFailures(t *testing.T) {
	for raw, want := range map[string]string{
		"GET /t/busy":         "Retry-After: 1",
		"PUT /t/things":       "Allow: OPTIONS, POST",
		"OPTIONS /t/things/7": "Allow: DELETE, GET, HEAD, OPTIONS",
		"POST /t/things\nContent-Type: application/json\nContent-Encoding: bla\n\n{}": "Accept-Encoding: gzip, deflate, br",
	} {
		name, value, _ := strings.Cut(want, ": ")
		if got := serve(t, raw).Header().Get(name); got != value {
			t.Errorf("%s: %s: %q, want %q", raw, name, got, value)
		}
	}
}

// The log calls a request by the pattern of its route.
func TestTheRecordHasThePattern(t *testing.T) {
	for call, want := range map[string]string{
		"GET /t/things/7": "/t/things/{id}", "DELETE /t/things/7": "/t/things/{name}", "PUT /t/things/7": "/t/things/{id}",
		"GET /t/things/mine": "/t/things/mine", "GET /t/nothing": "", "GET /t/things/../x": "",
	} {
		record := &access.Record{}
		method, path, _ := strings.Cut(call, " ")
		r := httptest.NewRequest(method, path, nil)
		New(typed(Interface{}), typedRoutes).ServeHTTP(httptest.NewRecorder(), r.WithContext(access.With(t.Context(), record)))
		if record.Route != want {
			t.Errorf("%s: %q, want %q", call, record.Route, want)
		}
	}
}

func TestNoMethodOfAPathStandsTwice(t *testing.T) {
	defer func() {
		if said := fmt.Sprint(recover()); said != "api: GET /t/things/{other} is there twice" {
			t.Errorf("%s", said)
		}
	}()
	New(typed(Interface{}), append(typedRoutes[:len(typedRoutes):len(typedRoutes)], Route{Method: "GET", Pattern: "/t/things/{other}"}))
}
