package webhooks

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// receiver is a real server that keeps what it gets.
type receiver struct {
	*httptest.Server
	got chan message
}

// message is what a receiver has got.
type message struct {
	*http.Request
	body []byte
}

// id is what a repetition is told by.
func (m message) id() string {
	if id := m.Header.Get("webhook-id"); id != "" {
		return id
	}
	return m.Header.Get("X-Apify-Webhook-Dispatch-Id")
}

// row is the object that a message tells of.
func (m message) row(t testing.TB) (row thing) {
	t.Helper()
	var all struct {
		Data, Resource *thing
	}
	if err := json.Unmarshal(m.body, &all); err != nil {
		t.Fatalf("%s: %v", m.body, err)
	}
	if all.Data != nil {
		return *all.Data
	}
	return *all.Resource
}

// receive starts a receiver that answers by a function; nil answers 200.
func receive(t testing.TB, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{got: make(chan message, 10_000)}
	r.Server = httptest.NewServer(r.handler(answer))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) handler(answer http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		r.got <- message{req, body}
		if answer != nil {
			answer(w, req)
		}
	})
}

// status answers with these, and with the last from then on.
func status(all ...int) http.HandlerFunc {
	var mu sync.Mutex
	return func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.WriteHeader(all[0])
		if len(all) > 1 {
			all = all[1:]
		}
	}
}
