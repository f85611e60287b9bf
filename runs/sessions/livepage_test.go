package sessions

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// The page of the live view in a real browser: its policy lets it do its work,
// and what a page calls itself stays text.
func TestTheLivePageInChromium(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{})
	viewer := must(chrometest.Provider(t).Open(t.Context(), browser.Options{}))(t)
	defer viewer.Close()
	base := "http" + strings.TrimPrefix(strings.Split(s.ConnectURL, "/v1")[0], "ws")
	if page, err := viewer.Navigate(t.Context(), LiveURL(base, s.ID, s.ViewToken)); err != nil || page.Title != "Session" {
		t.Fatalf("%+v, %v", page, err)
	}
	for { // until the test's own time is over
		seen := must(viewer.Snapshot(t.Context()))(t)
		has := func(role, name string) bool {
			return slices.ContainsFunc(seen.Elements, func(e browser.Element) bool { return e.Role == role && strings.Contains(e.Name, name) })
		}
		if has("tab", "A") && has("tab", "<b>B</b>") && has("img", "The screen of the session") {
			break
		}
	}
	must(w.Release(t.Context(), s.ID))(t)
	for {
		html, _, err := viewer.HTML(t.Context(), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(html, "the session has ended") {
			return
		}
	}
}

// Pages of other origins may have the live view in a frame.
func TestTheLivePageInAFrameOfAnotherOrigin(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: &quickBrowser{}})
	s := w.create(t, Create{})
	base := "http" + strings.TrimPrefix(strings.Split(s.ConnectURL, "/v1")[0], "ws")
	dashboard := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Dashboard</title><iframe width=900 height=500 sandbox="allow-same-origin allow-scripts" src="%s"></iframe>`,
			LiveURL(base, s.ID, s.ViewToken))
	}))
	t.Cleanup(dashboard.Close)
	viewer := must(chrometest.Provider(t).Open(t.Context(), browser.Options{}))(t)
	defer viewer.Close()
	if page, err := viewer.Navigate(t.Context(), dashboard.URL); err != nil || page.Title != "Dashboard" {
		t.Fatalf("%+v, %v", page, err)
	}
	for end := time.Now().Add(testlevel.Loaded(30 * time.Second)); ; {
		seen := must(viewer.Snapshot(t.Context()))(t)
		if slices.ContainsFunc(seen.Elements, func(e browser.Element) bool {
			return e.Role == "img" && strings.Contains(e.Name, "The screen of the session")
		}) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the frame does not show the session: %+v", seen.Elements)
		}
	}
}
