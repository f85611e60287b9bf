package chrome_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// heardOfDownloads are the downloads that a client was told of, as "name state
// state …" without repetitions, and whether any path of the machine was among
// what it was told.
func heardOfDownloads(c *rawClient, on string) (told []string, path bool) {
	items := map[string][]string{}
	for _, e := range c.heard() {
		var p struct{ GUID, SuggestedFilename, State, FilePath string }
		if json.Unmarshal(e.Params, &p) != nil || e.SessionID != on {
			continue
		}
		word := p.State
		switch e.Method {
		case "Browser.downloadWillBegin":
			word = p.SuggestedFilename
		case "Browser.downloadProgress":
		default:
			continue
		}
		if words := items[p.GUID]; len(words) == 0 || words[len(words)-1] != word {
			items[p.GUID] = append(words, word)
		}
		path = path || p.FilePath != "" || strings.Contains(string(e.Params), "session-")
	}
	for _, words := range items {
		told = append(told, strings.Join(words, " "))
	}
	return slices.Sorted(slices.Values(told)), path
}

// awaitDownloads returns when the client has been told of the end of so many.
func (c *rawClient) awaitDownloads(n int) {
	c.t.Helper()
	c.until(fmt.Sprintf("the end of %d downloads", n), func(heard []reply) bool {
		done := 0
		for _, e := range heard {
			if strings.Contains(string(e.Params), `"state":"completed"`) {
				done++
			}
		}
		return done >= n
	})
}

// save makes a page download a file with the name as its content, and waits for
// whoever keeps it.
func (c *rawClient) save(page, name string, k *kept) {
	c.t.Helper()
	c.must(page, "Runtime.evaluate", map[string]any{"expression": `(() => { const a = document.createElement('a'); a.href = 'data:text/plain,` + name + `'; a.download = '` + name + `'; a.click() })()`})
	receive(c, name, k.more)
}

// guestPage makes a context of the client's own with a page in it.
func (c *rawClient) guestPage() (page string, context any) {
	c.t.Helper()
	context = c.must("", "Target.createBrowserContext", nil)["browserContextId"]
	id := c.must("", "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": context})["targetId"]
	return c.must("", "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true})["sessionId"].(string), context
}

// Files come to the session's host whatever its clients ask for; each client
// hears of those that are its own to see, and of nothing in other sessions.
func TestDownloadsOfClients(t *testing.T) { downloadsOfClients(t, browser.Options{}) }

func downloadsOfClients(t *testing.T, o browser.Options) {
	p := sharedProvider(t)
	mine, others := newKept(), newKept()
	o.Downloads = mine.take
	s := openWith(t, p, o)
	other := openWith(t, p, browser.Options{Downloads: others.take})
	a, b, c := connect(t, s), connect(t, s), connect(t, other)
	deaf := connect(t, s)
	folder := t.TempDir()
	for _, client := range []*rawClient{a, b, c} {
		client.must("", "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": folder, "eventsEnabled": true})
	}
	own, _ := a.page()
	guest, guestContext := a.guestPage()
	foreign, _ := c.page()
	a.must("", "Browser.setDownloadBehavior", map[string]any{"behavior": "deny", "browserContextId": guestContext, "eventsEnabled": true})
	a.save(own, "own.txt", mine)
	a.save(guest, "guest.txt", mine)
	c.save(foreign, "foreign.txt", others)
	for client, n := range map[*rawClient]int{a: 2, b: 1, c: 1, deaf: 0} {
		client.awaitDownloads(n) // the file is taken before
		client.must("", "Browser.setDownloadBehavior", map[string]any{"behavior": "default"})
	}
	a.save(own, "unheard.txt", mine)
	for _, client := range []*rawClient{a, b, c, deaf} {
		client.leave()
	}
	s.Close()
	other.Close()

	for _, x := range []struct {
		who  *rawClient
		want []string
	}{
		{a, []string{"guest.txt inProgress completed", "own.txt inProgress completed"}},
		{b, []string{"own.txt inProgress completed"}},
		{c, []string{"foreign.txt inProgress completed"}},
		{deaf, nil},
	} {
		told, path := heardOfDownloads(x.who, "")
		if diff := cmp.Diff(x.want, told); diff != "" || path {
			t.Errorf("paths: %v, %s", path, diff)
		}
	}
	for i, k := range []*kept{mine, others} {
		want := [][]string{{"own.txt text/plain 7 own.txt", "guest.txt text/plain 9 guest.tx", "unheard.txt text/plain 11 unheard."}, {"foreign.txt text/plain 11 foreign."}}[i]
		got := k.sorted()
		for i, f := range got {
			_, got[i], _ = strings.Cut(f, " ")
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// A context that ends with a download that does not gives its place free.
func TestADownloadEndsWithTheContextOfAClient(t *testing.T) {
	t.Parallel()
	srv := fileSite(t)
	k := newKept()
	s := openWith(t, chrometest.Provider(t, func(o *chrome.Options) { o.Limits.Downloads = 1 }), browser.Options{Downloads: k.take})
	c := connect(t, s)
	c.must("", "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "eventsEnabled": true})
	guest, context := c.guestPage()
	c.must(guest, "Page.navigate", map[string]any{"url": srv.URL + "/slow"})
	c.must("", "Target.disposeBrowserContext", map[string]any{"browserContextId": context})
	page, _ := c.page()
	c.save(page, "next.txt", k)
}

// A frame within a page of a client's own context is known to nobody until it
// downloads.
func TestDownloadsInFramesOfClientsAreLimited(t *testing.T) {
	t.Parallel()
	srv := fileSite(t)
	ended := make(chan string, 1)
	s := openWith(t, chrometest.Provider(t, func(o *chrome.Options) { o.Limits.DownloadBytes = 1 << 20 }), browser.Options{
		Downloads: newKept().take,
		Observe: func(e browser.Event) {
			if e.Method == "Browser.downloadProgress" {
				ended <- string(e.Params)
			}
		},
	})
	c := connect(t, s)
	guest, _ := c.guestPage()
	c.must(guest, "Page.navigate", map[string]any{"url": srv.URL + "/"})
	c.eval(guest, `(async () => {
		while (!document.querySelector('iframe')) await new Promise(r => setTimeout(r, 10));
		const d = document.querySelector('iframe').contentDocument;
		d.body.innerHTML = '<a href=/endless>endless</a>';
		d.querySelector('a').click();
	})()`)
	if e := <-ended; !strings.Contains(e, "larger than 1048576 bytes") {
		t.Errorf("a file without end: %s", e)
	}
}
