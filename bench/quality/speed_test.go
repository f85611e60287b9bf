package quality

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/maincontent"
)

// BenchmarkMainContent finds the content of every fourth page with Drover and
// with go-trafilatura in turn. Goals: at most 15 ms for the median page, and
// x-go-trafilatura, which is how many times as fast Drover is, at least 8. Both
// parse the page; "find" leaves that out.
func BenchmarkMainContent(b *testing.B) {
	var pages []page
	for i, p := range mainContentPages(b) {
		if i%4 == 0 {
			pages = append(pages, p)
		}
	}
	_, _ = ours(pages[0]) // the forests are decoded once
	var find, whole, other []time.Duration
	for b.Loop() {
		for _, p := range pages {
			find = append(find, took(func() func() {
				doc, _ := html.Parse(strings.NewReader(p.text))
				return func() { _, _ = maincontent.Find(ctx, doc, maincontent.Options{PageURL: p.url}) }
			}()))
			whole = append(whole, took(func() { _, _ = ours(p) }))
			other = append(other, took(func() { _, _ = trafilaturas(p) }))
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, times := range map[string][]time.Duration{"find": find, "drover": whole, "go-trafilatura": other} {
		b.ReportMetric(float64(median(times))/1e6, "ms-median-"+name)
	}
	b.ReportMetric(float64(sum(other))/float64(sum(whole)), "x-go-trafilatura")
	b.ReportMetric(float64(median(other))/float64(median(whole)), "x-median-go-trafilatura")
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
