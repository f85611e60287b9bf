package chrome_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
)

// A bypass is what an external client tries: a command on its root, or on its
// page, with words of the test's in the parameters. Each is answered with an
// error, unless contained says what the answer may be.
type bypass struct {
	on        string // "root" or "page"
	method    string
	params    string
	contained func(t *testing.T, j *jail, result map[string]any)
	// alone is for who has the browser to himself.
	alone bool
}

// jail is what the tries are made against.
type jail struct {
	c             *rawClient
	page, target  string // the client's
	folder        string // where nothing may be written
	words         *strings.Replacer
	site          *httptest.Server
	other         browser.Session // another session in the same browser
	otherSession  string          // a protocol session of another client's
	otherTarget   string
	otherContext  string
	secretMarkers []string
	alone         bool // the session has the browser to itself
}

// bypasses is the table. {secret} is a file, {private} an address that no
// session may reach, {folder} a directory, {other…} ids of another session.
var bypasses = []bypass{
	// Files and pages of the browser by address.
	{on: "page", method: "Page.navigate", params: `{"url":"file://{secret}"}`},
	{on: "page", method: "Page.navigate", params: `{"url":" fi\nle://{secret}"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"FILE://{secret}"}`},
	{on: "page", method: "Page.navigate", params: `{"\u0075rl":"file://{secret}"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"about:blank","url":"file://{secret}"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"{secret}"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"chrome://version"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"about:version"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"chrome-untrusted://terminal"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"devtools://devtools/bundled/inspector.html"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"view-source:file://{secret}"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"filesystem:file:///temporary/x"}`},
	{on: "page", method: "Page.navigate", params: `{"url":"chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html"}`},
	{on: "page", method: "Page.navigate", params: `{"url":7}`},
	{on: "page", method: "Page.navigate", params: `{"url":"{private}/navigate"}`, contained: anything},
	{on: "root", method: "Target.createTarget", params: `{"url":"file://{secret}"}`},
	{on: "root", method: "Target.createTarget", params: `{"url":"chrome://settings"}`},
	{on: "page", method: "Target.createTarget", params: `{"url":"file://{secret}"}`},
	{on: "root", method: "Target.createTarget", params: `{"url":"{private}/target"}`, contained: anything},
	{on: "page", method: "Network.loadNetworkResource", params: `{"frameId":"{target}","url":"file://{secret}","options":{"disableCache":true,"includeCredentials":false}}`},
	{on: "page", method: "Network.loadNetworkResource", params: `{"frameId":"{target}","url":"{private}/resource","options":{"disableCache":true,"includeCredentials":false}}`, contained: anything},
	{on: "page", method: "Fetch.continueRequest", params: `{"requestId":"1","url":"file://{secret}"}`},
	// By what a page's scripts can do, with rights that clients can give.
	script(`fetch('file://{secret}').then(r => r.text())`),
	script(`new Promise(r => { const x = new XMLHttpRequest(); x.onloadend = () => r(x.responseText); x.open('GET', 'file://{secret}'); x.send() })`),
	script(`(() => { const f = document.createElement('iframe'); f.src = 'file://{secret}'; document.body.append(f); return new Promise(r => f.onload = () => { try { r(f.contentDocument.body.innerText) } catch (e) { r('' + e) } }) })()`),
	script(`(() => { const w = window.open('file://{secret}'); try { return w && w.document.body.innerText } catch (e) { return '' + e } })()`),
	script(`(() => { location = 'file://{secret}'; return 'went' })()`),
	script(`fetch('{private}/script').then(r => r.text())`),
	script(`import('file://{secret}')`),
	{on: "page", method: "Page.createIsolatedWorld", params: `{"frameId":"{target}","grantUniveralAccess":true}`, contained: universal},
	{on: "page", method: "Page.setBypassCSP", params: `{"enabled":true}`, contained: anything},
	{on: "page", method: "Page.navigate", params: `{"url":"data:text/html,<iframe src='file://{secret}'></iframe><img src='{private}/data'>"}`, contained: anything},
	{on: "page", method: "Page.navigate", params: `{"url":"javascript:location='file://{secret}'"}`, contained: anything},
	{on: "page", method: "Page.navigate", params: `{"url":"{site}/redirect"}`, contained: anything}, // to the file

	// Files of the machine, put into pages.
	{on: "page", method: "DOM.setFileInputFiles", params: `{"files":["{secret}"],"nodeId":1}`},
	{on: "page", method: "DOM.setFileInputFiles", params: `{"files":["{secret}"],"\u0066iles":[],"nodeId":1}`},
	{on: "page", method: "DOM.setFileInputFiles", params: `{"files":[""],"nodeId":1}`},
	{on: "page", method: "Page.handleFileChooser", params: `{"action":"accept","files":["{secret}"]}`},
	{on: "page", method: "Input.dispatchDragEvent", params: `{"type":"drop","x":1,"y":1,"data":{"items":[],"files":["{secret}"],"dragOperationsMask":1}}`},
	{on: "page", method: "DOM.getFileInfo", params: `{"objectId":"1"}`},

	// Folders.
	{on: "root", method: "Browser.setDownloadBehavior", params: `{"behavior":"allow","downloadPath":"{folder}","eventsEnabled":true}`, contained: noDownload},
	{on: "page", method: "Browser.setDownloadBehavior", params: `{"behavior":"allow","downloadPath":"{folder}"}`, contained: noDownload},
	{on: "page", method: "Page.setDownloadBehavior", params: `{"behavior":"allow","downloadPath":"{folder}"}`, contained: noDownload},
	{on: "root", method: "Browser.setDownloadBehavior", params: `{"behavior":"allow","downloadPath":"{folder}","browserContextId":"{otherContext}"}`},

	// Other proxies, other contexts.
	{on: "root", method: "Target.createBrowserContext", params: `{"proxyServer":"direct://"}`},
	{on: "root", method: "Target.createBrowserContext", params: `{"proxyServer":"http://127.0.0.1:1","proxyBypassList":"*"}`},
	{on: "root", method: "Target.createBrowserContext", params: `{"proxyBypassList":"127.0.0.2"}`},
	{on: "root", method: "Target.createBrowserContext", params: `{"originsWithUniversalNetworkAccess":["http://a.test"]}`},
	{on: "root", method: "Target.createBrowserContext", params: `{"disposeOnDetach":false}`, contained: guest},
	{on: "root", method: "Target.disposeBrowserContext", params: `{"browserContextId":"{otherContext}"}`},
	{on: "root", method: "Target.disposeBrowserContext", params: `{"browserContextId":"{context}"}`},
	{on: "root", method: "Target.createTarget", params: `{"url":"about:blank","browserContextId":"{otherContext}"}`},
	{on: "root", method: "Storage.getCookies", params: `{"browserContextId":"{otherContext}"}`},
	{on: "root", method: "Storage.getCookies", params: `{}`, contained: noSecret},
	{on: "page", method: "Storage.getCookies", params: `{"browserContextId":"{otherContext}"}`},
	{on: "root", method: "Storage.setCookies", params: `{"cookies":[],"browserContextId":"{otherContext}"}`},
	{on: "root", method: "Storage.clearCookies", params: `{"browserContextId":"{otherContext}"}`},
	{on: "root", method: "Storage.clearDataForOrigin", params: `{"origin":"*","storageTypes":"all"}`},
	{on: "root", method: "Browser.grantPermissions", params: `{"permissions":["geolocation"],"browserContextId":"{otherContext}"}`},
	{on: "root", method: "Browser.setPermission", params: `{"permission":{"name":"midi"},"setting":"granted","browserContextId":"{otherContext}"}`},
	{on: "root", method: "Browser.cancelDownload", params: `{"guid":"x","browserContextId":"{otherContext}"}`},
	{on: "root", method: "Target.getBrowserContexts", params: `{}`, contained: noOther},
	{on: "page", method: "Network.getAllCookies", params: `{}`, contained: noSecret},

	// Other targets.
	{on: "root", method: "Target.getTargets", params: `{"filter":[{}]}`, contained: noOther},
	{on: "page", method: "Target.getTargets", params: `{"filter":[{}]}`, contained: noOther},
	{on: "root", method: "Target.setDiscoverTargets", params: `{"discover":true,"filter":[{}]}`, contained: noOther},
	{on: "page", method: "Target.setDiscoverTargets", params: `{"discover":true,"filter":[{}]}`, contained: noOther},
	{on: "root", method: "Target.setAutoAttach", params: `{"autoAttach":true,"waitForDebuggerOnStart":false,"flatten":true,"filter":[{}]}`, contained: noOther},
	{on: "root", method: "Target.setAutoAttach", params: `{"autoAttach":true,"waitForDebuggerOnStart":false}`},
	{on: "page", method: "Target.setAutoAttach", params: `{"autoAttach":true,"waitForDebuggerOnStart":false,"flatten":false}`},
	{on: "root", method: "Target.attachToTarget", params: `{"targetId":"{otherTarget}","flatten":true}`},
	{on: "page", method: "Target.attachToTarget", params: `{"targetId":"{otherTarget}","flatten":true}`},
	{on: "root", method: "Target.attachToTarget", params: `{"targetId":"{target}"}`},
	{on: "root", method: "Target.getTargetInfo", params: `{"targetId":"{otherTarget}"}`},
	{on: "root", method: "Target.closeTarget", params: `{"targetId":"{otherTarget}"}`},
	{on: "root", method: "Target.activateTarget", params: `{"targetId":"{otherTarget}"}`},
	{on: "root", method: "Target.autoAttachRelated", params: `{"targetId":"{otherTarget}","waitForDebuggerOnStart":true}`},
	{on: "root", method: "Target.exposeDevToolsProtocol", params: `{"targetId":"{target}","bindingName":"cdp"}`},
	{on: "root", method: "Target.sendMessageToTarget", params: `{"message":"{\"id\":1,\"method\":\"Browser.crash\"}","sessionId":"{page}"}`},
	{on: "root", method: "Target.detachFromTarget", params: `{"sessionId":"{otherSession}"}`},
	{on: "root", method: "Target.setRemoteLocations", params: `{"locations":[{"host":"127.0.0.2","port":1}]}`},
	{on: "root", method: "Browser.getWindowForTarget", params: `{"targetId":"{otherTarget}"}`},
	{on: "root", method: "Browser.getWindowBounds", params: `{"windowId":1}`},
	{on: "root", method: "Browser.setWindowBounds", params: `{"windowId":1,"bounds":{"width":10}}`},
	{on: "root", method: "Target.attachToBrowserTarget", params: `{}`, contained: sameJail},

	// The browser and the machine.
	{on: "root", method: "Browser.crash", params: `{}`},
	{on: "page", method: "Browser.crash", params: `{}`},
	{on: "root", method: "Browser.crashGpuProcess", params: `{}`},
	{on: "root", method: "Browser.executeBrowserCommand", params: `{"commandId":"openTabSearch"}`},
	{on: "root", method: "Browser.getBrowserCommandLine", params: `{}`},
	{on: "root", method: "Browser.getHistograms", params: `{}`},
	{on: "root", method: "Browser.setDockTile", params: `{}`},
	{on: "root", method: "Browser.addPrivacySandboxEnrollmentOverride", params: `{"url":"https://a.test"}`},
	{on: "root", method: "SystemInfo.getInfo", params: `{}`},
	{on: "root", method: "SystemInfo.getProcessInfo", params: `{}`},
	{on: "page", method: "SystemInfo.getInfo", params: `{}`},
	{on: "root", method: "Tracing.start", params: `{}`, alone: true},
	{on: "page", method: "Tracing.start", params: `{}`, alone: true},
	{on: "root", method: "IO.read", params: `{"handle":"1"}`},
	{on: "page", method: "IO.read", params: `{"handle":"file://{secret}"}`},
	{on: "root", method: "Fetch.enable", params: `{}`},
	{on: "root", method: "Security.setIgnoreCertificateErrors", params: `{"ignore":true}`},
	{on: "root", method: "Network.enable", params: `{}`},
	{on: "root", method: "Extensions.loadUnpacked", params: `{"path":"{folder}"}`},
	{on: "page", method: "Extensions.loadUnpacked", params: `{"path":"{folder}"}`},
	{on: "root", method: "Extensions.getExtensions", params: `{}`, alone: true},
	{on: "root", method: "HeadlessExperimental.beginFrame", params: `{}`},
	{on: "page", method: "HeadlessExperimental.enable", params: `{}`},
	{on: "root", method: "Memory.simulatePressureNotification", params: `{"level":"critical"}`},
	{on: "page", method: "Memory.forciblyPurgeJavaScriptMemory", params: `{}`},
	{on: "page", method: "DeviceAccess.enable", params: `{}`},
	{on: "root", method: "Tethering.bind", params: `{"port":45678}`},
	{on: "page", method: "Cast.enable", params: `{}`},
	{on: "root", method: "PWA.install", params: `{"manifestId":"https://a.test"}`},
	{on: "page", method: "PWA.launch", params: `{"manifestId":"https://a.test"}`},
	{on: "page", method: "BluetoothEmulation.enable", params: `{"state":"powered-on","leSupported":true}`},
	{on: "page", method: "SmartCardEmulation.enable", params: `{}`},
	{on: "page", method: "Emulation.addScreen", params: `{"left":0,"top":0,"width":10,"height":10}`},
	{on: "root", method: "Newer.domain", params: `{}`},
	{on: "page", method: "Newer.domain", params: `{}`},
	{on: "page", method: "page.navigate", params: `{"url":"file://{secret}"}`},
	{on: "page", method: "Page", params: `{}`, contained: refused},
	{on: "page", method: ".navigate", params: `{}`},
}

