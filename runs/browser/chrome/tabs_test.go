package chrome_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func TestClicksOpenTabs(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/": `<title>Opener</title><a target=_blank href=/new>Blank</a><a target=_blank rel=opener href={other}/new>Cross</a>
<button onclick="window.open('/new')">Script</button><button onclick="const d = window.open('about:blank').document; d.write('<title>Written</title>'); d.close()">Write</button>`,
		"/new": `<title>New</title><p>fresh</p><button onclick="window.close()">Close</button>`,
	})
	s := open(t)
	home := at(srv, "main.test", "/")
	for name, want := range map[string]browser.Page{
		"Blank":  {URL: at(srv, "main.test", "/new"), Title: "New", Status: 200},
		"Cross":  {URL: at(srv, "other.test", "/new"), Title: "New", Status: 200},
		"Script": {URL: at(srv, "main.test", "/new"), Title: "New", Status: 200},
		"Write":  {URL: home, Title: "Written"},
	} {
		navigate(t, s, home)
		p := click(t, s, name)
		p.Tabs, p.Status = nil, want.Status // what a popup was answered may have come before it was watched
		if diff := cmp.Diff(want, p); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestAClosedTabLeadsBack(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":    `<title>Opener</title><a target=_blank rel=opener href=/new>Open</a>`,
		"/new": `<title>New</title><button onclick="window.close()">Close</button><button onclick="setTimeout(() => window.close(), 0)">Later</button>`,
	})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	for _, how := range []string{"Close", "Later"} {
		if p := click(t, s, "Open"); p.Title != "New" {
			t.Fatalf("%+v", p)
		}
		if p := click(t, s, how); p.Title != "Opener" || p.URL != srv.URL+"/" {
			t.Errorf("%s: %+v", how, p)
		}
	}
}

func TestPopupsNeedAClick(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>Opener</title><script>window.open('/new'); setTimeout(() => window.open('/new'), 50)</script>`, "/new": `<title>New</title>`})
	s := open(t)
	if p := navigate(t, s, srv.URL+"/"); p.Title != "Opener" {
		t.Errorf("%+v", p)
	}
}

func TestTabsAreLimited(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{"/": `<title>Page</title><a target=_blank rel=opener href=/>Open</a>`})
	p := chrometest.Provider(t, func(o *chrome.Options) { o.MaxTabs = 3 })
	s := chrometest.Session(t, p)
	navigate(t, s, srv.URL+"/")
	for range 4 {
		click(t, s, "Open")
	}
	if n := chrome.Tabs(s); n != 3 {
		t.Errorf("%d tabs", n)
	}
}

func TestDialogsAreAnswered(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/": logScript + `<button onclick="log(alert('Hel\u200blo  there'))">alert</button><button onclick="log(confirm('Sure?'))">confirm</button><button onclick="log(prompt('Name?', 'x'))">prompt</button>
<button onclick="setTimeout(() => alert('late'), 100)">late</button><button onmousedown="alert('down')" onclick="log('clicked')">mousedown</button>`,
		"/load":   `<script>alert('loading')</script><title>Loaded</title>`,
		"/unload": `<script>addEventListener('beforeunload', e => { e.preventDefault(); e.returnValue = 'x' })</script><button>touch</button>`,
		"/next":   `<title>Next</title>`,
		"/open":   `<button onclick="window.open('/load')">open</button>`,
		"/storm":  `<script>for (let i = 0; i < 60; i++) alert('x'.repeat(5000))</script>`,
	})
	s := open(t)
	navigate(t, s, srv.URL+"/")
	for name, want := range map[string]browser.Dialog{
		"alert":     {Type: "alert", Message: "Hello there", Accepted: true},
		"confirm":   {Type: "confirm", Message: "Sure?", Accepted: true},
		"prompt":    {Type: "prompt", Message: "Name?"},
		"late":      {Type: "alert", Message: "late", Accepted: true},
		"mousedown": {Type: "alert", Message: "down", Accepted: true},
	} {
		if diff := cmp.Diff([]browser.Dialog{want}, click(t, s, name).Dialogs); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if sn := lines(snapshot(t, s)); !strings.Contains(sn, "true;") || !strings.Contains(sn, "null;") {
		t.Errorf("confirm and prompt: %s", sn)
	}
	if p := navigate(t, s, srv.URL+"/load"); p.Title != "Loaded" || len(p.Dialogs) != 1 {
		t.Errorf("while loading: %+v", p)
	}
	navigate(t, s, srv.URL+"/unload")
	click(t, s, "touch")
	if p := navigate(t, s, srv.URL+"/next"); p.Title != "Next" || len(p.Dialogs) != 1 || p.Dialogs[0].Type != "beforeunload" {
		t.Errorf("on leaving: %+v", p)
	}
	navigate(t, s, srv.URL+"/open")
	if p := click(t, s, "open"); p.Title != "Loaded" {
		t.Errorf("in a popup from its start: %+v", p)
	}
	if p := navigate(t, s, srv.URL+"/storm"); len(p.Dialogs) != 20 || len(p.Dialogs[0].Message) > 1100 {
		t.Errorf("a storm: %d dialogs", len(p.Dialogs))
	}
}

func TestNothingIsDownloaded(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Write([]byte(`<a href=/file>Get</a><a href="data:text/plain,x" download=x.txt>Data</a><p>still here</p>`))
			return
		}
		w.Header().Set("Content-Disposition", "attachment; filename=evil.bin")
		w.Write([]byte("payload"))
	}))
	defer srv.Close()
	dir := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	s := chrometest.Session(t, p)
	refused := []browser.Started{{Filename: "evil.bin", Refused: "this session keeps no downloads"}}
	if diff := cmp.Diff(refused, navigate(t, s, srv.URL+"/file").Downloads); diff != "" {
		t.Errorf("navigating to a download: %s", diff)
	}
	navigate(t, s, srv.URL+"/")
	for _, name := range []string{"Get", "Data"} {
		if p := click(t, s, name); len(p.Downloads) != 1 || p.Downloads[0].Refused == "" {
			t.Errorf("%s: %+v", name, p)
		}
		if !says(t, s, "still here") {
			t.Errorf("%s: %s", name, lines(snapshot(t, s)))
		}
	}
	if found := filesWith(t, dir, "evil", "x.txt"); len(found) > 0 {
		t.Errorf("downloaded: %v", found)
	}
	s.Close()
	p.Close()
}

// filesWith lists the files below dir whose names contain one of the parts.
func filesWith(t *testing.T, dir string, parts ...string) (found []string) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range walk(root) {
		for _, part := range parts {
			if strings.Contains(name, part) {
				found = append(found, name)
			}
		}
	}
	return found
}
