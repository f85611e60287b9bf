package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/errtypes"
)

const key = "BSA-secret-key-1234"

// service answers searches as the test says, and notes what it was asked.
type service struct {
	*httptest.Server
	asked []*http.Request
}

func serve(t *testing.T, answer http.HandlerFunc) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked = append(s.asked, r)
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, body)
	}
}

// kinds are the Searchers that ask a service at an address.
var kinds = map[string]func(url string, c Connection) (Searcher, error){
	"searxng": func(url string, c Connection) (Searcher, error) { return SearXNG{URL: url, Connection: c}.New() },
	"brave": func(url string, c Connection) (Searcher, error) {
		return Brave{Key: key, URL: url, Connection: c}.New()
	},
}

func TestSearXNG(t *testing.T) {
	t.Parallel()
	s := serve(t, says(`{"query":"lamps","number_of_results":0,"results":[
		{"title":"Lamps &amp; more","url":"https://a.example/?x=1","content":"<b>Lamps</b>\n and more","engine":"one","engines":["one","two"],"score":2.5,"category":"general","publishedDate":null},
		{"title":"Twice","url":"https://a.example/?x=1","content":""},
		{"title":"","url":"https://b.example"},
		{"title":"No web","url":"ftp://b.example"},
		{"title":"Bare","url":"http://c.example"}],
		"answers":[],"corrections":[],"infoboxes":[],"suggestions":["lamp"],"unresponsive_engines":[["three","timeout"]]}`))
	found, err := must(t, SearXNG{URL: s.URL + "/searx/", Language: "de-CH", Categories: "general,news"}).Search(t.Context(), Query{"lamps & more", 5})
	want := []Result{{"Lamps & more", "https://a.example/?x=1", "Lamps and more"}, {"Bare", "http://c.example", ""}}
	if diff := cmp.Diff(want, found); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got := s.asked[0].URL.String(); got != "/searx/search?categories=general%2Cnews&format=json&language=de-CH&q=lamps+%26+more" {
		t.Error(got)
	}
	for want, answer := range map[string]http.HandlerFunc{
		`put "json" under search.formats`:                  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) },
		"do not answer: three (Suspended: too many), four": says(`{"results":[],"unresponsive_engines":[["three","Suspended: too many"],["four"]]}`),
		"what is no JSON of a search":                      says(`{"error":"no"}`),
	} {
		_, err := must(t, SearXNG{URL: serve(t, answer).URL}).Search(t.Context(), Query{"x", 5})
		if !errtypes.Is(err, errtypes.BadGateway) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if found, err := must(t, SearXNG{URL: serve(t, says(`{"results":[],"unresponsive_engines":[]}`)).URL}).Search(t.Context(), Query{"x", 5}); err != nil || found == nil || len(found) != 0 {
		t.Errorf("nothing found: %v, %v", found, err)
	}
}

