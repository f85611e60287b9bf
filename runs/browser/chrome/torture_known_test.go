package chrome_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux/policy"
	"github.com/drover-go/drover/runs/browser/chrome/internal/protocolfuzz"
)

var update = flag.Bool("update", false, "add the installed browser's methods to those that the policy knows")

// The policy knows every command of the installed browser, so that it can tell
// what is refused from what there is not.
func TestKnownMethods(t *testing.T) {
	t.Parallel()
	d, _ := described(t)
	missing := slices.DeleteFunc(d.Methods(), policy.Known)
	if len(missing) == 0 {
		return
	}
	if !*update {
		t.Fatalf("the browser has commands that the policy does not know; look at what they do, then run this test with -update: %v", missing)
	}
	path := filepath.Join("internal", "policy", "methods.txt")
	known, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := append(strings.Fields(string(known)), missing...)
	slices.Sort(all)
	if err := os.WriteFile(path, []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What is known to have ended Chromium 156, or to have brought out what another
// session has, is refused by the table; so the browser never gets it, and the
// bystander lives.
func TestKnownHarm(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "every command that ended a browser once")
	d, _ := described(t)
	a := newArena(t, tortureSite(t), silence)
	defer a.close()
	var steps []protocolfuzz.Step
	for _, harm := range []struct {
		method string
		params map[string]any
	}{
		{"Emulation.setDisplayFeaturesOverride", map[string]any{"features": []any{}}},
		{"Page.printToPDF", map[string]any{"paperWidth": 1e-9}},
		{"Input.imeSetComposition", map[string]any{"text": "a", "selectionStart": 0, "selectionEnd": 0, "replacementStart": 0, "replacementEnd": -1}},
		{"Storage.overrideQuotaForOrigin", map[string]any{"origin": a.site, "quotaSize": -1}},
		{"Storage.overrideQuotaForOrigin", map[string]any{"origin": a.site, "quotaSize": -1}},
		{"Page.captureScreenshot", map[string]any{"clip": map[string]any{"x": 0, "y": 0, "width": 1, "height": 100_000_000, "scale": 1}}},
		{"Input.synthesizeTapGesture", map[string]any{"x": 1, "y": 1, "tapCount": 2147483647}},
		{"Network.setCookies", map[string]any{"cookies": []any{map[string]any{"name": "a", "value": "b", "url": a.site}}}},
		{"Network.setCookie", map[string]any{"name": "a", "value": "b", "url": a.site}},
		{"Page.startScreenRecording", nil},
		{"Page.stopScreenRecording", nil},
		{"Emulation.setDeviceMetricsOverride", map[string]any{"width": 100, "height": 100, "deviceScaleFactor": 1, "mobile": false, "devicePosture": map[string]any{"type": "none"}}},
		{"Page.crash", nil},
		{"Input.synthesizeTapGesture", map[string]any{"x": 1, "y": 1}}, // with no process that could take it
		{"Input.synthesizeScrollGesture", map[string]any{"x": 1, "y": 1, "yDistance": 100}},
		{"Input.synthesizePinchGesture", map[string]any{"x": 1, "y": 1, "scaleFactor": 2}},
		{"Page.printToPDF", nil},
	} {
		for on := range 8 { // the page, its frames and its workers
			steps = append(steps, protocolfuzz.Step{On: on, Method: harm.method, Params: harm.params})
		}
	}
	if _, err := a.play(d, steps, true); err != nil {
		t.Errorf("%v, after %v", err, a.last())
	}
}

// Chromium 156 ends when a worker that has stopped, while a session with it has
// not, is asked for the body of an answer, and when a page whose process has gone is printed.
func TestWhatHasStoppedIsNotAsked(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it waits for limits")
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Timeouts.Call = 2 * time.Second })
	s := openWith(t, p, browser.Options{})
	navigate(t, s, tortureSite(t)+"/")
	c := connect(t, s)
	page, _ := c.page()
	c.eval(page, `navigator.serviceWorker.ready.then(() => 1)`)
	c.must("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true, "filter": []any{map[string]any{}}})
	workers := map[string]string{}
	for _, event := range c.heard() {
		if event.Method != "Target.attachedToTarget" {
			continue
		}
		kind, session := attached(event.Params)
		workers[kind] = session
	}
	if workers["service_worker"] == "" {
		t.Fatalf("there are %v only", workers)
	}
	if workers["shared_worker"] != "" {
		t.Error("a client is attached to a shared worker beside other sessions")
	}
	c.must(page, "ServiceWorker.enable", nil)
	c.must(page, "ServiceWorker.stopAllWorkers", nil)
	if r := c.ask(workers["service_worker"], "Network.getResponseBody", map[string]any{"requestId": "1.1"}); r.Error == nil || r.Error.Code != policy.CodeServer {
		t.Errorf("the body of a service worker that may have stopped: %+v", r)
	}
	c.start(page, "Page.crash", nil)
	if r := c.ask(page, "Page.printToPDF", nil); r.Error == nil || !strings.Contains(r.Error.Message, "answer") {
		t.Errorf("the print of a page that has gone: %+v", r)
	}
	c.must("", "Browser.getVersion", nil)
	navigate(t, openWith(t, p, browser.Options{}), tortureSite(t)+"/frame") // the browser lives
}

