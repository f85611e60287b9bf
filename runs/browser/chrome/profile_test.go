package chrome_test

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// stateSite serves a page that shows the state that its site has in the
// browser, and a page that makes some of each kind.
func stateSite(t testing.TB) *httptest.Server {
	const look = `<p id=p></p><script>(async () => {
		const found = document.cookie.split('; ').filter(Boolean).sort();
		if (localStorage.kept) found.push('local');
		if ((await indexedDB.databases()).length) found.push('indexed');
		if ((await navigator.serviceWorker.getRegistrations()).length) found.push(await (await fetch('/answer')).text());
		document.title = 'state: ' + found.join(' ') + '.';
		document.querySelector('#p').textContent = document.title;
		await fetch('/ready');
	})()</script>`
	const make = `<p id=p></p><script>(async () => {
		document.cookie = 'brief=1'; document.cookie = 'lasting=1; max-age=99999'; localStorage.kept = '1';
		const db = await new Promise((done, failed) => { const q = indexedDB.open('db'); q.onupgradeneeded = () => q.result.createObjectStore('s'); q.onsuccess = () => done(q.result); q.onerror = failed });
		await new Promise(done => { const tx = db.transaction('s', 'readwrite'); tx.objectStore('s').put('v', 'k'); tx.oncomplete = done });
		await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready;
		document.querySelector('#p').textContent = 'all is made';
	})()</script>`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/look":
			io.WriteString(w, look)
		case "/make":
			io.WriteString(w, make)
		case "/worker.js":
			w.Header().Set("Content-Type", "text/javascript")
			io.WriteString(w, `onfetch = e => { if (e.request.url.endsWith('/answer')) e.respondWith(new Response('worker')) }`)
		default:
			fmt.Fprint(w, "no-worker")
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

// state is what the site finds in the session's browser.
func state(t *testing.T, s browser.Session, site string) string {
	t.Helper()
	for range 50 {
		if p := navigate(t, s, site+"/look"); strings.HasPrefix(p.Title, "state: ") {
			return p.Title
		}
	}
	t.Fatal("the page does not come to say what there is")
	return ""
}

const allState = "state: brief=1 lasting=1 local indexed worker."

func TestAStoredProfileKeepsEveryKindOfState(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	srv := stateSite(t)
	temp := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = temp })
	kept, err := p.ProfileDir(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Remove()
	if info, err := os.Stat(kept.Path()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others can read the profile: %v, %v", info, err)
	}
	dir := filepath.Join(kept.Path(), "profile")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	stored := browser.Options{Profile: &browser.Profile{Dir: dir}}

	s := openWith(t, p, stored)
	if got := state(t, s, srv.URL); got != "state: ." {
		t.Errorf("a new profile has %s", got)
	}
	navigate(t, s, srv.URL+"/make")
	for !says(t, s, "all is made") {
		t.Log("not yet")
	}
	if _, err := p.Open(t.Context(), stored); !errtypes.Is(err, errtypes.Conflict) {
		t.Errorf("a profile in use is opened again: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // what was there at the start is there at the next, too
		again := openWith(t, p, stored)
		if n := chrome.Tabs(again); n != 1 {
			t.Errorf("%d tabs were opened", n)
		}
		if got := state(t, again, srv.URL); got != allState {
			t.Errorf("the next session has %s", got)
		}
		if n := chrome.Tabs(again); n != 1 {
			t.Errorf("%d tabs are open", n)
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	fresh := openWith(t, p, browser.Options{OwnProcess: true})
	if got := state(t, fresh, srv.URL); got != "state: ." {
		t.Errorf("another session has %s", got)
	}
	fresh.Close()
	if left := chrome.ProcessesUsing(temp); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

// Closing the last tab and opening another does not bring back old ones.
func TestAStoredProfileOpensNoOldTabs(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	srv := pages(t, map[string]string{"/": `<title>old</title>`, "/new": `<title>new</title>`})
	p := chrometest.Provider(t)
	o := browser.Options{Profile: &browser.Profile{Dir: t.TempDir()}}
	for range 2 {
		s := openWith(t, p, o)
		navigate(t, s, srv.URL+"/")
		c := connect(t, s)
		_, old := c.page()
		c.must("", "Target.closeTarget", map[string]any{"targetId": old})
		chrome.WaitClosed(s, old)
		c.must("", "Target.createTarget", map[string]any{"url": srv.URL + "/new"})
		c.must("", "Target.createTarget", map[string]any{"url": "about:blank", "newWindow": true})
		infos := c.must("", "Target.getTargets", map[string]any{"filter": []any{map[string]any{"type": "page"}}})["targetInfos"].([]any)
		if len(infos) != 2 {
			t.Errorf("%d pages are open: %v", len(infos), infos)
		}
		c.leave()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Close says that a profile may be incomplete; a profile that was left by a
// browser that was killed can be opened again.
func TestAProfileThatWasNotLeftInOrder(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	srv := stateSite(t)
	p := chrometest.Provider(t)
	o := browser.Options{Profile: &browser.Profile{Dir: t.TempDir()}}
	s := openWith(t, p, o)
	navigate(t, s, srv.URL+"/make")
	syscall.Kill(chrome.SessionPID(s), syscall.SIGKILL)
	<-s.Done()
	for range 2 {
		if err := s.Close(); !errtypes.Is(err, errtypes.Unavailable) || !strings.Contains(err.Error(), "incomplete") {
			t.Errorf("closing says %v", err)
		}
	}
	again := openWith(t, p, o)
	state(t, again, srv.URL)
	if n := chrome.Tabs(again); n != 1 {
		t.Errorf("%d tabs are open", n)
	}
	syscall.Kill(chrome.SessionPID(again), syscall.SIGSTOP) // it will not answer
	ended := make(chan error, 1)
	go func() { ended <- again.Close() }()
	if err := <-ended; !errtypes.Is(err, errtypes.Unavailable) {
		t.Errorf("closing a browser that hangs says %v", err)
	}
	if err := openWith(t, p, o).Close(); err != nil {
		t.Error(err)
	}
}

func TestProfilesThatCannotBe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := chrometest.Provider(t)
	for _, dir := range []string{"", "relative", "/no/such/place", file} {
		if _, err := p.Open(t.Context(), browser.Options{Profile: &browser.Profile{Dir: dir}}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%q: %v", dir, err)
		}
	}
}

// Where memory is short, a profile lies in the temporary directory; the next
// provider removes what a dead process has left there.
func TestTheDirectoryOfAProfile(t *testing.T) {
	t.Parallel()
	temp := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = temp })
	dir, err := p.ProfileDir(math.MaxInt64)
	if err != nil || filepath.Dir(dir.Path()) != temp {
		t.Fatalf("%v, %v", dir, err)
	}
	left := filepath.Join(temp, "drover-profile-1")
	if err := os.MkdirAll(filepath.Join(left, "profile"), 0o700); err != nil {
		t.Fatal(err)
	}
	chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = temp })
	if found := entries(t, temp); len(found) != 1 || found[0] != filepath.Base(dir.Path()) {
		t.Errorf("there is %v", found)
	}
	if err := dir.Remove(); err != nil {
		t.Error(err)
	}
}
