package providertest

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/model"
)

// streams are framed in many ways.
func (w Wire) streams(t *testing.T) {
	a := Answer{Text: "Grüße 🙂", Calls: []Call{{"c1", "click", `{"x":1}`}, {"c2", "read", `{"x":2}`}}}
	said, end := w.Events(a)
	events := append(append([]string(nil), said...), end...)
	all := join(events)
	between := func(what string) string { return what + strings.Join(events, what) }
	for name, reply := range map[string]Reply{
		"as ever":                {Body: all},
		"comments":               {Body: between(": hello\n\n:\n\n")},
		"events without data":    {Body: between("event: keepalive\n\n")},
		"carriage returns":       {Body: strings.ReplaceAll(all, "\n", "\r\n")},
		"only carriage returns":  {Body: strings.ReplaceAll(all, "\n", "\r")},
		"byte by byte":           {Body: all, Bytewise: true},
		"no blank line at last":  {Body: strings.TrimRight(all, "\n")},
		"a byte order mark":      {Body: "\ufeff" + all},
		"null for an error":      {Body: strings.ReplaceAll(all, "data: {", `data: {"error":null,`)},
		"unknown events":         {Body: between(strings.Join(w.Unknown, ""))},
		"a document by its type": {Body: all, Header: map[string]string{"Content-Type": "application/json"}},
		"no type":                {Body: all, Header: map[string]string{"Content-Type": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			w.run(t, row{reply: reply, want: says(model.FinishCalls, model.Text("Grüße 🙂"), call("click", `{"x":1}`), call("read", `{"x":2}`))})
		})
	}
}

// cuts are answers that break off. Nothing of them is returned but what they
// cost.
func (w Wire) cuts(t *testing.T) {
	a := Answer{Text: "Hello", Calls: []Call{{"c1", "click", `{"x":1}`}}, Usage: &model.Usage{Input: 40, Output: 20}, UsageEach: true}
	said, _ := w.Events(a)
	cut := want{fails: true, kind: model.ErrorCut, temporary: true, paid: true}
	for name, reply := range map[string]Reply{
		"no end":           {Body: join(said)},
		"an early end":     {Body: said[0]},
		"a reset":          {Body: join(said), Reset: true},
		"within an event":  {Body: join(said) + "data: {", Reset: true},
		"within one byte":  {Body: "d", Reset: true},
		"before a byte":    {Reset: true, Header: map[string]string{"Content-Type": "text/event-stream"}},
		"half a document":  {Body: w.Document(a)[:20], Reset: true},
		"a whole document": {Body: w.Document(a), Reset: true},
	} {
		t.Run(name, func(t *testing.T) { w.run(t, row{reply: reply, want: cut}) })
	}
}

// large answers end at the limits of the client.
func (w Wire) large(t *testing.T) {
	said, _ := w.Events(Answer{Text: "Hello"})
	spaces := strings.Repeat(" ", 1<<20)
	event := strings.Replace(said[0], "data: {", `data: {"padding":"`+spaces[:64<<10]+`",`, 1)
	for name, h := range map[string]http.HandlerFunc{
		"a document": func(rw http.ResponseWriter, _ *http.Request) { endless(rw, "application/json", "{"+spaces, spaces) },
		"a stream": func(rw http.ResponseWriter, _ *http.Request) {
			endless(rw, "text/event-stream", "", event)
		},
		"comments": func(rw http.ResponseWriter, _ *http.Request) {
			endless(rw, "text/event-stream", "", strings.Repeat(": "+spaces[:8<<10]+"\n\n", 100))
		},
		"a line":        func(rw http.ResponseWriter, _ *http.Request) { endless(rw, "text/event-stream", "data: ", spaces) },
		"a packed bomb": bomb,
	} {
		t.Run(name, func(t *testing.T) {
			if name == "a stream" || name == "a packed bomb" {
				testlevel.Long(t, "64 MB are decoded, which takes the race detector a minute")
			}
			srv := httptest.NewServer(drained(h))
			defer srv.Close()
			got, err := w.model(t, srv, Setup{}).Generate(t.Context(), Request())
			want{fails: true, kind: model.ErrorMalformed, says: "too long", paid: true}.check(t, got, err)
		})
	}
}

// endless writes 200 MB, or as much as the client takes.
func endless(w http.ResponseWriter, kind, begin, more string) {
	w.Header().Set("Content-Type", kind)
	_, err := io.WriteString(w, begin)
	for n := 0; err == nil && n < 200<<20; n += len(more) {
		_, err = io.WriteString(w, more)
	}
}

// bomb is small until it is unpacked.
func bomb(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	zeros := make([]byte, 1<<20)
	var err error
	for n := 0; err == nil && n < 100; n++ {
		_, err = z.Write(zeros)
	}
}

// drained reads the request first: the server sees the end of a connection only
// behind it.
func drained(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		h(w, r)
	}
}
