package chrome_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// slowSite has pages that come in two parts, each when the test lets it.
func slowSite(t *testing.T) (srv *httptest.Server, step chan struct{}) {
	step = make(chan struct{}, 2)
	srv = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/slow" {
			return
		}
		for _, part := range []string{"<title>slow</title><body style='background:red'>", "<p>there"} {
			select {
			case <-step:
				io.WriteString(w, part)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	t.Cleanup(srv.Close)
	return srv, step
}

// pictures is how many pictures are taken of a page that is being left; as many
// as the variable says when somebody looks for one that does not come.
func pictures(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("DROVER_TEST_PICTURES"))
	if err != nil {
		return testlevel.Of(6, 12)
	}
	return n
}

// A client that asks for a picture while a page gives way to another, of the
// same site or another, gets an answer at whatever moment that is.
func TestAPictureDuringANavigation(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "many pictures")
	srv, step := slowSite(t)
	s := chrometest.Session(t, sharedProvider(t))
	c := connect(t, s)
	page, _ := c.page()
	for i := range pictures(t) {
		host := []string{"main.test", "main.test", "other.test", "third.test"}[i%4]
		visit := c.start(page, "Page.navigate", map[string]any{"url": at(srv, host, "/slow")})
		moment := i % 3
		for range moment {
			step <- struct{}{}
		}
		picture := c.start(page, "Page.captureScreenshot", nil)
		for range 2 - moment {
			step <- struct{}{}
		}
		soon(t, "the "+strconv.Itoa(i)+"th picture", func() { <-picture })
		soon(t, "the navigation", func() { <-visit })
	}
}
