package sessions

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/storage/projects"
)

func TestASessionInChromium(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<title>Here</title><p id=size></p><script>document.getElementById('size').textContent = innerWidth + 'x' + innerHeight</script>`)
	}))
	defer site.Close()
	provider := chrometest.Provider(t, func(o *chrome.Options) { o.MaxSessions, o.Timeouts.Queue = 1, -1 })
	each(t, setup{browser: provider}, func(t *testing.T, w *world) {
		s := w.create(t, Create{Settings: Settings{Viewport: Viewport{1288, 711}}})
		l := w.find(s.ID)
		if page, err := l.browser.Navigate(t.Context(), site.URL); err != nil || page.Title != "Here" {
			t.Fatalf("%+v, %v", page, err)
		}
		seen := must(l.browser.Snapshot(t.Context()))(t)
		if len(seen.Elements) == 0 || seen.Elements[len(seen.Elements)-1].Name != "1288x711" {
			t.Errorf("%+v", seen.Elements)
		}
		// The instance has no more, and says so rather than that the project has.
		if _, err := w.Create(t.Context(), Create{}); !errtypes.Is(err, errtypes.Unavailable) {
			t.Error(err)
		}
		must(w.Release(t.Context(), s.ID))(t)
		w.ended(t, s.ID, Completed, "")
		if _, err := l.browser.Page(t.Context()); !errtypes.Is(err, errtypes.Gone) {
			t.Errorf("a session that was released goes on: %v", err)
		}
		project := must(w.projects.Get(t.Context(), projects.Default))(t)
		for _, alone := range []bool{false, true} {
			own := must(w.OpenFor(t.Context(), project.ID, Create{Settings: Settings{OwnProcess: alone}}))(t)
			if _, err := own.Navigate(t.Context(), site.URL); err != nil {
				t.Error(err)
			}
			if sent, received := own.Traffic(); sent == 0 || received == 0 {
				t.Errorf("traffic %d and %d", sent, received)
			}
			if err := own.Close(); err != nil {
				t.Error(err)
			}
			w.ended(t, own.ID(), Completed, "")
		}
	})
}

// A browser may take fewer clients than the session does. Who is one too many
// there is told so.
func TestTooManyClientsForTheBrowser(t *testing.T) {
	t.Parallel()
	w := start(t, setup{browser: chrometest.Provider(t, func(o *chrome.Options) { o.Clients.Max = 1 })})
	s := w.create(t, Create{KeepAlive: true})
	connectCDP(t, s.ConnectURL)
	late := connect(t, s.ConnectURL)
	if closed := gone(t, late); closed.Code != websocket.StatusTryAgainLater || closed.Reason != "the session has 1 clients already" {
		t.Errorf("%v", closed)
	}
}
