package chrome_test

import (
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// A session that asks for very many small pictures, of a page that hangs then,
// holds up those of another session for no turn of its own.
func TestSmallPicturesOfAPageThatHangsKeepNobody(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "it waits for limits")
	p := chrometest.Provider(t)
	srv := pages(t, map[string]string{"/": `<title>t</title><body style="height:2000px">`})
	hostile, other := openWith(t, p, browser.Options{}), openWith(t, p, browser.Options{})
	navigate(t, hostile, srv.URL+"/")
	navigate(t, other, srv.URL+"/")
	picture := map[string]any{"clip": map[string]any{"x": 0, "y": 0, "width": 2000, "height": 2000, "scale": 1}, "captureBeyondViewport": true}
	var c *rawClient
	var page string
	for range 4 {
		c = connect(t, hostile)
		page, _ = c.page()
		for range 12 {
			c.start(page, "Page.captureScreenshot", picture)
		}
	}
	c.start(page, "Runtime.evaluate", map[string]any{"expression": "for (;;);"})
	begun := time.Now()
	if _, err := other.Screenshot(t.Context(), browser.ScreenshotOptions{}); err != nil {
		t.Fatal(err)
	}
	took := time.Since(begun)
	if t.Logf("the picture took %s", took); took > 9*time.Second {
		t.Errorf("it waited for turns of the page that hangs")
	}
}
