package drover_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/model"
	scriptedmodel "github.com/drover-go/drover/runs/model/scripted"
	"github.com/drover-go/drover/runs/search"
	"github.com/drover-go/drover/runs/sessions"
)

// webPages is a site that also searches, as a SearXNG does.
func webPages(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/search":
		fmt.Fprintf(w, `{"results":[{"title":"About %s","url":"http://%s/page","content":"A snippet."}],"unresponsive_engines":[]}`, r.FormValue("q"), r.Host)
	case "/away":
		http.Redirect(w, r, strings.Replace("http://"+r.Host+"/page", "127.0.0.1", "localhost", 1), http.StatusFound)
	default:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<title>Page</title><main><h1>Hello</h1><p>from the page</p></main>")
	}
}

// outputs does a run whose model makes the calls, and returns what they answered.
func outputs(t *testing.T, o drover.Options, c runs.Create, calls ...scriptedmodel.Turn) (all []string, offered []string) {
	t.Helper()
	m := scriptedmodel.New(append(calls, scriptedmodel.Call("done", map[string]any{"success": true}))...)
	o.Data, o.Model, o.AllowPrefixes = drover.InMemory, m, loopback
	d, err := drover.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if c.SessionID == "open" {
		b, err := d.Sessions.Open(t.Context(), sessions.Create{Settings: sessions.Settings{AllowedDomains: c.AllowedDomains}})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		c.SessionID, c.AllowedDomains = b.ID(), nil
	}
	run, err := d.Runs.Create(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if run, err = d.Runs.Wait(t.Context(), run.ID); err != nil || run.Status != runs.Completed {
		t.Fatal(run.Status, run.Cause, err)
	}
	page, err := d.Runs.ListMessages(t.Context(), run.ID, runs.MessageFilter{All: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, message := range page.Messages {
		for _, p := range message.Message.Results() {
			all = append(all, p.Output.Text())
		}
	}
	for _, tool := range m.Requests()[0].Tools {
		offered = append(offered, tool.Name)
	}
	return all, offered
}

func fetchTurn(url string) scriptedmodel.Turn {
	return scriptedmodel.Call("fetch", map[string]string{"url": url})
}

func searchTurn(text string) scriptedmodel.Turn {
	return scriptedmodel.Call("search", map[string]string{"query": text})
}

// No browser is started for what needs none.
func TestAgentsSearchAndFetch(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(webPages))
	defer site.Close()
	searx, err := search.SearXNG{URL: site.URL}.New()
	if err != nil {
		t.Fatal(err)
	}
	got, _ := outputs(t, drover.Options{Search: searx, Browser: noBrowser{}}, runs.Create{Task: "x"}, searchTurn("lamps"), fetchTurn(site.URL+"/away"))
	if !strings.Contains(got[0], "1. About lamps\n   "+site.URL+"/page\n   A snippet.") {
		t.Error(got[0])
	}
	if away := strings.Replace(site.URL, "127.0.0.1", "localhost", 1); !strings.Contains(got[1], "from the page") || !strings.Contains(got[1], away+"/page") {
		t.Error(got[1])
	}
}

// A run with allowed domains fetches and searches there alone, whoever named them.
func TestTheWebKeepsToTheDomainsOfARun(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(webPages))
	t.Cleanup(site.Close)
	elsewhere := strings.Replace(site.URL, "127.0.0.1", "localhost", 1)
	searx, err := search.SearXNG{URL: elsewhere}.New()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]runs.Create{
		"of the run":      {Task: "x", AllowedDomains: []string{"127.0.0.1"}},
		"of its sessions": {Task: "x", AllowedDomains: []string{"127.0.0.1"}, SessionID: "open"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, offered := outputs(t, drover.Options{Search: searx}, c, fetchTurn(site.URL+"/page"), fetchTurn(elsewhere+"/page"), fetchTurn(site.URL+"/away"), fetchTurn(site.URL+"/page"), searchTurn("x"))
			if !strings.Contains(got[0], "from the page") || slices.Contains(offered, "search") || !strings.Contains(got[4], `no tool "search"`) {
				t.Error(got, offered)
			}
			for _, refused := range got[1:3] {
				if strings.Contains(refused, "from the page") || !strings.Contains(refused, "allowedDomains") {
					t.Error(refused)
				}
			}
		})
	}
	_, offered := outputs(t, drover.Options{Search: searx, Browser: noBrowser{}}, runs.Create{Task: "x", AllowedDomains: []string{"localhost"}})
	if !slices.Contains(offered, "search") {
		t.Error(offered)
	}
	if _, offered := outputs(t, drover.Options{Search: search.Off, Browser: noBrowser{}}, runs.Create{Task: "x"}); slices.Contains(offered, "search") {
		t.Error(offered)
	}
}

// duckPage is a search page without scripts.
func duckPage(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if r.URL.Path != "/html/" {
		io.WriteString(w, `<title>Form</title><label>Name <input></label>`)
		return
	}
	fmt.Fprintf(w, `<title>%[1]s at Duck</title><div class="result result--ad"><h2><a class="result__a" href="/y.js?ad_domain=x">Ad</a></h2></div>
<div class="result web-result"><h2 class="result__title"><a class="result__a" href="/l/?uddg=https%%3A%%2F%%2Fa.example%%2F%[1]s">About %[1]s</a></h2><a class="result__snippet">Some words.</a></div>`, r.FormValue("q"))
}

// By default agents search on a page in a tab of their session, and the page that they
// work on stays as it is.
func TestAgentsSearchInTheirBrowser(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(duckPage))
	defer site.Close()
	fill := scriptedmodel.Turn{Do: func(_ context.Context, r model.Request) (model.Response, error) {
		return model.Response{Content: []model.Part{model.Call("t", "type", map[string]string{"ref": "e1", "text": "kept"})}, Finish: model.FinishCalls}, nil
	}}
	got, _ := outputs(t, drover.Options{Search: search.Browser{Address: site.URL + "/html/"}}, runs.Create{Task: "x"},
		scriptedmodel.Call("navigate", map[string]string{"url": site.URL}), fill, searchTurn("lamps"), scriptedmodel.Call("snapshot", nil))
	if strings.Contains(got[2], "opens no tab") {
		t.Skip("the browser opens no tabs yet")
	}
	if !strings.Contains(got[2], "1 results for \"lamps\"") || !strings.Contains(got[2], "1. About lamps\n   https://a.example/lamps\n   Some words.") {
		t.Error(got[2])
	}
	if !strings.Contains(got[3], "kept") || strings.Contains(got[3], "Duck") {
		t.Error(got[3])
	}
}

// noBrowser is for runs that need none.
type noBrowser struct{}

func (noBrowser) Open(context.Context, browser.Options) (browser.Session, error) {
	return nil, errtypes.New(errtypes.Unavailable, "nobody was to open a browser")
}

func (noBrowser) Close() error { return nil }
