package platform_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// site is what crawlers of tests go through. Its first page links to all others and each
// of those to the next one; some are missing, moved, slow or fail once. It counts what
// it is asked for.
type site struct {
	*httptest.Server
	pages []string // paths

	mu      sync.Mutex
	changed *sync.Cond
	asked   map[string]int // by path
	runs    map[string]int // by the run that says it is
	// Pages beyond the first few wait until as many runs have come: set before the first.
	first, crawlers int
}

// odd are the pages that are not as others.
var odd = []string{"/missing", "/moved", "/slow", "/flaky"}

// newSite has a number of plain pages beside the first one and the odd ones.
func newSite(t testing.TB, plain int) *site {
	s := &site{pages: append([]string{"/"}, odd...), asked: map[string]int{}, runs: map[string]int{}}
	for i := range plain {
		s.pages = append(s.pages, fmt.Sprint("/plain/", i))
	}
	s.changed = sync.NewCond(&s.mu)
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// forget begins to count anew.
func (s *site) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.asked)
	clear(s.runs)
}

// counts are those of requests, by path and by run.
func (s *site) counts() (paths, runs map[string]int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.asked), maps.Clone(s.runs)
}

// note counts a request and holds it back for as long as it has to wait for others.
func (s *site) note(r *http.Request) (times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.URL.Path]++
	s.runs[r.Header.Get("X-Run")]++
	times, number := s.asked[r.URL.Path], len(s.asked)
	s.changed.Broadcast()
	defer context.AfterFunc(r.Context(), s.changed.Broadcast)()
	for r.Context().Err() == nil && (number > s.first && len(s.runs) < s.crawlers || r.URL.Path == "/slow" && len(s.asked) < len(s.pages)) {
		s.changed.Wait()
	}
	return times
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/favicon.ico" { // browsers look for it
		http.NotFound(w, r)
		return
	}
	times := s.note(r)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	switch path := r.URL.Path; {
	case path == "/moved":
		http.Redirect(w, r, "/target", http.StatusFound)
		return
	case path == "/missing":
		w.WriteHeader(http.StatusNotFound)
	case path == "/flaky" && times == 1:
		w.WriteHeader(http.StatusInternalServerError)
	}
	fmt.Fprint(w, s.page(r.URL.Path))
}

func (s *site) page(path string) string {
	var links strings.Builder
	for i, to := range s.pages {
		if path == "/" || i > 0 && s.pages[i-1] == path {
			fmt.Fprintf(&links, "<a href='%s'>one</a> <a href='%s#part'>the same</a> ", to, to)
		}
	}
	return "<!doctype html><title>page " + path + "</title>" + links.String()
}