// script evaluates an expression in the page; the file's content must not come.
func script(expression string) bypass {
	raw, _ := json.Marshal(map[string]any{"expression": inTime(expression), "awaitPromise": true, "returnByValue": true, "userGesture": true})
	return bypass{on: "page", method: "Runtime.evaluate", params: string(raw), contained: anything}
}

// inTime gives up on what never comes, since it is refused.
func inTime(expression string) string {
	return "Promise.race([" + expression + ", new Promise(r => setTimeout(r, 1500, 'nothing'))])"
}

// anything is contained by what the table's test looks for after every try.
func anything(*testing.T, *jail, map[string]any) {}

func refused(t *testing.T, _ *jail, result map[string]any) {
	if result != nil {
		t.Errorf("answered %v", result)
	}
}

// noOther finds nothing of the other session, neither in the answer nor in the
// events before it.
func noOther(t *testing.T, j *jail, result map[string]any) {
	all := fmt.Sprint(result)
	for _, e := range j.c.heard() {
		all += string(e.Params)
	}
	for _, id := range []string{j.otherTarget, j.otherContext, "browser_ui"} {
		if strings.Contains(all, id) {
			t.Errorf("%s shows in %s", id, all)
		}
	}
	if result == nil {
		t.Error("refused")
	}
}

