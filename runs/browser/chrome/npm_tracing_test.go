package chrome_test

import (
	"testing"

	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// Playwright's browser.startTracing and Puppeteer's page.tracing work in a
// session with a process of its own.
func TestTracingOfClients(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "large traces")
	site, folder := clientSite(t), ""
	p := chrometest.Provider(t, func(o *chrome.Options) { folder = o.TempDir })
	s := openWith(t, p, browser.Options{OwnProcess: true})
	navigate(t, s, site.URL+"/")
	client(t, "tracing.mjs", socketServer(t, s), at(site, "main.test", ""), "FOLDER="+folder)
}
