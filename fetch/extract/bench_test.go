package extract

import (
	"context"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// goal is how long JSON of the median page may take.
const goal = 10 * time.Millisecond

// BenchmarkShape shapes the product pages of the corpus, parsed beforehand as
// they are in a fetch, and reports the time of the median page and how many
// times it fits into the goal.
func BenchmarkShape(b *testing.B) {
	files, err := filepath.Glob(filepath.Join(corpus(b), "html", "*.gz"))
	if err != nil || len(files) == 0 {
		b.Fatal(files, err)
	}
	pages := map[string]*html.Node{}
	for _, f := range files {
		pages[f] = parse(b, strings.ToValidUTF8(readGzip(b, f), "\uFFFD"))
	}
	s := mustCompile(b, productSchema)
	at, _ := url.Parse("https://example.com/page")
	var medians []time.Duration
	for b.Loop() {
		var times []time.Duration
		for _, f := range slices.Sorted(maps.Keys(pages)) {
			began := time.Now()
			if _, err := Shape(context.Background(), pages[f], at, s, ShapeOptions{}); err != nil {
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
