package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/storage/projects"
)

// get asks a server for a document.
func get(t *testing.T, method string, d *Document) (*http.Response, string, error) {
	t.Helper()
	s := httptest.NewServer(New(typed(Interface{}), []Route{
		{Method: "GET", Pattern: "/t/document", Public: true, Call: func(*Exchange) (Answer, error) { return OK(d), nil }},
	}))
	t.Cleanup(s.Close)
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/t/document", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res, string(body), err
}

// writes is a document of pieces that ends with an error, or nil.
func writes(err error, pieces ...string) *Document {
	return &Document{Type: "text/plain", Header: http.Header{"X-More": {"1"}}, Write: func(w io.Writer) error {
		for _, p := range pieces {
			if _, err := io.WriteString(w, p); err != nil {
				return err
			}
		}
		return err
	}}
}

func TestADocumentIsSent(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2*documentBuffer)
	for name, c := range map[string]struct {
		d      *Document
		want   string
		length int64
	}{
		"nothing": {writes(nil), "", 0},
		"little":  {writes(nil, "a", "b"), "ab", 2},
		"a lot":   {writes(nil, long, long), long + long, -1},
	} {
		res, body, err := get(t, "GET", c.d)
		if err != nil || res.StatusCode != 200 || body != c.want || res.ContentLength != c.length || res.Header.Get("X-More") != "1" || res.Header.Get("Content-Type") != "text/plain" {
			t.Errorf("%s: %v, %d, %d bytes, Content-Length %d, %v", name, err, res.StatusCode, len(body), res.ContentLength, res.Header)
		}
	}
	res, body, err := get(t, "HEAD", &Document{Type: "text/plain", Write: func(io.Writer) error { panic("it is written") }})
	if err != nil || res.StatusCode != 200 || body != "" || res.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("%v, %d, %q, %v", err, res.StatusCode, body, res.Header)
	}
}

func TestADocumentThatFails(t *testing.T) {
	t.Parallel()
	res, body, err := get(t, "GET", writes(errtypes.New(errtypes.NotFound, "it has gone"), "a"))
	if err != nil || res.StatusCode != 404 || !strings.Contains(body, "it has gone") || res.Header.Get("X-More") != "" {
		t.Errorf("at once: %v, %d, %s, %v", err, res.StatusCode, body, res.Header)
	}
	res, body, err = get(t, "GET", writes(errors.New("broken"), strings.Repeat("x", 2*documentBuffer)))
	if err == nil || res.StatusCode != 200 || strings.Contains(body, "broken") {
		t.Errorf("in the middle: %v, %d, %d bytes", err, res.StatusCode, len(body))
	}
	short := writes(nil, "a")
	short.Header.Set("Content-Length", "2")
	if _, body, err = get(t, "GET", short); err == nil {
		t.Errorf("shorter than it said: %q", body)
	}
}

func TestARouteLetsCallersInByItself(t *testing.T) {
	t.Parallel()
	name := func(x *Exchange) (Answer, error) {
		p, _ := projects.From(x.R.Context())
		return OK(p.ID), nil
	}
	h := New(typed(Interface{}), []Route{
		{Method: "GET", Pattern: "/t/x", Call: name, Authenticate: func(x *Exchange) (context.Context, error) {
			if x.R.URL.Query().Get("word") != "friend" {
				return nil, errtypes.OfType(errtypes.TypeInvalidSignature, "say the word")
			}
			return projects.With(x.R.Context(), projects.Project{ID: "own"}), nil
		}},
		{Method: "POST", Pattern: "/t/x", Call: name},
	})
	for request, want := range map[string]int{"GET /t/x?word=friend": 200, "GET /t/x": 400, "POST /t/x?word=friend": 401, "PUT /t/x?word=friend": 401} {
		method, target, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, target, nil))
		if w.Code != want || want == 200 && strings.TrimSpace(w.Body.String()) != `"own"` {
			t.Errorf("%s: %d %s", request, w.Code, w.Body)
		}
	}
}
