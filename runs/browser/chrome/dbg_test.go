package chrome_test
import ("testing";"log/slog";"os"
"github.com/drover-go/drover/runs/browser"
"github.com/drover-go/drover/runs/browser/chrome"
"github.com/drover-go/drover/runs/browser/chrome/chrometest")
func TestDbg(t *testing.T) {
	site := clientSite(t)
	p := chrometest.Provider(t, func(o *chrome.Options) { o.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelInfo})) })
	var got seen
	s := openWith(t, p, browser.Options{Observe: got.add})
	navigate(t, s, site.URL+"/")
	client(t, "tabs.mjs", socketServer(t, s), at(site, "main.test", ""), "CLIENT="+os.Getenv("CL"), "COUNT="+os.Getenv("N"))
}
