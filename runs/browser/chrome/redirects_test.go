package chrome_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// Every redirect of a tab's document is observed with its status, however much
// else there is to tell.
func TestRedirectsAreObserved(t *testing.T) {
	t.Parallel()
	hops := []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var hop int
		switch n, _ := fmt.Sscanf(r.URL.Path, "/hop/%d", &hop); {
		case n == 1 && hop < len(hops):
			http.Redirect(w, r, fmt.Sprintf("/hop/%d", hop+1), hops[hop])
		default:
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, `<title>End</title>`+strings.Repeat(`<img src="/x">`, 20))
		}
	}))
	t.Cleanup(srv.Close)
	var got seen
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Limits.EventRate = 1 })
	s := openWith(t, p, browser.Options{Observe: got.add})
	c := connect(t, s)
	page, _ := c.page()
	for round := range 2 {
		if round == 0 {
			navigate(t, s, srv.URL+"/hop/0")
		} else {
			c.must(page, "Page.navigate", map[string]any{"url": srv.URL + "/hop/0"})
			c.eval(page, `new Promise(done => { const look = () => document.title === "End" ? done() : setTimeout(look, 10); look() })`)
		}
	}
	s.Close()
	for i, status := range hops {
		from, to := fmt.Sprintf(`"url":"%s/hop/%d"`, srv.URL, i), fmt.Sprintf(`"url":"%s/hop/%d"`, srv.URL, i+1)
		n := 0
		for _, params := range got.with("Network.requestWillBeSent", fmt.Sprintf(`"status":%d`, status)) {
			if strings.Contains(params, from) && strings.Contains(params, to) {
				n++
			}
		}
		if n != 2 {
			t.Errorf("the redirect with status %d is told %d times, it was there twice", status, n)
		}
	}
	if n := len(got.with("Network.responseReceived", fmt.Sprintf(`"url":"%s/hop/%d"`, srv.URL, len(hops)))); n != 2 {
		t.Errorf("the answer at the end is told %d times, it was there twice", n)
	}
}
