package httpadapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/ids"
	"github.com/drover-go/drover/internal/wire/access"
)

// logOf serves one request and returns its line in the log.
func logOf(t *testing.T, r *http.Request, h http.HandlerFunc) (line map[string]any, raw string, w *httptest.ResponseRecorder) {
	t.Helper()
	var log bytes.Buffer
	w = httptest.NewRecorder()
	func() {
		defer func() { _ = recover() }() // as net/http does
		logged(Options{Logger: slog.New(slog.NewJSONHandler(&log, nil))}, requestMetrics{}, h).ServeHTTP(w, r)
	}()
	if err := json.Unmarshal(log.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, &log)
	}
	if took, _ := line["took"].(float64); took <= 0 {
		t.Errorf("took %v", line["took"])
	}
	delete(line, "time")
	delete(line, "took")
	return line, log.String(), w
}

func TestLineHoldsThePatternAndNoSecret(t *testing.T) {
	r := httptest.NewRequest("POST", "/v1/agents/id-of-somebody?cursor=secret-cursor", strings.NewReader("secret-body"))
	r.Header.Set("X-SVC-API-Key", "secret-key")
	r.Header.Set("X-Request-Id", "trace_1.2-3")
	r.Header.Set("User-Agent", "secret-agent")
	line, raw, w := logOf(t, r, func(w http.ResponseWriter, r *http.Request) {
		record := access.From(r.Context())
		record.Route, record.ProjectID, record.Err = "/v1/agents/{agentId}", "p", errors.New("secret-error")
		w.WriteHeader(418)
		_, _ = w.Write([]byte("four"))
	})
	want := map[string]any{
		"level": "INFO", "msg": "request", "method": "POST", "route": "/v1/agents/{agentId}", "status": 418.0, "bytes": 4.0,
		"request": "trace_1.2-3", "project": "p",
	}
	if diff := cmp.Diff(want, line); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(raw, "secret") || strings.Contains(raw, "somebody") {
		t.Error(raw)
	}
	if id := w.Header().Get("X-Request-Id"); id != "trace_1.2-3" {
		t.Errorf("the answer has the id %q", id)
	}
}

func TestLineOfAnError(t *testing.T) {
	for name, test := range map[string]struct {
		err               error
		level, text, none string
	}{
		"fault":   {errors.New("disk on fire"), "ERROR", "disk on fire", ""},
		"closing": {errtypes.New(errtypes.Unavailable, "closing").WithCause(errors.New("busy")), "WARN", "closing: busy", ""},
		"page": {errtypes.New(errtypes.BadGateway, "the page is unreachable").WithCause(errors.New("dial https://x/?secret")), "WARN",
			"the page is unreachable", "secret"},
	} {
		line, raw, _ := logOf(t, httptest.NewRequest("BREW", "/", nil), func(w http.ResponseWriter, r *http.Request) {
			record := access.From(r.Context())
			record.Err, record.ID = test.err, "fetch-id"
			w.WriteHeader(errtypes.KindOf(test.err).HTTPStatus())
		})
		if line["level"] != test.level || line["error"] != test.text || line["id"] != "fetch-id" || line["method"] != "other" {
			t.Errorf("%s: %s", name, raw)
		}
		if test.none != "" && strings.Contains(raw, test.none) {
			t.Errorf("%s: %s", name, raw)
		}
	}
}

func TestLineOfARequestThatIsBrokenOff(t *testing.T) {
	line, raw, _ := logOf(t, httptest.NewRequest("GET", "/", nil), func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	if line["status"] != 499.0 {
		t.Error(raw)
	}
}

func TestAnswerWithoutStatusIs200(t *testing.T) {
	line, raw, _ := logOf(t, httptest.NewRequest("GET", "/", nil), func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("x"))
	})
	if line["status"] != 200.0 || line["bytes"] != 1.0 {
		t.Error(raw)
	}
}

func TestRequestID(t *testing.T) {
	for id, taken := range map[string]bool{
		"a": true, strings.Repeat("x", 128): true, "A-b_c.9": true,
		"": false, strings.Repeat("x", 129): false, "a b": false, "a\"b": false, "ä": false, "a\nb": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header["X-Request-Id"] = []string{id}
		got := requestID(r)
		if taken && got != id || !taken && !ids.Valid(got) {
			t.Errorf("%q became %q", id, got)
		}
	}
}

// The defaults in the comments of Options are what withDefaults fills in, and
// docs/limits.md is written from them.
func TestZeroOptionsHaveEveryDefault(t *testing.T) {
	o := Options{}.withDefaults()
	if o.Logger == nil {
		t.Error("no logger")
	}
	o.Logger = nil
	raw, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	if zero := regexp.MustCompile(`:(0|null|\[\])[,}]`).FindString(strings.Replace(string(raw), `"Logger":null`, "", 1)); zero != "" {
		t.Errorf("a field has no default: %s", raw)
	}
}
