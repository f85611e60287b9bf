package drover_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// scripted is a site whose pages are made by their scripts.
func scripted(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=iso-8859-1")
		w.Header().Set("X-Made-By", "server")
		w.Header().Set("Set-Cookie", "secret=1")
		io.WriteString(w, "<!doctype html><title>Empty</title><ul></ul><script>"+
			`fetch("/items").then(r => r.json()).then(all => { document.title = "Caf\u00e9"; document.querySelector("ul").innerHTML = all.map(i => "<li>" + i).join("") })`+"</script>")
	})
	mux.HandleFunc("/items", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `["ash", "\u00f6lholz"]`) })
	mux.HandleFunc("/missing", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, "<p id=p></p><script>p.textContent = 'not here'</script>")
	})
	mux.Handle("/moved", http.RedirectHandler("/", http.StatusFound))
	mux.HandleFunc("/data", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "{}")
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment")
		io.WriteString(w, "bytes")
	})
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<p id=p></p><script>p.textContent = 'x'.repeat(300000)</script>")
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv.URL
}

func TestAPageIsFetchedAfterItsScriptsRan(t *testing.T) {
	t.Parallel()
	chrometest.RequireChromium(t)
	d, err := drover.Open(t.Context(), drover.Options{
		Data: drover.InMemory, AllowPrefixes: egress.PrivatePrefixes(), Fetch: fetch.Config{MaxBody: 200_000},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	site := scripted(t)

	page, err := d.Fetch.Get(t.Context(), site+"/", fetch.Options{Render: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(page.Content, "<title>Café</title>") || !strings.Contains(page.Content, "<li>ölholz</li>") || page.Encoding != "utf-8" {
		t.Errorf("%s %s", page.Encoding, page.Content)
	}
	if page.StatusCode != 200 || page.URL != site+"/" || page.Headers["x-made-by"] != "server" || page.ContentType != "text/html; charset=iso-8859-1" || page.Headers["set-cookie"] != "" {
		t.Errorf("%d %s %s %v", page.StatusCode, page.URL, page.ContentType, page.Headers)
	}
	for path, test := range map[string]struct {
		o       fetch.Options
		status  int
		content string
	}{
		"/":        {fetch.Options{Format: fetch.Markdown}, 200, "- ash\n- ölholz"},
		"/missing": {fetch.Options{Format: fetch.Markdown}, 404, "not here"},
		"/moved":   {fetch.Options{}, 302, ""},
		"/moved ":  {fetch.Options{AllowRedirects: true, Format: fetch.Markdown}, 200, "- ash\n- ölholz"},
	} {
		test.o.Render = true
		page, err := d.Fetch.Get(t.Context(), site+strings.TrimSpace(path), test.o)
		if err != nil || page.StatusCode != test.status || page.Content != test.content {
			t.Errorf("%s: %+v, %v", path, page, err)
		}
	}
	for path, kind := range map[string]errtypes.Kind{
		"/data": errtypes.Invalid, "/file": errtypes.Invalid, "/long": errtypes.BadGateway,
	} {
		if page, err := d.Fetch.Get(t.Context(), site+path, fetch.Options{Render: true}); !errtypes.Is(err, kind) {
			t.Errorf("%s: %+v, %v", path, page, err)
		}
	}
	for _, url := range []string{"http://169.254.169.254/", "file:///etc/passwd"} {
		if _, err := d.Fetch.Get(t.Context(), url, fetch.Options{Render: true}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%s: %v", url, err)
		}
	}
	if _, err := d.Fetch.Get(t.Context(), site, fetch.Options{Render: true, Proxies: true}); !errtypes.Is(err, errtypes.Invalid) {
		t.Errorf("no proxy is configured: %v", err)
	}
}
