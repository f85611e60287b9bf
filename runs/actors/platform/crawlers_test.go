package platform_test

import (
	"encoding/json"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/egress"
	"github.com/drover-go/drover/internal/npmtest"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/actors"
	"github.com/drover-go/drover/storage/records"
)

// packed builds an Actor of a folder of the test, which has a lock file.
func (h host) packed(t testing.TB, name, folder string, env ...actors.EnvVar) actors.Actor {
	t.Helper()
	dir := npmtest.Dir(t, folder) // skips where npm cannot get its packages
	var files []actors.SourceFile
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc", "main.js"} {
		files = append(files, actors.SourceFile{Name: name, Content: string(must(os.ReadFile(filepath.Join(dir, name)))(t))})
	}
	return h.builtOf(t, name, "", files, env...)
}

// crawl starts a crawler of a site.
func (h host) crawl(t testing.TB, a actors.Actor, s *site, memory int, more map[string]any) actors.RunInfo {
	t.Helper()
	in := map[string]any{"start": s.URL + "/"}
	maps.Copy(in, more)
	body := must(json.Marshal(in))(t)
	return must(h.Actors.Start(t.Context(), a.ID, actors.Start{Input: &actors.Input{Body: body, ContentType: "application/json"}, Options: actors.RunOptions{Memory: memory}}))(t)
}

// crawlTime is how long a crawler of a test may take.
const crawlTime = 3 * time.Minute

func (h host) crawlEnds(t testing.TB, r actors.RunInfo) actors.RunInfo {
	t.Helper()
	if r = must(h.Actors.Wait(t.Context(), r.ID, crawlTime))(t); r.Status != actors.Succeeded {
		t.Fatalf("%s: %s\n%s", r.Status, r.StatusMessage, h.said(t, r))
	}
	return r
}

// crawled is what crawlers push for a page.
type crawled struct {
	URL, Title      string
	Proxy           string // its host
	Status, Retries int
	Failed          bool
}

// pagesOf are the items of a run by the path of their page.
func (h host) pagesOf(t testing.TB, s *site, r actors.RunInfo) map[string]crawled {
	t.Helper()
	all := map[string]crawled{}
	for body, err := range must(h.Records.Items(t.Context(), r.DatasetID, records.ItemsQuery{}))(t).All(t.Context()) {
		var one crawled
		must(0, err)(t)
		must(0, json.Unmarshal(body, &one))(t)
		path := strings.TrimPrefix(one.URL, s.URL)
		if _, ok := all[path]; ok {
			t.Errorf("%s is there twice", path)
		}
		all[path] = one
	}
	return all
}

// wantPages compares pages with those of the site.
func wantPages(t testing.TB, s *site, got map[string]crawled, proxy string) {
	t.Helper()
	for _, path := range s.pages {
		want := crawled{URL: s.URL + path, Title: "page " + path, Status: 200, Proxy: proxy}
		switch path {
		case "/moved":
			want.URL, want.Title = s.URL+"/target", "page /target"
		case "/missing":
			want.Status = 404
		case "/flaky":
			want.Retries = 1
		}
		if one := got[strings.TrimPrefix(want.URL, s.URL)]; one != want {
			t.Errorf("%+v, want %+v", one, want)
		}
	}
	if len(got) != len(s.pages) {
		t.Errorf("%d pages, want %d: %v", len(got), len(s.pages), slices.Sorted(maps.Keys(got)))
	}
}

// wantAsked checks that the site was asked for each page once.
func wantAsked(t testing.TB, s *site) {
	t.Helper()
	paths, _ := s.counts()
	for _, path := range append([]string{"/target"}, s.pages...) {
		want := 1
		if path == "/flaky" {
			want = 2
		}
		if paths[path] != want {
			t.Errorf("%s was asked for %d times", path, paths[path])
		}
	}
}

// wantStatistics checks what a crawler says of itself.
func (h host) wantStatistics(t testing.TB, r actors.RunInfo, pages int) {
	t.Helper()
	out, of := h.record(t, r, "OUTPUT"), h.record(t, r, "SDK_CRAWLER_STATISTICS_0")
	if out["requestsFinished"] != float64(pages) || out["requestsFailed"] != 0.0 || of["requestsFinished"] != float64(pages) || of["crawlerFinishedAt"] == nil {
		t.Errorf("%v\n%v", out, of)
	}
	// Of the page that fails once it warns; on a busy machine also that it has met the page in
	// its own list once more after it was handled.
	said := h.said(t, r)
	if strings.Contains(said, "ERROR") || strings.Count(said, "WARN")-strings.Count(said, "either lost the lock or the request was already handled") > 1 {
		t.Error(said)
	}
}

