package chrome_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// keyed is a key of an extension: what the browser calls it depends on that
// alone. 64 bytes, and those of an extension that has 32 more.
const keyed = `"key":"ZHJvdmVyZHJvdmVyZHJvdmVyZHJvdmVyZHJvdmVyZHJvdmVyZHJvdmVyZHJvdmVyZHJvdmVyZHI=",`

// unpacked makes an extension that writes to pages, has a service worker and a
// popup, and asks for everything that storage/extensions lets it ask for that
// has to do with pages; more is what else the manifest says.
func unpacked(t testing.TB, more string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"manifest.json": `{` + more + `"manifest_version":3,"name":"Marks","version":"1.0","permissions":["tabs","storage","scripting"],"host_permissions":["<all_urls>"],
			"update_url":"https://updates.test/u","action":{"default_popup":"popup.html"},"background":{"service_worker":"worker.js"},
			"content_scripts":[{"matches":["<all_urls>"],"js":["mark.js"],"run_at":"document_end"}]}`,
		"mark.js":    `const p = document.createElement('p'); p.textContent = 'an extension was here'; document.body.append(p); chrome.runtime.sendMessage('hello').then(a => { p.textContent += ', ' + a })`,
		"worker.js":  `chrome.runtime.onMessage.addListener((m, who, answer) => answer('its worker says ' + m))`,
		"popup.html": `<!doctype html><title>Popup</title><p>popped up`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// worker attaches a client to the service worker of the session's extension.
func (c *rawClient) worker() (session, id string) {
	c.t.Helper()
	for begun := time.Now(); time.Since(begun) < overdue; {
		targets, _ := c.must("", "Target.getTargets", nil)["targetInfos"].([]any)
		for _, one := range targets {
			info, _ := one.(map[string]any)
			if url, _ := info["url"].(string); info["type"] == "service_worker" && strings.HasPrefix(url, "chrome-extension://") {
				session, _ := c.must("", "Target.attachToTarget", map[string]any{"targetId": info["targetId"], "flatten": true})["sessionId"].(string)
				for c.eval(session, "typeof globalThis.chrome?.runtime") != "object" {
					c.t.Log("the worker has not begun")
					if time.Since(begun) > overdue {
						c.t.Fatal("nor will it")
					}
				}
				return session, strings.Split(url, "/")[2]
			}
		}
	}
	c.t.Fatal("the extension has no worker")
	return "", ""
}

// await evaluates the body of an async function, in which a failure is a text.
func (c *rawClient) await(session, body string) any {
	c.t.Helper()
	res := c.must(session, "Runtime.evaluate", map[string]any{
		"expression": "(async () => { try { " + body + " } catch (e) { return 'failed: ' + e } })()", "awaitPromise": true, "returnByValue": true,
	})
	value, _ := res["result"].(map[string]any)
	return value["value"]
}

func TestAnExtensionIsInTheSessionThatNamesIt(t *testing.T) {
	t.Parallel()
	needsProc(t)
	testlevel.Long(t, "many starts of browsers")
	dir := chrometest.TempDir(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.TempDir = dir })
	srv := pages(t, map[string]string{"/": `<title>t</title><p>a page</p>`})
	with := openWith(t, p, browser.Options{Extensions: []string{unpacked(t, "")}})
	beside := openWith(t, p, browser.Options{})
	own := openWith(t, p, browser.Options{OwnProcess: true})
	for s, want := range map[browser.Session]bool{with: true, beside: false, own: false} {
		navigate(t, s, srv.URL+"/")
		for want && !says(t, s, "an extension was here, its worker says hello") {
			t.Log("the worker has not answered yet")
		}
		if says(t, s, "an extension was here") != want {
			t.Errorf("%v: %s", want, lines(snapshot(t, s)))
		}
	}
	pid := chrome.SessionPID(with)
	if err := with.Close(); err != nil {
		t.Error(err)
	}
	waitGone(t, pid)
	navigate(t, beside, srv.URL+"/")
}

