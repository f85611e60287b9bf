package read

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/markup"
	"github.com/drover-go/drover/fetch/extract/internal/meta"
	"github.com/drover-go/drover/fetch/extract/internal/microformats"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/scripts"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// benchSize is the size in bytes of the median page of the main-content corpus.
const benchSize = 136 << 10

// benchPage is a product with reviews, marked up in JSON-LD and in Microdata.
func benchPage() string {
	var b strings.Builder
	b.WriteString(`<html lang=en><head><title>A thing</title><meta property="og:title" content="A thing"><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"A thing","offers":{"@type":"Offer","price":12.5,"priceCurrency":"EUR"},"review":[`)
	for i := range 100 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"@type":"Review","author":{"@type":"Person","name":"Reader %d"},"reviewRating":{"@type":"Rating","ratingValue":%d},"reviewBody":"It does what it should, &amp; it lasts."}`, i, i%5+1)
	}
	b.WriteString(`]}</script></head><body><div itemscope itemtype="https://schema.org/Product"><h1 itemprop=name>A thing</h1>`)
	for i := 0; b.Len() < benchSize; i++ {
		fmt.Fprintf(&b, `<div class="review card" itemprop=review itemscope itemtype="https://schema.org/Review"><a class="u" href="/readers/%d"><span itemprop=author>Reader %d</span></a><p itemprop=reviewBody>It does <b>what</b> it should, and it lasts for a long time.</p><ul class="p-2"><li>Good: price</li><li>Bad: colour</li></ul></div>`, i, i)
	}
	return b.String()
}

func BenchmarkRead(b *testing.B) {
	src := benchPage()
	doc, err := tree.Parse(context.Background(), src, tree.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("parse", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			tree.Parse(context.Background(), src, tree.Options{})
		}
	})
	for name, read := range map[string]func(*page.Page) []*graph.Entity{
		"json-ld": scripts.JSONLD, "microdata": markup.Microdata, "rdfa": markup.RDFa, "microformats": microformats.Read, "meta": meta.Read,
		"state": func(p *page.Page) []*graph.Entity { return scripts.State(p, scripts.Options{}) }, "visible": visible.Read,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				read(openedTree(b, doc))
			}
		})
	}
	b.Run("all", func(b *testing.B) {
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if _, err := From(openedTree(b, doc), Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