func TestBrave(t *testing.T) {
	t.Parallel()
	s := serve(t, says(`{"type":"search","query":{"original":"lamps"},"web":{"type":"search","results":[
		{"title":"Lamps","url":"https://a.example","description":"The <strong>lamps</strong>.","age":"2 days ago","extra_snippets":["x"]},
		{"title":"Two","url":"https://b.example","description":""},{"title":"Three","url":"https://c.example","description":""}]}}`))
	found, err := must(t, Brave{Key: key + "\n", URL: s.URL, Country: "DE", Language: "de"}).Search(t.Context(), Query{"lamps", 2})
	if diff := cmp.Diff([]Result{{"Lamps", "https://a.example", "The lamps."}, {"Two", "https://b.example", ""}}, found); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got := s.asked[0]; got.URL.String() != "/res/v1/web/search?count=2&country=DE&q=lamps&search_lang=de&text_decorations=false" || got.Header.Get("X-Subscription-Token") != key {
		t.Error(got.URL, got.Header)
	}
	limits := func(limit, remaining, reset string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-RateLimit-Limit", limit)
			w.Header().Set("X-RateLimit-Remaining", remaining)
			w.Header().Set("X-RateLimit-Reset", reset)
			w.WriteHeader(429)
		}
	}
	for want, answer := range map[string]http.HandlerFunc{
		"it does not take the key":                            func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(422) },
		"the quota of the key is used up for 1419704 seconds": limits("1, 2000", "0, 0", "1, 1419704"),
		"may be asked again in 1s":                            limits("1, 2000", "0, 1500", "1, 1419704"),
		"may be asked again in 2s":                            limits("50, 0", "0, 0", "2, 1419704"),
		"what is no JSON of a search":                         says(`{"type":"ErrorResponse"}`),
	} {
		if _, err := must(t, Brave{Key: key, URL: serve(t, answer).URL}).Search(t.Context(), Query{"x", 5}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if found, err := must(t, Brave{Key: key, URL: serve(t, says(`{"type":"search"}`)).URL}).Search(t.Context(), Query{"x", 5}); err != nil || len(found) != 0 {
		t.Errorf("nothing found: %v, %v", found, err)
	}
}

func must(t *testing.T, s interface{ New() (Searcher, error) }) Searcher {
	t.Helper()
	made, err := s.New()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestFaults has services fail in every way, and looks at each error: its kind, its
// words, and that the key is in none.
func TestFaults(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	t.Cleanup(func() { close(release) })
	elsewhere := serve(t, says(`{"type":"search","results":[]}`))
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   errtypes.Kind
		want   string
	}{
		"401":      {status(401, key), errtypes.BadGateway, "answers 401 unauthorized"},
		"403":      {status(403, key), errtypes.BadGateway, "answers 403 forbidden"},
		"404":      {status(404, ""), errtypes.BadGateway, "answers 404 not found"},
		"429":      {status(429, "7"), errtypes.RateLimited, "asked again in 7s"},
		"429 bare": {status(429, ""), errtypes.RateLimited, "asked again later"},
		"500":      {status(500, key), errtypes.BadGateway, "answers 500"},
		"503":      {status(503, ""), errtypes.BadGateway, "answers 503"},
		"HTML":     {says("<!doctype html><p>" + key), errtypes.BadGateway, "no JSON of a search"},
		"empty":    {says(""), errtypes.BadGateway, "no JSON of a search"},
		"list":     {says("[]"), errtypes.BadGateway, "no JSON of a search"},
		"wrong":    {says(`{"results":7,"web":7}`), errtypes.BadGateway, "no JSON of a search"},
		"cut": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"results":[`)
		}, errtypes.BadGateway, "broke off its answer"},
		"10 MB": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `{"results":[],"x":"`)
			for range 10 << 10 {
				io.WriteString(w, strings.Repeat("x", 1<<10))
			}
			io.WriteString(w, `"}`)
		}, errtypes.BadGateway, "more than 2097152 bytes"},
		"hang": {func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}, errtypes.GatewayTimeout, "took longer than 200ms"},
		"hang inside": {func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, `{"results":[`)
			w.(http.Flusher).Flush()
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}, errtypes.GatewayTimeout, "took longer than 200ms"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) }, errtypes.BadGateway, "redirects, which is not followed"},
		"reset": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				conn.Close()
			}
		}, errtypes.BadGateway, "cannot be reached"},
	} {
		for kind, open := range kinds {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				var conn Connection
				if strings.HasPrefix(name, "hang") {
					conn.Timeout = 200 * time.Millisecond
				}
				s, err := open(serve(t, c.answer).URL, conn)
				if err != nil {
					t.Fatal(err)
				}
				found, err := s.Search(t.Context(), Query{"x", 5})
				if !errtypes.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || found != nil {
					t.Errorf("%v, %v", found, err)
				}
				if err != nil && strings.Contains(fmt.Sprintf("%+v %s", err, errtypes.Public(err)), "secret") {
					t.Errorf("the key is in %v", err)
				}
			})
		}
	}
	t.Cleanup(func() {
		if len(elsewhere.asked) > 0 {
			t.Errorf("a redirect was followed: %v", elsewhere.asked[0].Header)
		}
	})
}

func status(code int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if code == 429 && text != "" {
			w.Header().Set("Retry-After", text)
		}
		w.WriteHeader(code)
		io.WriteString(w, text)
	}
}

func TestACallerWhoLeaves(t *testing.T) {
	t.Parallel()
	came := make(chan struct{})
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		close(came)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	gone := errors.New("gone")
	go func() { <-came; cancel(gone) }()
	if _, err := must(t, SearXNG{URL: s.URL}).Search(ctx, Query{"x", 5}); !errors.Is(err, gone) {
		t.Error(err)
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]interface{ New() (Searcher, error) }{
		"URL must be":             SearXNG{},
		"URL must be an http":     SearXNG{URL: "file:///etc"},
		"URL must be an http or":  SearXNG{URL: "https://a.example/?q=x"},
		"Timeout must not":        SearXNG{URL: "https://a.example", Connection: Connection{Timeout: -1}},
		"MaxAnswer must not":      Brave{Key: "k", Connection: Connection{MaxAnswer: -1}},
		"Key is required":         Brave{},
		"Key is required, in one": Brave{Key: "a\nb"},
	} {
		if _, err := s.New(); !errtypes.Is(err, errtypes.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if err := (Browser{Address: "search"}).Validate(); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
	for _, s := range []Searcher{Off, Browser{}} {
		if _, err := s.Search(t.Context(), Query{"x", 1}); !errtypes.Is(err, errtypes.Unavailable) {
			t.Error(err)
		}
	}
	if HostOf(Off) != "" || HostOf(Browser{}) != "html.duckduckgo.com" || HostOf(must(t, Brave{Key: "k"})) != "api.search.brave.com" || HostOf(must(t, SearXNG{URL: "http://S.example:8080"})) != "S.example" {
		t.Error("wrong hosts")
	}
}

func TestResultsAreBounded(t *testing.T) {
	t.Parallel()
	var all []map[string]string
	for i := range 100 {
		all = append(all, map[string]string{"title": strings.Repeat("ö", 1000), "url": fmt.Sprintf("https://a.example/%d", i), "content": strings.Repeat("ö", 5000)})
	}
	raw, _ := json.Marshal(map[string]any{"results": all})
	found, err := must(t, SearXNG{URL: serve(t, says(string(raw))).URL}).Search(t.Context(), Query{"x", MaxCount})
	if err != nil || len(found) != MaxCount || len(found[0].Title) > maxTitle+3 || len(found[0].Snippet) > maxSnippet+3 {
		t.Errorf("%d results, %v", len(found), err)
	}
}
