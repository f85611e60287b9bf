package chrome_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

func TestExploreDebugger(t *testing.T) {
	srv := pages(t, map[string]string{"/": `<title>t</title><p>a page</p><input type=file id=f>`})
	s := openWith(t, chrometest.Provider(t), browser.Options{Extensions: []string{withPermission(t, "debugger")}})
	navigate(t, s, srv.URL+"/")
	c := connect(t, s)
	w, _ := c.worker()
	secret := filepath.Join(t.TempDir(), "secret.txt")
	os.WriteFile(secret, []byte("the secret"), 0o600)
	out := t.TempDir()
	c.await(w, `globalThis.D = chrome.debugger; globalThis.send = async (id, m, p, s) => { try { return JSON.stringify(await D.sendCommand({targetId: id, sessionId: s}, m, p || {})).slice(0, 300) } catch (e) { return 'ERR ' + e.message } }; globalThis.att = async (x) => { try { await D.attach(x, '1.3'); return 'attached' } catch (e) { return 'ERR ' + e.message } }; return 1`)
	t.Log(c.await(w, `return JSON.stringify(await D.getTargets())`))
	t.Log("attach page", c.await(w, `const t = (await D.getTargets()).find(t => t.type == 'page' && t.url.startsWith('http')); globalThis.P = t.id; return await att({targetId: t.id})`))
	for _, m := range []string{
		`'Page.navigate', {url: 'file://` + secret + `'}`,
		`'Runtime.evaluate', {expression: 'location.href + document.body.innerText'}`,
		`'Page.navigate', {url: 'view-source:file://` + secret + `'}`,
		`'Runtime.evaluate', {expression: 'location.href'}`,
		`'Page.getFrameTree'`,
		`'DOM.enable'`,
		`'DOM.getDocument'`,
		`'DOM.querySelector', {nodeId: JSON.parse(await send(P, 'DOM.getDocument')).root.nodeId, selector: 'input'}`,
		`'DOM.setFileInputFiles', {files: ['` + secret + `'], nodeId: JSON.parse(await send(P, 'DOM.querySelector', {nodeId: JSON.parse(await send(P, 'DOM.getDocument')).root.nodeId, selector: 'input'})).nodeId}`,
		`'Runtime.evaluate', {awaitPromise: true, expression: 'document.querySelector("input").files[0]?.text()'}`,
		`'Input.dispatchDragEvent', {type: 'drop', x: 10, y: 10, data: {items: [], files: ['` + secret + `'], dragOperationsMask: 1}}`,
		`'Page.setDownloadBehavior', {behavior: 'allow', downloadPath: '` + out + `'}`,
		`'Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: '` + out + `'}`,
		`'Browser.getBrowserCommandLine'`, `'Browser.getVersion'`, `'SystemInfo.getInfo'`, `'SystemInfo.getProcessInfo'`,
		`'Target.getTargets'`, `'Target.createTarget', {url: 'chrome://version'}`, `'Target.attachToBrowserTarget'`, `'Target.createBrowserContext', {proxyServer: 'direct://'}`,
		`'Target.exposeDevToolsProtocol', {targetId: P}`,
		`'Target.setRemoteLocations', {locations: [{host: '127.0.0.1', port: 1}]}`,
		`'Tracing.start'`, `'Tethering.bind', {port: 9999}`, `'Extensions.getExtensions'`, `'Extensions.loadUnpacked', {path: '` + out + `'}`,
		`'Network.loadNetworkResource', {frameId: P, url: 'file://` + secret + `', options: {disableCache: true, includeCredentials: true}}`,
		`'Network.loadNetworkResource', {frameId: P, url: 'http://127.0.0.1:1/', options: {disableCache: true, includeCredentials: true}}`,
		`'Page.getResourceContent', {frameId: P, url: 'file://` + secret + `'}`,
		`'Fetch.enable'`, `'Fetch.disable'`,
		`'DOM.getFileInfo', {objectId: JSON.parse(await send(P, 'Runtime.evaluate', {expression: 'new File([], "a")'})).result.objectId}`,
		`'Network.getAllCookies'`, `'Storage.getCookies'`,
		`'Memory.getProcessMemory'`, `'Browser.close'`, `'Browser.crash'`, `'PWA.install', {manifestId: 'x'}`, `'DeviceAccess.enable'`, `'Cast.enable'`,
		`'Page.captureSnapshot'`, `'IO.read', {handle: '1'}`, `'Page.addCompilationCache', {url: 'x', data: ''}`,
		`'Page.navigate', {url: 'javascript:location.href="file://` + secret + `"'}`,
		`'Emulation.addScreen', {left: 0, top: 0, width: 10, height: 10}`,
		`'Page.navigate', {url: 'about:blank'}`, `'Autofill.enable'`, `'WebAuthn.enable'`, `'BluetoothEmulation.enable', {state: 'absent', leSupported: true}`,
	} {
		got := c.await(w, `return await send(P, `+m+`)`)
		t.Logf("%.150s\n      => %v", m, got)
	}
	t.Log(c.await(w, `globalThis.R = []; D.onEvent.addListener((src, m, p) => { if (m.startsWith('Target.')) R.push([src, m, p]) }); return await send(P, 'Target.setAutoAttach', {autoAttach: true, waitForDebuggerOnStart: false, flatten: true}) + JSON.stringify(R)`))
	t.Log(c.await(w, `return await send(P, 'Page.navigate', {url: 'chrome://version'})`))
	for _, url := range []string{"chrome://version", "file://" + secret, "chrome://settings", "devtools://devtools/bundled/inspector.html"} {
		t.Log(url, c.await(w, `const t = await chrome.tabs.create({url: '`+url+`'}); return await att({tabId: t.id}) + ' ' + (await chrome.tabs.get(t.id)).url + ' ' + (await chrome.tabs.get(t.id)).pendingUrl`))
	}
	t.Log("browser", c.await(w, `return await att({targetId: 'browser'})`))
	t.Log(c.await(w, `return JSON.stringify(await D.getTargets())`))
	ents, _ := os.ReadDir(out)
	t.Log(ents)
}
