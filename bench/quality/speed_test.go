package quality

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/maincontent"
)

// BenchmarkMainContent finds the content of every fourth page with Drover and
// with go-trafilatura in turn, once from the text and once from a tree that was
// parsed before. Goals: at most 15 ms for the median page, and at least 8 times
// as fast as go-trafilatura, which is what the "x-" figures are.
func BenchmarkMainContent(b *testing.B) {
	var pages []page
	for i, p := range mainContentPages(b) {
		if i%4 == 0 {
			pages = append(pages, p)
		}
	}
	_, _ = ours(pages[0]) // the forests are decoded once
	times := map[string][]time.Duration{}
	run := func(name string, do func()) { times[name] = append(times[name], took(do)) }
	for b.Loop() {
		for _, p := range pages {
			run("text", func() { _, _ = ours(p) })
			run("go-trafilatura-text", func() { _, _ = trafilaturas(p) })
			doc := parsed(b, p)
			run("tree", func() { _, _ = maincontent.Find(ctx, doc, maincontent.Options{PageURL: p.url}) })
			run("go-trafilatura-tree", func() { _, _ = trafilatura.ExtractDocument(doc, trafilaturaOptions(p)) })
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, t := range times {
		b.ReportMetric(float64(median(t))/1e6, "ms-median-"+name)
	}
	for _, from := range []string{"text", "tree"} {
		b.ReportMetric(float64(sum(times["go-trafilatura-"+from]))/float64(sum(times[from])), "x-"+from)
	}
}

func parsed(b *testing.B, p page) *html.Node {
	b.Helper()
	doc, err := html.Parse(strings.NewReader(p.text))
	if err != nil {
		b.Fatal(err)
	}
	return doc
}

func took(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func sum(d []time.Duration) (s time.Duration) {
	for _, v := range d {
		s += v
	}
	return s
}

// BenchmarkMainContentLinear shows how much longer a page of four and sixteen
// times the size takes than as many small ones, which are read in turn with it:
// 1 is linear.
func BenchmarkMainContentLinear(b *testing.B) {
	for _, times := range []int{4, 16} {
		b.Run(fmt.Sprintf("%dx", times), func(b *testing.B) {
			small, large := page{text: sections(1)}, page{text: sections(times)}
			var one, whole time.Duration
			for b.Loop() {
				for range times {
					one += took(func() { _, _ = ours(small) })
				}
				whole += took(func() { _, _ = ours(large) })
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(whole)/float64(one), "x-a-byte")
			b.ReportMetric(float64(whole.Milliseconds())/float64(b.N), "ms")
		})
	}
}

// sections returns a page of a hundred sections and as many more.
func sections(times int) string {
	return "<html><body><main>" + strings.Repeat(section, 100*times) + "</main></body></html>"
}

const section = `<section class="part"><h2>A heading</h2><p>Some words that are <a href="/there">linked</a>, and others that are not.</p>
<ul><li><a href="/a">One</a></li><li><a href="/b">Two</a></li></ul><div class="share">Share this</div></section>`