// Chromium 156 ends when somebody attaches to a shared worker that is about to
// end. So where others use the browser, no client is told of one, and none that
// has guessed its id attaches to it.
func TestSharedWorkersAreNotAttachedTo(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many workers")
	p := chrometest.Provider(t)
	for _, alone := range []bool{false, true} {
		s := openWith(t, p, browser.Options{OwnProcess: alone})
		navigate(t, s, tortureSite(t)+"/")
		c := connect(t, s)
		all := map[string]any{"filter": []any{map[string]any{}}}
		c.must("", "Target.setDiscoverTargets", map[string]any{"discover": true, "filter": all["filter"]})
		workers := func(kind string) (n int) {
			for _, info := range c.must("", "Target.getTargets", all)["targetInfos"].([]any) {
				if info.(map[string]any)["type"] == kind {
					n++
				}
			}
			return n
		}
		page, _ := c.page()
		c.eval(page, `navigator.serviceWorker.ready.then(() => new Promise(done => { const w = new SharedWorker('/shared.js'); w.port.onmessage = () => done(1) }))`)
		if found := workers("shared_worker"); (found > 0) != alone {
			t.Errorf("alone %v: the client sees %d shared workers", alone, found)
		}
		if !alone && workers("service_worker") == 0 {
			t.Error("the client sees no service worker")
		}
		for _, id := range chrome.TargetsOf(t, s, "shared_worker") {
			r := c.ask("", "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true})
			if (r.Error == nil) != alone {
				t.Errorf("alone %v: attaching to a shared worker gives %+v", alone, r)
			}
		}
	}
}

// A worker takes commands for workers. Others are answered as by a browser that
// does not have them.
func TestWorkersTakeTheirCommandsOnly(t *testing.T) {
	s := openWith(t, chrometest.Provider(t), browser.Options{OwnProcess: true}) // elsewhere no client sees shared workers
	site := tortureSite(t)
	navigate(t, s, site+"/")
	c := connect(t, s)
	page, _ := c.page()
	c.eval(page, `navigator.serviceWorker.ready.then(() => 1)`)
	c.must("", "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true, "filter": []any{map[string]any{}}})
	seen := map[string]bool{}
	for _, event := range c.heard() {
		if event.Method != "Target.attachedToTarget" {
			continue
		}
		kind, session := attached(event.Params)
		seen[kind] = true
		switch kind {
		case "service_worker", "shared_worker":
			c.must(session, "Runtime.enable", nil)
			c.must(session, "Network.enable", nil)
			c.must(session, "Runtime.evaluate", map[string]any{"expression": "1+1"})
		case "tab":
		default:
			continue
		}
		for _, method := range []string{"Network.setCookies", "Page.navigate", "Browser.getWindowForTarget", "Storage.getCookies", "Input.dispatchKeyEvent"} {
			if r := c.ask(session, method, nil); r.Error == nil || r.Error.Code != policy.CodeMethod {
				t.Errorf("%s to a %s: %+v", method, kind, r.Error)
			}
		}
	}
	if !seen["service_worker"] || !seen["shared_worker"] || !seen["tab"] {
		t.Errorf("there are %v only", seen)
	}
}
