package read

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/markup"
	"github.com/drover-go/drover/fetch/extract/internal/meta"
	"github.com/drover-go/drover/fetch/extract/internal/microformats"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/scripts"
	"github.com/drover-go/drover/fetch/internal/goldentest"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// testURL is the address of the pages of tests.
var testURL = &url.URL{Scheme: "https", Host: "example.com", Path: "/shop/page.html"}

// opened returns a page of a test.
func opened(t testing.TB, src string) *page.Page {
	t.Helper()
	doc, err := tree.Parse(context.Background(), strings.ToValidUTF8(src, "\uFFFD"), tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return openedTree(t, doc)
}

// openedTree returns the page of a parsed document.
func openedTree(t testing.TB, doc *html.Node) *page.Page {
	t.Helper()
	p, err := page.New(context.Background(), doc, testURL, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// forms are the readers by the names of what they read.
var forms = map[string]func(*page.Page) []*graph.Entity{
	"jsonld": scripts.JSONLD, "microdata": markup.Microdata, "rdfa": markup.RDFa, "microformats": microformats.Read, "meta": meta.Read,
	"state": func(p *page.Page) []*graph.Entity { return scripts.State(p, scripts.Options{}) },
}

// TestGolden holds what is read from the pages of testdata/FORM-*.txtar against
// what stands beside them.
func TestGolden(t *testing.T) {
	goldentest.Run(t, func(t *testing.T, page string, _ *url.URL) []goldentest.Output {
		form, _, _ := strings.Cut(strings.TrimPrefix(t.Name(), "TestGolden/"), "-")
		return []goldentest.Output{{Suffix: ".txt", Text: dumped(forms[form](opened(t, page)))}}
	})
}

func TestWorkOfEachFormIsLinear(t *testing.T) {
	for form, pieces := range map[string][]string{
		"jsonld": {
			`{"@type":"A","@id":"x","name":"n","o":{"@type":"B","@id":"y","v":[1,2]}},`, `{"@id":"x","@type":"A","r":{"@id":"x"}},`,
			`{"@context":{"a":"b"},"a":1},`, `{"a":`, `[`, `{"@reverse":{"p":{"@type":"A","@id":"x"}}},`, `{"@graph":`, `"a",`,
			`{"@type":["A","B"],"@id":"x","p":{"@type":"A","@id":"z","l":[1,2,3,4,5,6,7,8,9]}},`,
		},
		"microdata": {
			`<div itemscope><p itemprop="a b">x</p></div>`, `<div itemprop=x itemscope itemref="a b">`, `<p id=a itemprop=x>`, `<b itemprop=x>y `,
			`<div itemscope id=a itemref="a b c"><div id=b itemprop=x itemscope itemref="c a"></div><div id=c itemprop=y>z</div>`,
		},
		"rdfa":         {`<div typeof=A><p property="a b">x</p></div>`, `<div property=x typeof=A resource="#a">`, `<p resource="#a" property=x>`, `<b property=x>y `},
		"microformats": {`<div class="h-entry"><p class="p-name value">x</p></div>`, `<div class="h-card p-author">`, `<b class="p-name value">`},
	} {
		before := map[string]string{"jsonld": `<script type="application/ld+json">[`, "microformats": `<div class=h-entry>`}[form]
		for _, piece := range pieces {
			work := func(n int) int {
				p := opened(t, before+strings.Repeat(piece, n))
				forms[form](p)
				return p.Meter.Taken()
			}
			if small, large := work(300), work(4800); large > 20*small {
				t.Errorf("%s: %s: 16 times the size takes %d times the work", form, piece, large/small)
			}
		}
	}
}

func TestValuesOfMetaHaveALimit(t *testing.T) {
	p := opened(t, strings.Repeat("<meta name=a content=b>", 2100))
	if got := len(meta.Read(p)[0].Get("a")); got != 2000 {
		t.Errorf("%d values", got)
	}
}

func TestLabelsOfCards(t *testing.T) {
	p := opened(t, `<meta name="twitter:label1" content="Price"><meta name="twitter:data1" content="$15"><meta name="twitter:label2" content="Written by"><meta name="twitter:data2" content="Jane"><meta name="twitter:data3" content="7">`)
	e := meta.Read(p)[0]
	if got := e.Get("Price"); len(got) != 1 || got[0].Text != "$15" {
		t.Errorf("got %v", got)
	}
	if len(e.Get("Written by")) != 0 || len(e.Get("")) != 0 {
		t.Errorf("got %v", e.Fields)
	}
}