// An unmodified crawler goes through a site.
func TestACheerioCrawler(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "packages of npm are installed by a build")
	h, s := newHost(t), newSite(t, 20)
	a := h.packed(t, "cheerio", "npm-cheerio")
	for range 2 {
		s.forget()
		r := h.crawlEnds(t, h.crawl(t, a, s, 512, nil))
		t.Logf("%s, %d MB at most", r.FinishedAt.Sub(r.StartedAt), r.Stats.Usage.MemoryMax>>20)
		wantPages(t, s, h.pagesOf(t, s, r), "")
		wantAsked(t, s)
		h.wantStatistics(t, r, len(s.pages))
	}
}

// Two runs of a crawler share a queue: each page is for one of them, and both end.
func TestTwoCrawlersShareAQueue(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "packages of npm are installed by a build")
	h, s := newHost(t), newSite(t, 80)
	s.first, s.crawlers = 4, 2
	a := h.packed(t, "cheerio", "npm-cheerio")
	shared := map[string]any{"queue": "shared", "most": 4}
	runs := []actors.RunInfo{h.crawl(t, a, s, 512, shared), h.crawl(t, a, s, 512, shared)}
	all := map[string]crawled{}
	for _, r := range runs {
		r = h.crawlEnds(t, r)
		of := h.pagesOf(t, s, r)
		if len(of) == 0 {
			t.Errorf("a run had no page:\n%s", h.said(t, r))
		}
		h.wantStatistics(t, r, len(of))
		maps.Copy(all, of)
	}
	wantPages(t, s, all, "")
	wantAsked(t, s)
}

// A crawler goes through the proxy of its run, which leads on directly or through the
// proxies of the host.
func TestACrawlerThroughTheProxy(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "packages of npm are installed by a build")
	gate := must(egress.New(egress.Options{AllowPrefixes: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}))(t)
	upstream := must(egress.NewProxy(gate, egress.ProxyOptions{}))(t)
	defer upstream.Close()
	s := newSite(t, 5)
	for _, proxies := range [][]string{nil, {upstream.URL() + "#country=DE"}} {
		h := newHost(t, func(o *drover.Options) { o.Proxies = proxies })
		a := h.packed(t, "cheerio", "npm-cheerio")
		s.forget()
		r := h.crawlEnds(t, h.crawl(t, a, s, 512, map[string]any{"proxy": map[string]any{"groups": []string{"RESIDENTIAL"}}}))
		wantPages(t, s, h.pagesOf(t, s, r), "127.0.0.1")
		wantAsked(t, s)
		h.wantStatistics(t, r, len(s.pages))
		r = h.crawl(t, a, s, 512, map[string]any{"proxy": map[string]any{"countryCode": "US"}})
		if r = must(h.Actors.Wait(t.Context(), r.ID, crawlTime))(t); r.Status != actors.Failed || !strings.Contains(h.said(t, r), "no proxy of this host is in US") {
			t.Errorf("%+v\n%s", r, h.said(t, r))
		}
	}
	if got := upstream.Stats().Requests; got < int64(len(s.pages)) {
		t.Errorf("the proxy of the host served %d requests", got)
	}
}

// Crawlers with a browser start that of the host, and it goes through the proxy of the
// run.
func TestBrowserCrawlers(t *testing.T) {
	t.Parallel()
	testlevel.Long(t, "packages of npm are installed by a build, and browsers started")
	h := newHost(t)
	a := h.packed(t, "browsers", "npm-browsers")
	for _, row := range []struct{ library, proxy string }{{"playwright", ""}, {"playwright", "127.0.0.1"}, {"puppeteer", "127.0.0.1"}} {
		s, in := newSite(t, 5), map[string]any{"library": row.library}
		if row.proxy != "" {
			in["proxy"] = map[string]any{}
		}
		r := h.crawlEnds(t, h.crawl(t, a, s, 2048, in))
		wantPages(t, s, h.pagesOf(t, s, r), row.proxy)
		wantAsked(t, s)
		h.wantStatistics(t, r, len(s.pages))
		t.Logf("%+v: %s, %d MB at most", row, r.FinishedAt.Sub(r.StartedAt), r.Stats.Usage.MemoryMax>>20)
	}
}