func noSecret(t *testing.T, _ *jail, result map[string]any) {
	if text := fmt.Sprint(result); strings.Contains(text, "others") || result == nil {
		t.Errorf("answered %v", result)
	}
}

// universal tries the file again in a world that may read other origins.
func universal(t *testing.T, j *jail, result map[string]any) {
	for _, expression := range []string{
		`fetch('file://{secret}').then(r => r.text())`,
		`new Promise(r => { const f = document.createElement('iframe'); f.src = 'file://{secret}'; document.body.append(f); f.onload = () => r(f.contentDocument ? f.contentDocument.documentElement.outerHTML : 'none') })`,
		`new Promise(r => { const f = document.createElement('iframe'); f.src = 'chrome://version'; document.body.append(f); f.onload = () => r(f.contentDocument ? f.contentDocument.documentElement.outerHTML : 'none') })`,
		`fetch('{private}/universal').then(r => r.text())`,
	} {
		r := j.c.ask(j.page, "Runtime.evaluate", map[string]any{
			"expression": j.words.Replace(inTime(expression)), "awaitPromise": true, "returnByValue": true, "contextId": result["executionContextId"],
		})
		for _, marker := range j.secretMarkers {
			if strings.Contains(string(r.Result), marker) {
				t.Errorf("%s gave %s", expression, r.Result)
			}
		}
	}
}

