package platform_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
)

// stub speaks as much of the wire as a crawler needs, and keeps all in memory with
// nothing checked: the least that a host can do.
type stub struct {
	*httptest.Server
	mu       sync.Mutex
	input    string
	items    int
	pages    map[string]json.RawMessage // requests by id
	waiting  []string                   // ids of those that nobody has locked
	locked   map[string]bool
	finished map[string]bool
}

type object = map[string]any

func newStub(t testing.TB) *stub {
	s := &stub{}
	mux := http.NewServeMux()
	for pattern, f := range map[string]func(r *http.Request, body []byte) any{
		"GET /v2/actor-runs/{id}":                            run,
		"PUT /v2/actor-runs/{id}":                            run,
		"GET /v2/key-value-stores/{id}":                      named,
		"GET /v2/datasets/{id}":                              named,
		"GET /v2/request-queues/{id}":                        named,
		"PUT /v2/key-value-stores/{id}/records/{key}":        func(*http.Request, []byte) any { return nil },
		"POST /v2/datasets/{id}/items":                       func(*http.Request, []byte) any { s.items++; return object{} },
		"POST /v2/request-queues/{id}/requests/batch":        s.add,
		"POST /v2/request-queues/{id}/head/lock":             s.lock,
		"GET /v2/request-queues/{id}/head":                   func(*http.Request, []byte) any { return object{"items": []any{}} },
		"GET /v2/request-queues/{id}/requests/{rid}":         func(r *http.Request, _ []byte) any { return s.pages[r.PathValue("rid")] },
		"PUT /v2/request-queues/{id}/requests/{rid}":         s.put,
		"PUT /v2/request-queues/{id}/requests/{rid}/lock":    func(*http.Request, []byte) any { return object{"lockExpiresAt": "2100-01-01T00:00:00.000Z"} },
		"DELETE /v2/request-queues/{id}/requests/{rid}/lock": func(*http.Request, []byte) any { return object{} },
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, f) })
	}
	mux.HandleFunc("GET /v2/key-value-stores/{id}/records/{key}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.PathValue("key") != "INPUT" {
			w.WriteHeader(http.StatusNotFound)
			_ = json.NewEncoder(w).Encode(object{"error": object{"type": "record-not-found", "message": "none"}})
			return
		}
		w.Write([]byte(s.input))
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// begin forgets all, for another crawler.
func (s *stub) begin(input string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.input, s.items, s.waiting = input, 0, nil
	s.pages, s.locked, s.finished = map[string]json.RawMessage{}, map[string]bool{}, map[string]bool{}
}

func (s *stub) answer(w http.ResponseWriter, r *http.Request, f func(*http.Request, []byte) any) {
	var body []byte
	if r.Header.Get("Content-Encoding") == "br" {
		body = read(brotli.NewReader(r.Body))
	} else {
		body = read(r.Body)
	}
	s.mu.Lock()
	data := f(r, body)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.Method == "POST" {
		w.WriteHeader(http.StatusCreated)
	}
	_ = json.NewEncoder(w).Encode(object{"data": data})
}

func run(r *http.Request, _ []byte) any {
	return object{"id": r.PathValue("id"), "status": "RUNNING", "options": object{}}
}

func named(r *http.Request, _ []byte) any { return object{"id": r.PathValue("id"), "name": nil} }

func (s *stub) add(_ *http.Request, body []byte) any {
	var all []json.RawMessage
	_ = json.Unmarshal(body, &all)
	var done []any
	for _, one := range all {
		var said struct{ URL, UniqueKey string }
		_ = json.Unmarshal(one, &said)
		key := cmp.Or(said.UniqueKey, said.URL)
		sum := sha256.Sum256([]byte(key))
		id := strings.NewReplacer("+", "", "/", "", "=", "").Replace(base64.StdEncoding.EncodeToString(sum[:]))[:15]
		_, there := s.pages[id]
		if !there {
			var request object
			_ = json.Unmarshal(one, &request)
			request["id"] = id
			s.pages[id], _ = json.Marshal(request)
			s.waiting = append(s.waiting, id)
		}
		done = append(done, object{"requestId": id, "uniqueKey": key, "wasAlreadyPresent": there, "wasAlreadyHandled": s.finished[id]})
	}
	return object{"processedRequests": done, "unprocessedRequests": []any{}}
}

func (s *stub) lock(*http.Request, []byte) any {
	items := []any{}
	for _, id := range s.waiting[:min(25, len(s.waiting))] {
		s.locked[id] = true
		var one struct{ URL, UniqueKey, Method string }
		_ = json.Unmarshal(s.pages[id], &one)
		items = append(items, object{"id": id, "url": one.URL, "uniqueKey": one.UniqueKey, "method": one.Method, "retryCount": 0, "lockExpiresAt": "2100-01-01T00:00:00.000Z"})
	}
	s.waiting = s.waiting[len(items):]
	return object{"limit": 25, "lockSecs": 180, "queueModifiedAt": "2026-01-01T00:00:00.000Z", "hadMultipleClients": false, "queueHasLockedRequests": len(s.locked) > 0, "items": items}
}

func (s *stub) put(r *http.Request, body []byte) any {
	id := r.PathValue("rid")
	s.pages[id] = body
	s.finished[id] = true
	delete(s.locked, id)
	return object{"requestId": id, "wasAlreadyPresent": true, "wasAlreadyHandled": false}
}
