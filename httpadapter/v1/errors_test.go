package v1

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/agents"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/wire/access"
)

// faulty is a service that fails as a test wants it to, which a real one
// cannot be made to.
type faulty struct {
	agents.Service
	get func(ctx context.Context) (agents.Agent, error)
}

func (f faulty) Get(ctx context.Context, _ string) (agents.Agent, error) { return f.get(ctx) }

func failing(t *testing.T, get func(ctx context.Context) (agents.Agent, error), log *slog.Logger) (http.Handler, string) {
	t.Helper()
	s, key := open(t)
	s.Agents = faulty{s.Agents, get}
	o := options()
	if log != nil {
		o.Logger = log
	}
	return New(s, o), key
}

// Every kind of error has a status, a body and the headers that clients need.
func TestEveryKindOfErrorHasAnAnswer(t *testing.T) {
	var current error
	h, key := failing(t, func(context.Context) (agents.Agent, error) { return agents.Agent{}, current }, nil)
	for _, kind := range errtypes.Kinds() {
		current = errtypes.New(kind, "words for the caller").WithCause(errors.New("secret words"))
		w := ask(h, "GET", "/v1/agents/x", key, "")
		status, message := kind.HTTPStatus(), "words for the caller"
		switch kind {
		case errtypes.Internal:
			message = "internal error"
		case errtypes.Canceled: // by the service, while the caller waits
			status, message = 503, "the service is closing"
		}
		want := errorBody{StatusCode: status, Error: http.StatusText(status), Message: message}
		var got errorBody
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != status || got != want || got.Error == "" {
			t.Errorf("%s: %d %s", kind, w.Code, w.Body)
		}
		if retry := w.Header().Get("X-Should-Retry"); (retry == "false") != (kind == errtypes.Conflict) {
			t.Errorf("%s: x-should-retry %q", kind, retry)
		}
		if challenge := w.Header().Get("WWW-Authenticate"); (challenge != "") != (kind == errtypes.Unauthenticated) {
			t.Errorf("%s: www-authenticate %q", kind, challenge)
		}
	}
}

func TestForeignErrorsAreKeptFromTheCaller(t *testing.T) {
	h, key := failing(t, func(context.Context) (agents.Agent, error) {
		return agents.Agent{}, errors.New("open /var/lib/secret: permission denied")
	}, nil)
	record := &access.Record{}
	r := httptest.NewRequest("GET", "/v1/agents/x", nil)
	r.Header.Set("X-Key", key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(access.With(r.Context(), record)))
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if record.Err == nil || !strings.Contains(record.Err.Error(), "/var/lib/secret") || record.Route != "/v1/agents/{agentId}" || record.ProjectID == "" {
		t.Errorf("the log gets %+v", record)
	}
}

func TestPanic(t *testing.T) {
	var log bytes.Buffer
	h, key := failing(t, func(context.Context) (agents.Agent, error) { panic("secret words") }, slog.New(slog.NewTextHandler(&log, nil)))
	w := ask(h, "GET", "/v1/agents/x", key, "")
	if w.Code != 500 || strings.TrimSpace(w.Body.String()) != `{"statusCode":500,"error":"Internal Server Error","message":"internal error"}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, want := range []string{"level=ERROR", "secret words", "errors_test.go", "route=/v1/agents/{agentId}"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, &log)
		}
	}
}

// writesThenPanics breaks down in the middle of an answer.
type writesThenPanics struct{ http.ResponseWriter }

func (w writesThenPanics) Write(p []byte) (int, error) {
	_, _ = w.ResponseWriter.Write(p[:1])
	panic("in the middle")
}

func TestPanicInTheMiddleOfAnAnswerBreaksItOff(t *testing.T) {
	s, key := open(t)
	h := New(s, options())
	r := httptest.NewRequest("GET", "/v1/agents", nil)
	r.Header.Set("X-Key", key)
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("panic %v", p)
		}
	}()
	h.ServeHTTP(writesThenPanics{httptest.NewRecorder()}, r)
	t.Error("the answer passes for whole")
}

func TestNobodyIsAnsweredWhoHasGone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	h, key := failing(t, func(ctx context.Context) (agents.Agent, error) {
		cancel()
		return agents.Agent{}, ctx.Err()
	}, nil)
	r := httptest.NewRequestWithContext(ctx, "GET", "/v1/agents/x", nil)
	r.Header.Set("X-Key", key)
	w := httptest.NewRecorder()
	defer func() {
		if p := recover(); p != http.ErrAbortHandler || w.Body.Len() > 0 {
			t.Errorf("panic %v, answer %s", p, w.Body)
		}
	}()
	h.ServeHTTP(w, r)
	t.Error("it was answered")
}

func TestServicesAreRequired(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("made without services")
		}
	}()
	New(Services{}, options())
}