// What holds for other sessions holds for one with an extension.
func TestASessionWithAnExtension(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "what sessions without one are tested for, again")
	o := browser.Options{Extensions: []string{unpacked(t, "")}}
	t.Run("no way leads to a private address", func(t *testing.T) { noWayLeads(t, o) })
	t.Run("the browser keeps to itself", func(t *testing.T) { keepsToItself(t, o) })
	t.Run("no bypass", func(t *testing.T) { noBypass(t, o) })
}

// Whoever drives the extension itself, which clients of the session can, gets
// no further than its pages do.
func TestAnExtensionStaysInItsSession(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{"without a key": "", "with a key": keyed} {
		t.Run(name, func(t *testing.T) {
			if more == "" {
				testlevel.Long(t, "the same without a key")
			}
			staysInSession(t, more)
		})
	}
}

func staysInSession(t *testing.T, more string) {
	trap := newTrap(t)
	srv := pages(t, map[string]string{"/": `<p>a page`})
	s := openWith(t, chrometest.Provider(t), browser.Options{Extensions: []string{unpacked(t, more)}})
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	w, id := c.worker()
	goTo := `const t = await chrome.tabs.create({url: %q}); for (;;) { const n = await chrome.tabs.get(t.id); if (n.status == 'complete') return 'opened' }`
	for what, want := range map[string]any{
		`return await chrome.extension.isAllowedFileSchemeAccess()`:                   false,
		`return await (await fetch('file:///etc/passwd')).text()`:                     "failed: TypeError: Failed to fetch",
		fmt.Sprintf(goTo, "file:///etc/passwd"):                                       "failed: Error: Cannot navigate to a file URL without local file access.",
		`return typeof chrome.proxy + typeof chrome.privacy + typeof chrome.debugger`: "undefinedundefinedundefined",
		`return await chrome.permissions.contains({permissions: ['proxy']})`:          false,
		`return (await chrome.windows.create({incognito: true})).id`:                  nil,
		`return await (await fetch('` + srv.URL + `/')).text()`:                       "<p>a page",
		fmt.Sprintf(goTo, "chrome://extensions"):                                      "opened",
		fmt.Sprintf(goTo, "chrome://settings"):                                        "opened",
		fmt.Sprintf(goTo, "view-source:"+srv.URL):                                     "opened",
		fmt.Sprintf(goTo, "https://chromewebstore.google.com/"):                       "opened",
	} {
		got := c.await(w, what)
		if text, _ := got.(string); want == nil && strings.HasPrefix(text, "failed: ") {
			continue
		}
		if got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if got := c.await(w, `return (await fetch('http://`+trap.host+`/extension', {mode: 'no-cors'})).status`); got != 403.0 {
		t.Errorf("a private address answers with %v", got)
	}
	if came := trap.came(); len(came) > 0 {
		t.Errorf("a private address was reached: %v", came)
	}
	c.onlyOrdinaryPages(srv.URL, id)
	for _, method := range []string{"Extensions.loadUnpacked", "Extensions.uninstall", "Extensions.setStorageItems"} {
		if r := c.ask("", method, map[string]any{"path": "/", "id": id}); r.Error == nil {
			t.Errorf("a client may use %s", method)
		}
	}
}

// onlyOrdinaryPages asserts that no page that the client sees is one of the
// browser's, whatever its address says.
func (c *rawClient) onlyOrdinaryPages(site, id string) {
	c.t.Helper()
	c.eachPage(func(session string, info map[string]any) {
		where, _ := c.eval(session, "location.href").(string)
		if !strings.HasPrefix(where, site) && where != "about:blank" && where != "chrome-error://chromewebdata/" && !strings.HasPrefix(where, "chrome-extension://"+id) {
			c.t.Errorf("a client has a page at %s (%v)", where, info["url"])
		}
		if rights := c.eval(session, "typeof globalThis.chrome?.developerPrivate + typeof globalThis.chrome?.settingsPrivate"); rights != "undefinedundefined" {
			c.t.Errorf("the page %v has rights: %v", info["url"], rights)
		}
	})
}

// eachPage attaches the client to each page that it sees.
func (c *rawClient) eachPage(f func(session string, info map[string]any)) {
	c.t.Helper()
	targets, _ := c.must("", "Target.getTargets", nil)["targetInfos"].([]any)
	for _, one := range targets {
		info, _ := one.(map[string]any)
		if info["type"] != "page" {
			continue
		}
		session, _ := c.must("", "Target.attachToTarget", map[string]any{"targetId": info["targetId"], "flatten": true})["sessionId"].(string)
		f(session, info)
	}
}

// TestWhyExtensionsMayNotSetTheProxy shows what storage/extensions keeps out:
// what an extension says of the proxy counts for more than what the command
// line does. Only the resolver's rules stand then, which let loopback through.
func TestWhyExtensionsMayNotSetTheProxy(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	const size = 1 << 20
	srv := pages(t, map[string]string{"/": strings.Repeat("x", size)})
	p := chrometest.Provider(t)
	for dir, past := range map[string]bool{unpacked(t, ""): false, withPermission(t, "proxy"): true} {
		s := openWith(t, p, browser.Options{Extensions: []string{dir}})
		c := connect(t, s)
		w, _ := c.worker()
		c.await(w, `await chrome.proxy.settings.set({value: {mode: 'direct'}})`)
		if n := c.await(w, `return (await (await fetch('`+srv.URL+`/')).text()).length`); n != float64(size) {
			t.Fatalf("the page has %v", n)
		}
		if _, received := s.Traffic(); (received < size) != past {
			t.Errorf("past the proxy %v: it has carried %d bytes", past, received)
		}
	}
}

func withPermission(t testing.TB, name string) string {
	t.Helper()
	dir := unpacked(t, "")
	path := filepath.Join(dir, "manifest.json")
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, []byte(strings.Replace(string(text), `"tabs"`, `"tabs","`+name+`"`, 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// The popup of an extension is a page of the session like any other.
func TestThePopupOfAnExtension(t *testing.T) {
	t.Parallel()
	s := openWith(t, chrometest.Provider(t), browser.Options{Extensions: []string{unpacked(t, "")}})
	c := connect(t, s)
	w, id := c.worker()
	if got := c.await(w, `await chrome.tabs.create({url: 'popup.html'}); return 'opened'`); got != "opened" {
		t.Fatal(got)
	}
	for !says(t, s, "popped up") {
		t.Log("not yet")
	}
	if page, err := s.Page(t.Context()); err != nil || page.URL != "chrome-extension://"+id+"/popup.html" {
		t.Errorf("%+v, %v", page, err)
	}
}

// What an extension keeps stays with a stored profile, wherever the extension
// lies, and so does none of its rights.
func TestAnExtensionInAStoredProfile(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	p := chrometest.Provider(t)
	kept, err := p.ProfileDir(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Remove()
	dir := filepath.Join(kept.Path(), "profile")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	profile := &browser.Profile{Dir: dir}
	for _, want := range []string{"", "kept"} {
		s := openWith(t, p, browser.Options{Profile: profile, Extensions: []string{unpacked(t, keyed)}})
		c := connect(t, s)
		w, _ := c.worker()
		got := c.await(w, `const {v = ''} = await chrome.storage.local.get(); await chrome.storage.local.set({v: 'kept'}); return v`)
		if files := c.await(w, `return await chrome.extension.isAllowedFileSchemeAccess()`); got != want || files != false {
			t.Errorf("it has %q, want %q; files: %v", got, want, files)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	without := openWith(t, p, browser.Options{Profile: profile})
	navigate(t, without, pages(t, map[string]string{"/": `<p>a page`}).URL+"/")
	if says(t, without, "an extension") {
		t.Error("the extension of an earlier session is there")
	}
}

func TestExtensionsThatCannotBeLoaded(t *testing.T) {
	t.Parallel()
	p := chrometest.Provider(t)
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "manifest.json"), []byte(`{"manifest_version":3,"version":"1"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", "relative", "/nowhere", t.TempDir(), broken} {
		if _, err := p.Open(t.Context(), browser.Options{Extensions: []string{dir}}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%q: %v", dir, err)
		}
	}
}
