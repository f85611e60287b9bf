package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"

	"github.com/drover-go/drover/internal/docstest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// guideSite is what the guides visit: two pages, which leave a cookie and an entry of
// localStorage.
func guideSite(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, page := range map[string]string{
		"/{$}":  `<!doctype html><title>Start</title><a href=/two>two</a><script>document.cookie = "seen=yes; max-age=86400"; localStorage.basket = "lamp"</script>`,
		"/two":  `<!doctype html><title>Two</title><a href=/>start</a>`,
		"/seen": `<!doctype html><title>Seen</title><script>document.title = document.cookie + " " + localStorage.basket</script>`,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, page)
		})
	}
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv.URL + "/"
}

// TestTheGuideFromTheBrowserService follows docs/migrate-v1.md, with every public client that
// it names. The account that is left is the service itself.
func TestTheGuideFromTheBrowserService(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "eight clients are started")
	chrometest.RequireChromium(t)
	g := guide{path: docsFolder + "/migrate-v1.md", folders: npmFolders("npm", "npm-stagehand", "npm-functions", "npm-cli", "npm-browse")}
	blocks, site := docstest.Blocks(t, g.path), guideSite(t)
	s := g.served(t, blocks, t.TempDir())
	old := v1Account{t, s}
	saved := old.post("/v1/contexts", `{}`)["id"]
	old.visit(fmt.Sprint(saved), site, true)
	old.post("/v1/agents", `{"name":"reader","systemPrompt":"read"}`)
	g.values = map[string]string{
		"DROVER_SERVER": s.base, "DROVER_API_KEY": guideKey, "PAGE_URL": site,
		"FROM_URL": s.base, "FROM_KEY": guideKey, "FROM_PROJECT": "default", "FROM_CONTEXT": fmt.Sprint(saved), "FROM_SITES": site,
	}
	out := g.follow(t, blocks)
	_, moved, _ := strings.Cut(out, "\ncontext ")
	moved, _, _ = strings.Cut(moved, " has ")
	if moved == saved {
		t.Fatal("the context was moved into itself")
	}
	if title := old.visit(moved, site+"seen", false); title != "seen=yes lamp" {
		t.Errorf("the context that was moved has %q", title)
	}
}

// v1Account asks the service as its project default.
type v1Account struct {
	t *testing.T
	s *server
}

// post returns what a POST answers.
func (a v1Account) post(path, body string) (answer map[string]any) {
	a.t.Helper()
	status, text := a.s.do("POST", path, guideKey, strings.NewReader(body))
	if err := json.Unmarshal([]byte(text), &answer); err != nil || status >= 300 {
		a.t.Fatalf("%s: %d %s", path, status, text)
	}
	return answer
}

// visit opens a page in a session with a context, and returns its title.
func (a v1Account) visit(id, url string, persist bool) (title string) {
	a.t.Helper()
	session := a.post("/v1/sessions", fmt.Sprintf(`{"browserSettings":{"context":{"id":%q,"persist":%t}}}`, id, persist))
	ctx, disconnect := remote.NewAllocator(a.t.Context(), fmt.Sprint(session["connectUrl"]), remote.NoModifyURL)
	defer disconnect()
	ctx, closeTab := chromedp.NewContext(ctx)
	defer closeTab()
	if err := chromedp.Do(ctx, chromedp.Navigate(url)); err != nil {
		a.t.Fatal(err)
	}
	title, err := chromedp.Run(ctx, chromedp.Title())
	if err != nil {
		a.t.Fatal(err)
	}
	a.post(fmt.Sprintf("/v1/sessions/%s", session["id"]), `{"status":"REQUEST_RELEASE"}`)
	return title
}