// noDownload downloads, and finds the folder empty.
func noDownload(t *testing.T, j *jail, result map[string]any) {
	if result == nil {
		t.Error("refused, which clients do not expect")
	}
	j.c.ask(j.page, "Runtime.evaluate", map[string]any{"expression": `(() => { const a = document.createElement('a'); a.href = 'data:text/csv,a,b'; a.download = 'x.csv'; a.click() })()`})
	j.c.eval(j.page, "fetch('/').then(r => r.status)") // the download was before
	if entries, _ := os.ReadDir(j.folder); len(entries) > 0 {
		t.Errorf("downloaded %v into the client's folder", entries)
	}
}

// guest makes the private address the test of a context of the client's own.
func guest(t *testing.T, j *jail, result map[string]any) {
	id := result["browserContextId"]
	made := j.c.must("", "Target.createTarget", map[string]any{"url": j.site.URL + "/", "browserContextId": id})
	at := j.c.must("", "Target.attachToTarget", map[string]any{"targetId": made["targetId"], "flatten": true})["sessionId"].(string)
	for _, url := range []string{"{private}/guest", "http://127.0.0.2:1/"} {
		j.c.ask(at, "Page.navigate", map[string]any{"url": j.words.Replace(url)})
	}
	if r := j.c.ask(at, "Page.navigate", map[string]any{"url": j.site.URL + "/second"}); r.Error != nil || strings.Contains(string(r.Result), "errorText") {
		t.Errorf("the session's proxy does not serve it: %s", r.Result)
	}
	j.c.must("", "Target.disposeBrowserContext", map[string]any{"browserContextId": id})
}

