package chrome_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
	"github.com/drover-go/drover/runs/internal/outline"
)

// observationBudget is how much of a page a model is shown by default, in bytes.
const observationBudget = 40_000

// observed is a snapshot as a model is shown it.
func observed(sn browser.Snapshot, budget int) (text string, lines int) {
	v := outline.View{Page: sn.Page, Scroll: sn.Scroll, Total: len(sn.Elements), Cut: sn.Truncated, Unlisted: sn.Unlisted}
	v.Lines = make([]outline.Line, 0, len(sn.Elements))
	for _, e := range sn.Elements {
		v.Lines = append(v.Lines, outline.Line{Element: e})
	}
	return v.Text("4f2a91c07be1", budget)
}

// rowsPage is a table of rows of four cells.
func rowsPage(rows int) string {
	return `<title>Rows</title><table>` + strings.Repeat(`<tr><td>cell<td>another cell<td><a href=/x>link</a><td><button>Buy</button>`, rows) + `</table>`
}

// treeRows are as many as make 24,000 nodes of the accessibility tree.
const treeRows = 1600

// BenchmarkObserveRows is what a model gets of a page with 2,000 rows, under the
// limits that are set where nobody sets others.
func BenchmarkObserveRows(b *testing.B) {
	srv := pages(b, map[string]string{"/": rowsPage(2000)})
	s := chrometest.Session(b, chrometest.Provider(b))
	navigate(b, s, srv.URL+"/")
	var all []time.Duration
	var text string
	lines := 0
	for b.Loop() {
		all = append(all, timed(func() { text, lines = observed(snapshot(b, s), observationBudget) }))
	}
	report(b, "observe", all)
	b.ReportMetric(float64(len(text)), "bytes")
	b.ReportMetric(float64(lines), "lines")
}

// BenchmarkObserveTree reads a page of 24,000 nodes whole, in turn with Chromium's
// own accessibility tree.
func BenchmarkObserveTree(b *testing.B) {
	srv := pages(b, map[string]string{"/": rowsPage(treeRows)})
	s := chrometest.Session(b, chrometest.Provider(b))
	navigate(b, s, srv.URL+"/")
	ctx, cancel := peer(b)
	defer cancel()
	must(b, chromedp.Do(ctx, chromedp.Navigate(srv.URL+"/")))
	var we, they time.Duration
	nodes := 0
	for b.Loop() {
		we += timed(func() { snapshot(b, s) })
		they += timed(func() {
			res, err := cdp.Call(ctx, chromedp.FromContext(ctx).Target, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
			must(b, err)
			nodes = len(res.Nodes)
		})
	}
	b.ReportMetric(float64(we.Milliseconds())/float64(b.N), "drover-ms/op")
	b.ReportMetric(float64(they.Milliseconds())/float64(b.N), "axtree-ms/op")
	b.ReportMetric(float64(they)/float64(we), "axtree/drover")
	b.ReportMetric(float64(nodes), "axtree-nodes")
}

// pagesEnv names a folder of pages to measure in place of those of the suite.
const pagesEnv = "DROVER_BENCH_PAGES"

// observedSite serves the pages to measure.
func observedSite(b *testing.B) (srv *httptest.Server, paths []string) {
	dir := cmp.Or(os.Getenv(pagesEnv), filepath.Join("..", "..", "suite", "testdata", "widgets"))
	files, err := filepath.Glob(filepath.Join(dir, "*.html"))
	must(b, err)
	if len(files) == 0 {
		b.Fatalf("no pages in %s", dir)
	}
	for _, f := range files {
		paths = append(paths, "/"+filepath.Base(f))
	}
	srv = httptest.NewServer(http.FileServer(http.Dir(dir)))
	b.Cleanup(srv.Close)
	return srv, paths
}

// BenchmarkObserveBytes compares the bytes of what a model is shown of a page with
// those of Playwright's snapshot for models.
func BenchmarkObserveBytes(b *testing.B) {
	srv, paths := observedSite(b)
	s := chrometest.Session(b, chrometest.Provider(b))
	navigate(b, s, srv.URL+paths[0])
	theirs := ariaSizes(b, socketServer(b, s), srv.URL, paths)
	ours := map[string]int{}
	for b.Loop() {
		for _, path := range paths {
			navigate(b, s, srv.URL+path)
			text, _ := observed(snapshot(b, s), observationBudget)
			ours[path] = len(text)
		}
	}
	we, they, smaller := 0, 0, 0
	var ratios []float64
	for _, path := range paths {
		if b.Logf("%s: %d and %d", path, ours[path], theirs[path]); ours[path] <= theirs[path] {
			smaller++
		}
		we, they = we+ours[path], they+theirs[path]
		ratios = append(ratios, float64(ours[path])/float64(theirs[path]))
	}
	b.ReportMetric(float64(we)/float64(len(paths)), "drover-bytes/page")
	b.ReportMetric(float64(they)/float64(len(paths)), "playwright-bytes/page")
	slices.Sort(ratios)
	b.ReportMetric(float64(we)/float64(they), "drover/playwright")
	b.ReportMetric(ratios[len(ratios)/2], "p50-drover/playwright")
	b.ReportMetric(100*float64(smaller)/float64(len(paths)), "%smaller")
}

// ariaSizes asks Playwright, as a client of the session.
func ariaSizes(b *testing.B, address, site string, paths []string) map[string]int {
	raw, err := json.Marshal(paths)
	must(b, err)
	cmd := exec.CommandContext(context.Background(), "node", "aria.mjs")
	cmd.Dir = npmtest.Dir(b, "npm")
	cmd.Env = append(os.Environ(), "CONNECT_URL="+address, "SITE="+site, "PATHS="+string(raw))
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	sizes := map[string]int{}
	for line := range bytes.Lines(out) {
		var one []any
		if rest, ok := bytes.CutPrefix(line, []byte("size ")); ok && json.Unmarshal(rest, &one) == nil && len(one) == 2 {
			sizes[one[0].(string)] = int(one[1].(float64))
		}
	}
	return sizes
}
