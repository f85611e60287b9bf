package conformance

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/search"
)

// engine is a search service in the form of SearXNG's, which does what the query says.
func engine(w http.ResponseWriter, r *http.Request) {
	switch q := r.URL.Query().Get("q"); q {
	case "slow":
		<-r.Context().Done()
	case "busy":
		w.WriteHeader(http.StatusTooManyRequests)
	case "broken":
		w.WriteHeader(http.StatusInternalServerError)
	case "nothing":
		_, _ = io.WriteString(w, `{"results":[]}`)
	default:
		var all []map[string]string
		for n := range 30 {
			all = append(all, map[string]string{"title": q + " " + strconv.Itoa(n), "url": "https://shop.example/" + strconv.Itoa(n), "content": "About " + q + "."})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"results": all})
	}
}

// withSearch is a world with a search service.
func withSearch(t *testing.T) *world {
	s := httptest.NewServer(http.HandlerFunc(engine))
	t.Cleanup(s.Close)
	by := must(search.SearXNG{URL: s.URL, Connection: search.Connection{Timeout: 500 * time.Millisecond}}.New())(t)
	w := build(t, config{more: func(o *drover.Options) { o.Search = by }})
	w.words["<engine>"] = strings.TrimPrefix(s.URL, "http://")
	return w
}

// withoutSearch is one whose host has switched searching off.
func withoutSearch(t *testing.T) *world {
	return build(t, config{more: func(o *drover.Options) { o.Search = search.Off }})
}

// Without a service a page of results is loaded in a browser session of its own.
func TestSearchOnAPage(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	results := httptest.NewServer(page("text/html", `<title>Results</title><ol id=all></ol><script>
		const q = new URLSearchParams(location.search).get("q");
		for (const n of [1, 2]) all.innerHTML += "<li><a href='https://shop.example/" + n + "'><h3>" + q + " " + n + "</h3></a><p>All about these lamps.</p></li>";
	</script>`))
	t.Cleanup(results.Close)
	w := build(t, config{browser: chrometest.Provider(t), realTime: true, more: func(o *drover.Options) { o.Search = search.Browser{Address: results.URL} }})
	r := must(http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+serve(t, w.handler)+"/v1/search", strings.NewReader(`{"query":"floor lamps","numResults":1}`)))(t)
	r.Header = http.Header{"X-Svc-Api-Key": {w.words["<key>"]}, "Content-Type": {"application/json"}}
	res := must(http.DefaultClient.Do(r))(t)
	defer res.Body.Close()
	body := string(must(io.ReadAll(res.Body))(t))
	if res.StatusCode != http.StatusOK || strings.Count(body, `"url":"https://shop.example/1"`) != 1 || !strings.Contains(body, `"title":"floor lamps 1"`) || strings.Contains(body, "shop.example/2") {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}
