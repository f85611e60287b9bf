package extract

import (
	"context"
	"net/url"
	"slices"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/internal/corpora"
)

// goal is how long JSON of the median page may take.
const goal = 10 * time.Millisecond

// BenchmarkShape shapes the product pages of the corpus, parsed beforehand as
// they are in a fetch, and reports the time of the median page and how many
// times it fits into the goal.
func BenchmarkShape(b *testing.B) {
	var pages []*html.Node
	for _, p := range corpora.Pages(b, "products") {
		pages = append(pages, parse(b, p.HTML(b)))
	}
	s := mustCompile(b, productSchema)
	at, _ := url.Parse("https://example.com/page")
	var medians []time.Duration
	for b.Loop() {
		var times []time.Duration
		for _, page := range pages {
			began := time.Now()
			if _, err := Shape(context.Background(), page, at, s, ShapeOptions{}); err != nil {
				b.Fatal(err)
			}
			times = append(times, time.Since(began))
		}
		slices.Sort(times)
		medians = append(medians, times[len(times)/2])
	}
	slices.Sort(medians)
	median := medians[len(medians)/2]
	b.ReportMetric(median.Seconds()*1e3, "ms/median-page")
	b.ReportMetric(goal.Seconds()/median.Seconds(), "x-goal")
}
