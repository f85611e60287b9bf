package markdown

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// growing are pages of a size: one as sites make them, and those that nest
// what costs time without end.
var growing = []struct {
	name string
	page func(size int) string
}{
	{"page", func(size int) string { return "<title>A page</title><main><h1>A page</h1>" + repeat(section, size) }},
	{"nested-div", func(size int) string { return strings.Repeat("<div>", 400) + repeat("<p>word <b>word</b></p>", size) }},
	{"nested-lists", func(size int) string { return strings.Repeat("<ul><li>", 200) + repeat("<b>a:</b> word<br>", size) }},
	{"nested-tables", func(size int) string { return repeat("<table><tr><td>word<td>", size) }},
	{"nested-quotes", func(size int) string { return repeat("<blockquote>word", size) }},
	{"unclosed-bold", func(size int) string { return repeat("<p><b>word", size) }},
	{"nested-things", func(size int) string {
		return strings.Repeat("<div itemscope itemprop=review>", 400) + repeat("<i itemprop=name>word</i>", size)
	}},
	{"nested-formulas", func(size int) string { return strings.Repeat("<math><msup><mrow>", 100) + repeat("<mi>x</mi>", size) }},
	{"json", func(size int) string {
		return `<script type="application/ld+json">` + repeat(`{"@type":"Thing","name":"a","item":[`, size)
	}},
}

const section = `<section class=part><h2>A heading</h2><p>Some words that are <a href="/there">linked</a>, and others that are not.</p>
<ul><li><a href="/a">One</a><li><a href="/b">Two</a></ul><table><tr><th>Name<th>Price<tr><td>A thing<td>€5.50</table>
<div class=card itemscope itemtype="https://schema.org/Product"><h3 itemprop=name>A thing</h3><span class=price>€12.50</span></div></section>`

func repeat(piece string, size int) string { return strings.Repeat(piece, size/len(piece)+1) }

// growingSize is the size in bytes of the smallest of the pages.
const growingSize = 32 << 10

// BenchmarkGrowth reports how the time for a byte grows with the page: that at 4
// and at 16 times the size over that at the first, the fastest turn of each.
// Linear is 1. Parsing is included, which alone is not linear for every page.
func BenchmarkGrowth(b *testing.B) {
	all := sides(b)
	for _, form := range []string{"markdown", "main", "json"} {
		for _, kind := range growing {
			b.Run(form+"/"+kind.name, func(b *testing.B) {
				factors := []int{1, 4, 16}
				best := make([]time.Duration, len(factors))
				for b.Loop() {
					for i, factor := range factors {
						text := kind.page(growingSize * factor)
						start := time.Now()
						all[form](text)
						if d := time.Since(start); best[i] == 0 || d < best[i] {
							best[i] = d
						}
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(best[0].Seconds()*1e3, "ms")
				for i, factor := range factors[1:] {
					b.ReportMetric(best[i+1].Seconds()/best[0].Seconds()/float64(factor), fmt.Sprintf("x%d", factor))
				}
			})
		}
	}
}
