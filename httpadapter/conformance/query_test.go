package conformance

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// Every parameter of a query that the document knows is sent empty to its
// route: the answer is the one without it.
func TestAnEmptyParameterIsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "downloads")
	checked := 0
	for _, d := range loadInterfaces(t) {
		for path, item := range d.doc.Paths.Map() {
			for method, op := range item.Operations() {
				for _, p := range append(op.Parameters, item.Parameters...) {
					if p.Value.In == openapi3.ParameterInQuery {
						w.checkEmpty(t, method, path, p.Value.Name, op.Parameters)
						checked++
					}
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d parameters were looked at", checked)
	}
}

// checkEmpty asks with what the route requires, with and without the empty
// parameter. One that is required is left out in one and empty in the other.
func (w *world) checkEmpty(t *testing.T, method, path, name string, all openapi3.Parameters) {
	t.Helper()
	q := url.Values{}
	for _, p := range all {
		if p.Value.Required && p.Value.In == openapi3.ParameterInQuery && p.Value.Name != name {
			q.Set(p.Value.Name, w.words["<session>"])
		}
	}
	if name != "sessionId" && strings.HasSuffix(path, "/downloads") {
		q.Set("sessionId", w.words["<session>"])
	}
	target := inPath.ReplaceAllString(path, w.words["<session>"])
	without := w.ask(method, target, q)
	q.Set(name, "")
	if diff := cmp.Diff(without, w.ask(method, target, q)); diff != "" {
		t.Errorf("%s %s with an empty %s:\n%s", method, path, name, diff)
	}
}

var inPath = regexp.MustCompile(`\{\w+\}`)

type outcome struct {
	Status int
	Body   string
}

func (w *world) ask(method, path string, q url.Values) outcome {
	r := httptest.NewRequest(method, path+"?"+q.Encode(), nil)
	r.Header.Set("X-SVC-API-Key", w.words["<key>"])
	r.Header.Set("Authorization", "Bearer "+w.words["<key>"])
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	var b bytes.Buffer // of what is made by a call, ids are always others
	if json.Indent(&b, rec.Body.Bytes(), "", " ") == nil {
		return outcome{rec.Code, newMask(nil, false).hide(b.String())}
	}
	return outcome{rec.Code, rec.Body.String()}
}

// A number of the documents is one in every form that JSON has.
func TestNumbersOfDownloadsComeInAnyForm(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "downloads")
	for raw, plain := range map[string]string{
		"limit=2e0&offset=1.0": "limit=2&offset=1", "limit=1e2": "limit=100", "limit=100.0&offset=0e5": "limit=100&offset=0",
		"offset=1e3": "offset=1000", "offset=2000e-3": "offset=2",
	} {
		session := "&sessionId=" + w.words["<session>"]
		want := w.ask(http.MethodGet, "/v1/downloads", must(url.ParseQuery(plain+session))(t))
		got := w.ask(http.MethodGet, "/v1/downloads", must(url.ParseQuery(raw+session))(t))
		if diff := cmp.Diff(want, got); diff != "" || got.Status != http.StatusOK {
			t.Errorf("%s: %s", raw, diff)
		}
	}
}
