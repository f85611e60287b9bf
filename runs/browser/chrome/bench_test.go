package chrome_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// The benchmarks take turns with chromedp on the same Chromium and page, and
// report chromedp's time divided by ours: above 1, ours is faster.

// ratio runs ours and theirs in turn and reports both.
func ratio(b *testing.B, ours, theirs func()) {
	b.Helper()
	var we, they time.Duration
	for b.Loop() {
		we += timed(ours)
		they += timed(theirs)
	}
	b.ReportMetric(float64(we.Milliseconds())/float64(b.N), "drover-ms/op")
	b.ReportMetric(float64(they.Milliseconds())/float64(b.N), "chromedp-ms/op")
	b.ReportMetric(float64(they)/float64(we), "chromedp/drover")
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

func must(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func smallPage(b *testing.B) string {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<title>Small</title><p>page</p>`)
	}))
	b.Cleanup(srv.Close)
	return srv.URL
}

// peer starts a Chromium by chromedp's own means.
func peer(b *testing.B) (context.Context, context.CancelFunc) {
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chrometest.RequireChromium(b)))
	alloc, cancelAlloc := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	must(b, chromedp.Do(ctx))
	return ctx, func() { cancel(); cancelAlloc() }
}

// BenchmarkColdStart is a browser, a session in it, and the end of both.
func BenchmarkColdStart(b *testing.B) {
	path := chrometest.RequireChromium(b)
	dir, err := os.MkdirTemp("", "dc")
	must(b, err)
	defer os.RemoveAll(dir)
	ratio(b, func() {
		p, err := chrome.New(chrome.Options{ExecPath: path, Gate: chrometest.LocalGate(), TempDir: dir, Logger: slog.New(slog.DiscardHandler)})
		must(b, err)
		_, err = p.Open(context.Background(), browser.Options{})
		must(b, err)
		must(b, p.Close())
	}, func() {
		ctx, cancel := peer(b)
		must(b, chromedp.Cancel(ctx))
		cancel()
	})
}

// BenchmarkOpen is a session in a browser that runs, opened and closed.
func BenchmarkOpen(b *testing.B) {
	p := chrometest.Provider(b)
	chrometest.Session(b, p)
	ctx, cancel := peer(b)
	defer cancel()
	ratio(b, func() {
		s, err := p.Open(context.Background(), browser.Options{})
		must(b, err)
		must(b, s.Close())
	}, func() {
		tab, cancel := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
		must(b, chromedp.Do(tab))
		cancel()
	})
}

// BenchmarkNavigate is the load of a small page, without the time for which
// Drover watches what a loaded page does next.
func BenchmarkNavigate(b *testing.B) {
	url := smallPage(b)
	p := chrometest.Provider(b, func(o *chrome.Options) { o.Settle.Linger = time.Nanosecond })
	s := chrometest.Session(b, p)
	ctx, cancel := peer(b)
	defer cancel()
	ratio(b, func() {
		_, err := s.Navigate(context.Background(), url)
		must(b, err)
	}, func() { must(b, chromedp.Do(ctx, chromedp.Navigate(url))) })
}

// BenchmarkSnapshot reads a table of 2,000 rows of four cells. Its peer is
// chromedp's reading of the serialised page, which is no snapshot but the least
// that any reading costs.
func BenchmarkSnapshot(b *testing.B) {
	srv := pages(b, map[string]string{"/": `<table>` + strings.Repeat(`<tr><td>cell<td>another cell<td><a href=/x>link</a><td><button>Buy</button>`, 2000) + `</table>`})
	p := chrometest.Provider(b, func(o *chrome.Options) { o.Limits.Elements = 100_000; o.Limits.Text = 10_000_000 })
	s := chrometest.Session(b, p)
	navigate(b, s, srv.URL+"/")
	ctx, cancel := peer(b)
	defer cancel()
	must(b, chromedp.Do(ctx, chromedp.Navigate(srv.URL+"/")))
	elements := 0
	ratio(b, func() {
		elements = len(snapshot(b, s).Elements)
	}, func() {
		_, err := chromedp.Run(ctx, chromedp.OuterHTML(chromedp.CSS("html")))
		must(b, err)
	})
	b.ReportMetric(float64(elements), "elements")
}

// BenchmarkCycle opens a session, loads a small page and closes it, over and
// over, with spares and without: what they save, and what making them costs.
func BenchmarkCycle(b *testing.B) {
	url := smallPage(b)
	for _, n := range []int{-1, 2, 4} {
		b.Run(fmt.Sprintf("spares=%d", max(n, 0)), func(b *testing.B) {
			p := chrometest.Provider(b, func(o *chrome.Options) { o.Settle.Linger, o.Spares = time.Nanosecond, n })
			chrometest.Session(b, p)
			var created, whole []time.Duration
			for b.Loop() {
				start := time.Now()
				s, err := p.Open(context.Background(), browser.Options{})
				must(b, err)
				created = append(created, time.Since(start))
				_, err = s.Navigate(context.Background(), url)
				must(b, err)
				must(b, s.Close())
				whole = append(whole, time.Since(start))
			}
			report(b, "create", created)
			report(b, "cycle", whole)
		})
	}
}

// report gives the median and the 95th percentile in milliseconds.
func report(b *testing.B, name string, all []time.Duration) {
	slices.Sort(all)
	for _, p := range []int{50, 95} {
		b.ReportMetric(float64(all[len(all)*p/100].Microseconds())/1000, fmt.Sprintf("%s-p%d-ms", name, p))
	}
}
