package chrome_test

import (
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// The largest pictures and papers that pass come, and another session in
// the browser stays.
func TestTheLargestPicturesAndPapersEndNoBrowser(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "pictures as large as they may be")
	p := chrometest.Provider(t)
	srv := pages(t, map[string]string{"/": `<title>t</title><body style="margin:0;height:65535px;background:linear-gradient(red,blue)"><p style="filter:blur(3px)">text`})
	s, other := openWith(t, p, browser.Options{}), openWith(t, p, browser.Options{})
	navigate(t, s, srv.URL+"/")
	navigate(t, other, srv.URL+"/")
	c, bystander := connect(t, s), connect(t, other)
	page, _ := c.page()
	theirs, _ := bystander.page()
	for _, size := range [][2]int{{1280, 40_000}, {1280, 65_535}, {1, 65_535}, {65_535, 1}} {
		clip := map[string]any{"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
		c.must(page, "Page.captureScreenshot", map[string]any{"clip": clip, "captureBeyondViewport": true, "format": "jpeg"})
	}
	for _, side := range [][2]float64{{0.79, 0.79}, {8.5, 600}, {600, 66}, {200, 200}} {
		params := map[string]any{"paperWidth": side[0], "paperHeight": side[1], "printBackground": true, "marginTop": 0, "marginBottom": 0, "marginLeft": 0, "marginRight": 0}
		c.must(page, "Page.printToPDF", params)
	}
	if got := bystander.eval(theirs, "1+1"); got != 2.0 {
		t.Errorf("the bystander says %v", got)
	}
}
