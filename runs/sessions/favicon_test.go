package sessions

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func TestTheIconsOfTabs(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many pages")
	heads := map[string]string{
		"/none": ``, "/first": `<link rel="Shortcut Icon" href="/a.png?x=1"><link rel=icon href=/b.png>`,
		"/based": `<base href="https://cdn.example/x/"><link rel="apple-touch-icon" href=no.png><link rel="icon" href="c.ico">`,
		"/data":  `<link rel=icon href="data:image/png;base64,AAAA">`, "/script": `<link rel=icon href="javascript:alert(1)">`,
		"/empty": `<link rel=icon>`, "/login": `<link rel=icon href="https://user:pass@b.example/d.ico">`,
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>"+r.URL.Path+"</title>"+heads[r.URL.Path])
	}))
	defer site.Close()
	w := start(t, setup{browser: chrometest.Provider(t)})
	s := w.create(t, Create{KeepAlive: true})
	l := w.find(s.ID)
	for path, want := range map[string]string{
		"/none": "", "/first": site.URL + "/a.png?x=1", "/based": "https://cdn.example/x/c.ico", "/data": "", "/script": "", "/empty": "", "/login": "https://b.example/d.ico",
	} {
		must(l.browser.Navigate(t.Context(), site.URL+path))(t)
		if tabs := must(w.Tabs(t.Context(), s.ID))(t); len(tabs) != 1 || tabs[0].FaviconURL != want || tabs[0].Title != path {
			t.Errorf("%s: %+v, want %s", path, tabs, want)
		}
	}
	// A page that hangs keeps nobody waiting for long.
	must(l.browser.Navigate(t.Context(), site.URL+"/first"))(t)
	c := connectCDP(t, s.ConnectURL)
	c.send("Runtime.evaluate", map[string]any{"expression": "for (;;);"})
	if tabs := must(w.Tabs(t.Context(), s.ID))(t); len(tabs) != 1 || tabs[0].URL != site.URL+"/first" {
		t.Errorf("%+v", tabs)
	}
}
