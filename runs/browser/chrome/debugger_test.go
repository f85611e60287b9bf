package chrome_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// debugging defines what the worker of an extension with the permission
// debugger sends commands with: to a page that it has opened, or is given.
const debugging = `
	globalThis.send = async (id, method, params) => {
		try { return JSON.stringify(await chrome.debugger.sendCommand({targetId: id}, method, params || {})) } catch (e) { return 'failed: ' + e.message }
	}
	globalThis.debug = async url => {
		const page = (await chrome.debugger.getTargets()).find(t => t.type == 'page' && t.url.startsWith(url))
		await chrome.debugger.attach({targetId: page.id}, '1.3')
		return page.id
	}
	return 'ready'`

// An extension that may debug speaks to pages past the table for clients. The
// files of the machine, the browser's own pages and other ways out of the session
// stay out of its reach all the same.
func TestWhatTheDebuggerReaches(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every way around a proxy")
	trap := newTrap(t)
	srv := pages(t, map[string]string{"/": `<p>a page</p><input type=file>`, "/second": `<p>second`})
	s := openWith(t, chrometest.Provider(t), browser.Options{Extensions: []string{withPermission(t, "debugger")}})
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	w, id := c.worker()
	if got := c.await(w, debugging); got != "ready" {
		t.Fatal(got)
	}
	guest := c.must("", "Target.createBrowserContext", nil)["browserContextId"]
	theirs := c.must("", "Target.createTarget", map[string]any{"url": srv.URL + "/second", "browserContextId": guest})["targetId"]
	if got := c.await(w, fmt.Sprintf(`return (await chrome.debugger.getTargets()).some(t => t.id == %q)`, theirs)); got != false {
		t.Errorf("it sees a page of a context that a client has made: %v", got)
	}
	if got := c.await(w, fmt.Sprintf(`await chrome.debugger.attach({targetId: %q}, '1.3')`, theirs)); !strings.HasPrefix(fmt.Sprint(got), "failed: ") {
		t.Errorf("it debugs a page of a context that a client has made: %v", got)
	}
	secret, out := secretFile(t), t.TempDir()
	page, _ := c.await(w, `return await debug('`+srv.URL+`')`).(string)
	send := func(method, params string) string {
		got, _ := c.await(w, fmt.Sprintf(`return await send(%q, %q, %s)`, page, method, params)).(string)
		return got
	}
	// What it is there for.
	if got := send("Runtime.evaluate", `{expression: 'document.body.innerText'}`); !strings.Contains(got, "a page") {
		t.Fatalf("it cannot debug a page: %s", got)
	}
	refused := func(method, params string) {
		t.Helper()
		if got := send(method, params); !strings.HasPrefix(got, "failed: ") {
			t.Errorf("%s %s: %s", method, params, got)
		}
	}
	files := `{files: ['` + secret + `'], backendNodeId: JSON.parse(await send('` + page + `', 'DOM.describeNode', {objectId: JSON.parse(await send('` + page + `',
		'Runtime.evaluate', {expression: 'document.querySelector("input")'})).result.objectId})).node.backendNodeId}`
	for method, params := range map[string]string{
		"Page.navigate":                 `{url: 'file://` + secret + `'}`,
		"DOM.setFileInputFiles":         files,
		"Input.dispatchDragEvent":       `{type: 'drop', x: 10, y: 10, data: {items: [], files: ['` + secret + `'], dragOperationsMask: 1}}`,
		"DOM.getFileInfo":               `{objectId: JSON.parse(await send('` + page + `', 'Runtime.evaluate', {expression: 'new File([], "a")'})).result.objectId}`,
		"Network.loadNetworkResource":   `{frameId: '` + page + `', url: 'file://` + secret + `', options: {disableCache: true, includeCredentials: true}}`,
		"Page.getResourceContent":       `{frameId: '` + page + `', url: 'file://` + secret + `'}`,
		"Page.setDownloadBehavior":      `{behavior: 'allow', downloadPath: '` + out + `'}`,
		"Browser.setDownloadBehavior":   `{behavior: 'allow', downloadPath: '` + out + `'}`,
		"Browser.getBrowserCommandLine": ``, "SystemInfo.getInfo": ``, "Browser.close": ``, "Browser.crash": ``, "Memory.getProcessMemory": ``,
		"Target.getTargets": ``, "Target.attachToBrowserTarget": ``, "Target.createBrowserContext": `{proxyServer: 'direct://'}`,
		"Target.exposeDevToolsProtocol": `{targetId: '` + page + `'}`,
		"Extensions.loadUnpacked":       `{path: '` + out + `'}`, "Extensions.getExtensions": ``,
		"Tethering.bind": `{port: 9999}`, "PWA.install": `{manifestId: 'x'}`, "DeviceAccess.enable": ``, "Cast.enable": ``,
	} {
		refused(method, cmp.Or(params, "{}"))
	}
	refused("Page.navigate", `{url: 'view-source:file://`+secret+`'}`)
	if got := send("Runtime.evaluate", `{awaitPromise: true, expression: 'document.querySelector("input").files.length'}`); !strings.Contains(got, `"value":0`) {
		t.Errorf("the page has files: %s", got)
	}
	if got := send("Page.navigate", `{url: 'http://`+trap.host+`/debugger'}`); !strings.Contains(got, "frameId") {
		t.Error(got)
	}
	if got := send("Page.navigate", `{url: '`+srv.URL+`/'}`); !strings.Contains(got, "frameId") {
		t.Error(got)
	}
	page, _ = c.await(w, `const p = await chrome.tabs.create({url: '`+srv.URL+`/second'}); for (;;) { if ((await chrome.tabs.get(p.id)).status == 'complete') return await debug('`+srv.URL+`/second') }`).(string)
	for _, url := range []string{"file://" + secret, "chrome://version", "chrome://settings", "view-source:file://" + secret, "devtools://devtools/bundled/inspector.html"} {
		send("Target.createTarget", `{url: '`+url+`'}`) // which it may, without seeing what comes of it
	}
	send("Target.setRemoteLocations", `{locations: [{host: '`+strings.Split(trap.host, ":")[0]+`', port: `+strings.Split(trap.host, ":")[1]+`}]}`)
	send("Page.navigate", `{url: 'javascript:location.href="file://`+secret+`"'}`)
	send("Runtime.evaluate", `{expression: 'location.href = "file://`+secret+`"'}`)
	for _, url := range []string{"file://", "chrome://version"} {
		if got, _ := c.await(w, `return await debug('`+url+`')`).(string); !strings.HasPrefix(got, "failed: ") {
			t.Errorf("it debugs a page of %s: %s", url, got)
		}
	}
	if got := c.await(w, `await chrome.debugger.attach({targetId: 'browser'}, '1.3')`); !strings.HasPrefix(fmt.Sprint(got), "failed: ") {
		t.Errorf("it debugs the browser: %v", got)
	}
	if got := c.await(w, `for (;;) { if ((await chrome.tabs.query({})).every(t => t.status == 'complete')) return 'settled' }`); got != "settled" {
		t.Error(got)
	}
	c.onlyOrdinaryPages(srv.URL, id)
	c.nowhere("the secret")
	if came := trap.came(); len(came) > 0 {
		t.Errorf("a private address was reached: %v", came)
	}
	if left, err := os.ReadDir(out); err != nil || len(left) > 0 {
		t.Errorf("it has written %v, %v", left, err)
	}
}

func secretFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(path, []byte("the secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// nowhere asserts that no page of the session shows a text.
func (c *rawClient) nowhere(text string) {
	c.t.Helper()
	c.eachPage(func(session string, info map[string]any) {
		if shown, _ := c.eval(session, "document.documentElement.outerHTML").(string); strings.Contains(shown, text) {
			c.t.Errorf("%v shows it: %s", info["url"], shown)
		}
	})
}

// An extension without the permission has no debugger.
func TestWithoutThePermissionThereIsNoDebugger(t *testing.T) {
	t.Parallel()
	c := connect(t, openWith(t, chrometest.Provider(t), browser.Options{Extensions: []string{unpacked(t, "")}}))
	w, _ := c.worker()
	if got := c.await(w, `return typeof chrome.debugger`); got != "undefined" {
		t.Error(got)
	}
}