// sameJail finds the other root as narrow as the first.
func sameJail(t *testing.T, j *jail, result map[string]any) {
	root := result["sessionId"].(string)
	noOther(t, j, j.c.must(root, "Target.getTargets", nil))
	for _, method := range []string{"Browser.crash", "Fetch.enable", "Tracing.start"} {
		if r := j.c.ask(root, method, nil); r.Error == nil && !(j.alone && method == "Tracing.start") {
			t.Errorf("%s is not refused there", method)
		}
	}
}

func newJail(t *testing.T, o browser.Options) (*jail, browser.Session) {
	j := &jail{folder: t.TempDir(), alone: o.OwnProcess || o.Profile != nil || len(o.Extensions) > 0, secretMarkers: []string{"the-secret-of-the-machine", "Command Line"}}
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("the-secret-of-the-machine"), 0o600); err != nil {
		t.Fatal(err)
	}
	tr := newTrap(t)
	j.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			w.Header().Set("Location", "file://"+secret)
			w.WriteHeader(http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>jail</title><body><input type=file>")
	}))
	t.Cleanup(j.site.Close)
	j.other = open(t)
	navigate(t, j.other, j.site.URL+"/others")
	neighbour := connect(t, j.other)
	j.otherSession, j.otherTarget = neighbour.page()
	neighbour.eval(j.otherSession, "document.cookie = 'others=1'")
	j.otherContext = neighbour.must("", "Target.getBrowserContexts", nil)["defaultBrowserContextId"].(string)

	s := openWith(t, sharedProvider(t), o)
	navigate(t, s, j.site.URL+"/")
	j.c = connect(t, s)
	j.page, j.target = j.c.page()
	own := j.c.must("", "Target.getBrowserContexts", nil)["defaultBrowserContextId"].(string)
	j.words = strings.NewReplacer("{secret}", secret, "{private}", "http://"+tr.host, "{folder}", j.folder, "{site}", j.site.URL,
		"{target}", j.target, "{page}", j.page, "{context}", own,
		"{otherTarget}", j.otherTarget, "{otherContext}", j.otherContext, "{otherSession}", j.otherSession)
	t.Cleanup(func() {
		if seen := tr.came(); len(seen) > 0 {
			t.Errorf("the private server was reached: %v", seen)
		}
	})
	return j, s
}

func TestNoBypass(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every way around a proxy")
	noBypass(t, browser.Options{})
}

func noBypass(t *testing.T, o browser.Options) {
	j, s := newJail(t, o)
	for i, b := range bypasses {
		t.Run(fmt.Sprintf("%03d %s %s", i, b.on, b.method), func(t *testing.T) { j.try(t, b) })
	}
	navigate(t, s, j.site.URL+"/after")
	if p, err := j.other.Page(t.Context()); err != nil || !strings.HasSuffix(p.URL, "/others") {
		t.Errorf("the other session: %+v, %v", p, err)
	}
}

// try makes one try, and looks whether the session and its page go on, without
// the secret.
func (j *jail) try(t *testing.T, b bypass) {
	j.c.t = t
	session := j.page
	if b.on == "root" {
		session = ""
	}
	r := j.c.askRaw(session, b.method, j.words.Replace(b.params))
	switch {
	case b.contained == nil && r.Error == nil && !(b.alone && j.alone):
		t.Errorf("not refused: %s", r.Result)
	case b.contained != nil:
		var result map[string]any
		if r.Error == nil {
			json.Unmarshal(r.Result, &result)
		}
		b.contained(t, j, result)
	}
	seen := string(r.Result)
	tree := j.c.ask(j.page, "Page.captureSnapshot", nil)
	seen += string(tree.Result)
	for _, marker := range j.secretMarkers {
		if strings.Contains(seen, marker) {
			t.Errorf("the secret shows: %.300s", seen)
		}
	}
	j.c.must("", "Browser.getVersion", nil)
	j.c.must(j.page, "Page.navigate", map[string]any{"url": j.site.URL + "/"})
}
