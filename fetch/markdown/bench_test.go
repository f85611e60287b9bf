package markdown

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

var benchURL = &url.URL{Scheme: "https", Host: "example.com", Path: "/wiki/List"}

// plain converts with the engine alone, as its users set it up.
func plain() func(string) (string, error) {
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(), table.NewTablePlugin()))
	return func(page string) (string, error) {
		return c.ConvertString(page, converter.WithDomain(benchURL.String()))
	}
}

func ours(page string) (string, error) { return FromString(ctx, page, Options{PageURL: benchURL}) }

// BenchmarkMarkdown converts a page from its text on. "x-plain" is how many
// times as fast as html-to-markdown alone that is: both are measured in turns
// in the same run, and the fastest turn of each counts, for a busy machine only
// ever adds time. The goal is at least 0.9.
func BenchmarkMarkdown(b *testing.B) {
	for _, kb := range []int{100, 136, 400, 1800} {
		b.Run(fmt.Sprintf("%dKB", kb), func(b *testing.B) {
			page := makePage(kb << 10)
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			peer := plain()
			var own, theirs best
			for b.Loop() {
				own.add(took(b, ours, page))
				b.StopTimer()
				theirs.add(took(b, peer, page))
				b.StartTimer()
			}
			b.ReportMetric(float64(theirs)/float64(own), "x-plain")
			b.ReportMetric(1/time.Duration(own).Seconds(), "pages/s")
		})
	}
}

// best is the shortest of several times; 0 before the first.
type best time.Duration

func (s *best) add(d time.Duration) {
	if *s == 0 || best(d) < *s {
		*s = best(d)
	}
}

func took(b *testing.B, convert func(string) (string, error), page string) time.Duration {
	b.Helper()
	start := time.Now()
	if _, err := convert(page); err != nil {
		b.Fatal(err)
	}
	return time.Since(start)
}

// BenchmarkGrowth shows how the time for a byte grows with the size of what a
// page is made of: "x4" and "x16" are the time per byte at 4 and 16 times the
// size over that at the first, the fastest turn of each; linear is 1.
func BenchmarkGrowth(b *testing.B) {
	for _, shape := range shapes {
		b.Run(shape.name, func(b *testing.B) {
			var perByte [3]float64
			var times [3]best
			for b.Loop() {
				for i, factor := range []int{1, 4, 16} {
					page := shape.page(shape.size * factor)
					times[i].add(took(b, ours, page))
					perByte[i] = time.Duration(times[i]).Seconds() / float64(len(page))
				}
			}
			b.ReportMetric(perByte[0]*1e9, "ns/byte")
			b.ReportMetric(perByte[1]/perByte[0], "x4")
			b.ReportMetric(perByte[2]/perByte[0], "x16")
		})
	}
}

// BenchmarkParts shows where the time goes.
func BenchmarkParts(b *testing.B) {
	page := makePage(1800 << 10)
	parse := func() *html.Node {
		doc, err := tree.Parse(ctx, page, tree.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return doc
	}
	b.Run("parser alone", func(b *testing.B) {
		b.SetBytes(int64(len(page)))
		for b.Loop() {
			_, _ = html.Parse(strings.NewReader(page))
		}
	})
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(page)))
		for b.Loop() {
			parse()
		}
	})
	b.Run("clean", func(b *testing.B) {
		b.SetBytes(int64(len(page)))
		for b.Loop() {
			b.StopTimer()
			doc := parse()
			b.StartTimer()
			o := Options{PageURL: benchURL}.withDefaults()
			newCleaner(newWork(ctx, o.MaxWork), doc, o).clean(doc)
		}
	})
	b.Run("convert", func(b *testing.B) {
		b.SetBytes(int64(len(page)))
		for b.Loop() {
			b.StopTimer()
			doc := parse()
			b.StartTimer()
			if _, err := Convert(ctx, doc, Options{PageURL: benchURL}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
