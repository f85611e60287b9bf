package chrome_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// A client sees the extensions of its own session, and not where they lie.
func TestTheExtensionsOfASessionAreListed(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many starts of browsers")
	p := chrometest.Provider(t)
	dir := unpacked(t, "")
	c := connect(t, openWith(t, p, browser.Options{Extensions: []string{dir}}))
	_, id := c.worker()
	want := fmt.Sprint(map[string]any{"extensions": []any{map[string]any{"id": id, "name": "Marks", "version": "1.0", "path": "", "enabled": true}}})
	if got := fmt.Sprint(c.must("", "Extensions.getExtensions", nil)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	own := connect(t, openWith(t, p, browser.Options{OwnProcess: true}))
	if got := fmt.Sprint(own.must("", "Extensions.getExtensions", nil)); got != "map[extensions:[]]" {
		t.Error(got)
	}
	beside := connect(t, openWith(t, p, browser.Options{}))
	for _, client := range []*rawClient{c, own, beside} {
		if r := client.ask("", "Extensions.loadUnpacked", map[string]any{"path": dir}); r.Error == nil || !strings.Contains(r.Error.Message, "POST /v1/extensions") {
			t.Errorf("%+v", r)
		}
	}
	if r := beside.ask("", "Extensions.getExtensions", nil); r.Error == nil || !strings.Contains(r.Error.Message, "extensionId") {
		t.Errorf("%+v", r)
	}
}

// A client opens the pages of the session's extension, and no others that are
// not of the web.
func TestAPageOfTheSessionsExtension(t *testing.T) {
	t.Parallel()
	p := chrometest.Provider(t)
	s := openWith(t, p, browser.Options{Extensions: []string{unpacked(t, "")}})
	c := connect(t, s)
	_, id := c.worker()
	c.must("", "Target.createTarget", map[string]any{"url": "chrome-extension://" + id + "/popup.html"})
	for !says(t, s, "popped up") {
		t.Log("not yet")
	}
	beside := connect(t, openWith(t, p, browser.Options{}))
	for url, client := range map[string]*rawClient{
		"chrome-extension://" + strings.Repeat("a", 32) + "/popup.html": c,
		"chrome-extension://" + id + "@x/popup.html":                    c,
		"chrome-extension://" + id + "/popup.html":                      beside,
	} {
		if r := client.ask("", "Target.createTarget", map[string]any{"url": url}); r.Error == nil {
			t.Errorf("%s is opened", url)
		}
	}
}

// A hidden target is there to be seen, until the client that made it leaves.
func TestAHiddenTarget(t *testing.T) {
	t.Parallel()
	p := chrometest.Provider(t, func(o *chrome.Options) { o.MaxTabs = 3 })
	s := openWith(t, p, browser.Options{OwnProcess: true})
	c, other := connect(t, s), connect(t, s)
	other.must("", "Target.setDiscoverTargets", map[string]any{"discover": true})
	hide := func(url string) reply {
		return c.ask("", "Target.createTarget", map[string]any{"url": url, "hidden": true, "background": true})
	}
	if r := hide("http://127.0.0.1/"); r.Error == nil {
		t.Error("a page can be hidden")
	}
	c.must("", "Target.createTarget", map[string]any{"url": "about:blank#mark", "hidden": true, "background": true})
	id := fmt.Sprint(hiddenOf(other)["targetId"])
	if info := hiddenOf(other); info["type"] != "other" || info["url"] != "about:blank#mark" {
		t.Errorf("%v", info)
	}
	if r := other.ask("", "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}); r.Error == nil {
		t.Error("a client attaches to a hidden target")
	}
	for _, method := range []string{"Target.activateTarget", "Browser.getWindowForTarget", "Target.getTargetInfo"} {
		other.ask("", method, map[string]any{"targetId": id}) // which ends nothing
	}
	c.must("", "Target.createTarget", map[string]any{"url": "about:blank"})
	if r := hide("about:blank"); r.Error == nil || !strings.Contains(r.Error.Message, "as many as it may have") {
		t.Errorf("hidden targets do not count: %+v", r)
	}
	c.leave()
	for destroyed := false; !destroyed; {
		destroyed = other.awaitEvent("Target.targetDestroyed", 1)["targetId"] == id
	}
	if info := hiddenOf(other); info != nil {
		t.Errorf("%v is still there", info)
	}
	if tabs := s.Tabs(); len(tabs) != 2 {
		t.Errorf("%+v", tabs)
	}
	// Where others use the browser, it is a page.
	shared := connect(t, openWith(t, p, browser.Options{}))
	shared.must("", "Target.createTarget", map[string]any{"url": "about:blank#mark", "hidden": true})
	if info := hiddenOf(shared); info != nil {
		t.Errorf("%v", info)
	}
}

// hiddenOf is the hidden target that a client sees.
func hiddenOf(c *rawClient) map[string]any {
	targets, _ := c.must("", "Target.getTargets", nil)["targetInfos"].([]any)
	for _, one := range targets {
		if info, _ := one.(map[string]any); info["type"] == "other" {
			return info
		}
	}
	return nil
}
