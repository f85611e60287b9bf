package chrome_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/runs/browser"
)

// Who opens a page at an address is answered though its server is not, and the
// page is the first of its tab when it comes.
func TestAPageOfASlowServerIsOpenedAtOnce(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}), make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/slow" {
			return
		}
		close(asked)
		select {
		case <-release:
		case <-r.Context().Done():
		}
		w.Header().Set("Content-Type", "text/html")
		w.Write([]byte(`<title>Slow</title>`))
	}))
	t.Cleanup(srv.Close)
	c := connect(t, openWith(t, sharedProvider(t), browser.Options{}))
	id := c.must("", "Target.createTarget", map[string]any{"url": srv.URL + "/slow"})["targetId"].(string)
	<-asked
	page := c.must("", "Target.attachToTarget", map[string]any{"targetId": id, "flatten": true})["sessionId"].(string)
	close(release)
	for begun := time.Now(); ; {
		h := c.ask(page, "Page.getNavigationHistory", nil) // refused while one page takes the place of another
		if strings.Count(string(h.Result), `"id":`) == 1 && strings.Contains(string(h.Result), `"title":"Slow"`) {
			return
		}
		if time.Since(begun) > overdue {
			t.Fatalf("the history is %s", h.Result)
		}
	}
}
