package chrome_test

import (
	"context"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// Pages in a context that a client has made are tabs of the session: listed,
// observed and shown when they are in front. The agent works on beside them.
func TestTabsOfAClientsContext(t *testing.T) {
	t.Parallel()
	srv := pages(t, map[string]string{
		"/":      `<title>own</title><button onclick="this.textContent='pressed'">press</button>`,
		"/guest": `<title>guest</title><script>alert('from the guest')</script>`,
	})
	var got seen
	s := openWith(t, chrometest.Provider(t), browser.Options{Observe: got.add})
	navigate(t, s, srv.URL+"/")
	own := s.Tabs()[0].ID
	c := connect(t, s)
	ctx, stop := context.WithCancel(t.Context())
	shown, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- s.Screencast(ctx, browser.ScreencastOptions{}, func(f browser.Frame) error {
			select {
			case <-shown:
			default:
			}
			shown <- f.Tab
			return nil
		})
	}()
	showsTab(t, shown, own)
	made := c.must("", "Target.createBrowserContext", nil)["browserContextId"]
	guest := c.must("", "Target.createTarget", map[string]any{"url": srv.URL + "/guest", "browserContextId": made})["targetId"].(string)
	showsTab(t, shown, guest)
	tabs := s.Tabs()
	if len(tabs) != 2 || tabs[0].Guest || tabs[0].Front || tabs[1].ID != guest || !tabs[1].Guest || !tabs[1].Front {
		t.Errorf("%+v", tabs)
	}
	if p := click(t, s, "press"); p.Title != "own" || len(p.Dialogs) != 0 || !says(t, s, "pressed") {
		t.Errorf("the agent is on %+v", p)
	}
	c.must("", "Target.activateTarget", map[string]any{"targetId": own})
	showsTab(t, shown, own)
	c.leave()
	chrome.WaitClosed(s, guest)
	if tabs := s.Tabs(); len(tabs) != 1 || tabs[0].ID != own || !tabs[0].Front {
		t.Errorf("afterwards: %+v", tabs)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	s.Close()
	for _, want := range []struct{ method, text string }{
		{"Target.targetCreated", guest}, {"Page.frameNavigated", "/guest"}, {"Network.responseReceived", "/guest"},
		{"Page.javascriptDialogOpening", "from the guest"}, {"Target.targetDestroyed", guest},
	} {
		if len(got.with(want.method, want.text)) == 0 {
			t.Errorf("no %s with %s", want.method, want.text)
		}
	}
}

// showsTab waits until the tab is shown.
func showsTab(t *testing.T, shown <-chan string, id string) {
	t.Helper()
	late := time.After(overdue)
	for {
		select {
		case tab := <-shown:
			if tab == id {
				return
			}
		case <-late:
			t.Fatalf("%s is not shown", id)
		}
	}
}
