package extract

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
)

var pageURL = &url.URL{Scheme: "https", Host: "www.example.com", Path: "/news/one"}

func metadataOf(t *testing.T, src string) *Metadata {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	m, err := MetadataOf(context.Background(), doc, pageURL, MetadataOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMetadata(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      Metadata
	}{
		{"nothing", "<p>words</p>", Metadata{}},
		{"head only", `<html lang="de_AT"><title>One | The Site</title><meta name=application-name content="The Site"><meta name=author content="By A. Author">
<meta name=date content="3. Mai 2026"><h1>No</h1><link rel=canonical href="/x"><link rel=image_src href="a.jpg">`,
			Metadata{Title: "One", Language: "de-AT", SiteName: "The Site", Authors: []string{"A. Author"}, Published: "2026-05-03", CanonicalURL: "https://www.example.com/x", Image: "https://www.example.com/news/a.jpg"}},
		{"Open Graph", `<title>T</title><meta property="og:title" content="O"><meta property="og:image" content="/o.png"><meta property="og:image:width" content="10"><meta property="og:url" content="https://example.com/o">
<meta property="og:site_name" content="S"><meta property="og:locale" content="en_US"><meta property="og:description" content="D"><meta name="description" content="Plain">
<meta property="article:published_time" content="2026-01-02T03:04:05+0100"><meta property="article:modified_time" content="2026-01-03 10:00"><meta property="article:author" content="https://example.com/people/a">`,
			Metadata{Title: "O", Image: "https://www.example.com/o.png", CanonicalURL: "https://example.com/o", SiteName: "S", Language: "en-US", Description: "Plain",
				Published: "2026-01-02T03:04:05+01:00", Modified: "2026-01-03"}},
		{"a graph", `<script type="application/ld+json">{"@graph":[{"@type":"WebSite","name":"The Site"},{"@type":"WebPage","@id":"https://example.com/news/one","datePublished":"2020-01-01"},
{"@type":"NewsArticle","mainEntityOfPage":{"@id":"https://example.com/news/one"},"headline":"H &amp; I","author":[{"@id":"#a"},{"@type":"Person","name":"B"}],"datePublished":"2026-01-02T03:04:05Z",
"image":{"@type":"ImageObject","url":"/i.jpg"},"inLanguage":"fr","description":"About it"},{"@type":"Person","@id":"#a","name":"A"},{"@type":"NewsArticle","headline":"Another"}]}</script>`,
			Metadata{Title: "H & I", SiteName: "The Site", Authors: []string{"A", "B"}, Published: "2026-01-02T03:04:05Z", Image: "https://www.example.com/i.jpg", Language: "fr", Description: "About it"}},
		{"a listing has no main thing", `<title>List</title><div itemscope itemtype="https://schema.org/Article"><b itemprop=headline>1</b></div><div itemscope itemtype="https://schema.org/Article"><b itemprop=headline>2</b><time datetime="2026-01-01"></time></div>`,
			Metadata{Title: "List", Published: "2026-01-01"}},
		{"a citation", `<meta name="citation_title" content="Paper"><meta name="citation_author" content="A"><meta name="citation_author" content="B"><meta name="citation_publication_date" content="2026/03/04">`,
			Metadata{Title: "Paper", Authors: []string{"A", "B"}, Published: "2026-03-04"}},
		{"an entry", `<h1>Head</h1><div class="h-entry"><h2 class="p-name">Name</h2><a class="p-author h-card" href=/a>A</a><time class="dt-published" datetime="2026-01-02">x</time></div>`,
			Metadata{Title: "Name", Authors: []string{"A"}, Published: "2026-01-02"}},
		{"behind the heading", `<title>A long story about lamps and sheds | Shed News</title><meta property="og:site_name" content="Shed News"><meta property="og:title" content="A long story about lamps | Shed News"><h1>A long story about lamps and sheds</h1><div><div>Written by</div><div>Ann Lee</div> · <span>3 May 2026</span> · <span>Updated 5 May 2026</span></div><p>By Bob</p>`,
			Metadata{Title: "A long story about lamps and sheds", SiteName: "Shed News", Authors: []string{"Ann Lee"}, Published: "2026-05-03", Modified: "2026-05-05"}},
		{"a heading that is not the title", `<title>Lamps for late hours and sheds</title><h1>Welcome to our shop</h1>`, Metadata{Title: "Lamps for late hours and sheds"}},
		{"the page of a thing for sale", `<script type="application/ld+json">{"@graph":[{"@type":"WebPage","datePublished":"2020-01-01"},{"@type":"Product","name":"Lamp"}]}</script><h1>Lamp</h1>`, Metadata{Title: "Lamp"}},
		{"the date of a change", `<h1>Reference</h1><p>This page was last modified on <time datetime="2026-01-02">2 January</time></p><p class=date>Last updated on 2 January 2026</p>`, Metadata{Title: "Reference", Modified: "2026-01-02"}},
		{"loose properties", `<title>T</title><meta itemprop=author content="Ann Lee"><meta itemprop=datePublished content="2026-05-03"><div itemscope itemtype="https://schema.org/Comment"><meta itemprop=author content=Bob></div>`, Metadata{Title: "T", Authors: []string{"Ann Lee"}, Published: "2026-05-03"}},
		{"a byline of two with both dates", `<title>T</title><h1>T</h1><p>By Ann Lee and Max Roe · 3 May 2026 · updated 5 May 2026</p>`, Metadata{Title: "T", Authors: []string{"Ann Lee", "Max Roe"}, Published: "2026-05-03", Modified: "2026-05-05"}},
		{"who makes what is sold", `<title>Lamp</title><h1>Lamp</h1><p>by <a href=/m>Fjellby</a></p><button>Add to cart</button>`, Metadata{Title: "Lamp"}},
		{"who wrote a book that is sold", `<title>Reeds</title><h1>Reeds</h1><p>by Ann Lee</p><button>Add to cart</button>`, Metadata{Title: "Reeds", Authors: []string{"Ann Lee"}}},
		{"hostile", `<html lang="<x>"><title> </title><link rel=canonical href="javascript:x"><meta property="og:image" content="data:image/png;base64,x"><meta name=author content="https://example.com"><meta name=date content="03/04/26">`,
			Metadata{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(&c.want, metadataOf(t, c.src)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestMetadataLeavesTheTreeAlone(t *testing.T) {
	doc, _ := html.Parse(strings.NewReader(`<html lang=en><h1>x <b>y</b></h1><script type="application/ld+json">{"@type":"Article"}</script>`))
	write := func() string {
		var b strings.Builder
		html.Render(&b, doc)
		return b.String()
	}
	before := write()
	if _, err := MetadataOf(context.Background(), doc, pageURL, MetadataOptions{}); err != nil || write() != before {
		t.Errorf("%v, %s", err, write())
	}
}

func TestMetadataEnds(t *testing.T) {
	doc, _ := html.Parse(strings.NewReader(strings.Repeat("<p>x</p>", 10_000)))
	if _, err := MetadataOf(context.Background(), doc, nil, MetadataOptions{MaxWork: 1000}); errtypes.KindOf(err) != errtypes.BadGateway {
		t.Errorf("beyond the limit: %v", err)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(context.DeadlineExceeded)
	if _, err := MetadataOf(ctx, doc, nil, MetadataOptions{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the end: %v", err)
	}
}

// TestMetadataOfThePageItself says that remarks and what stands beside a text
// do not say who wrote it, and when: in the metadata, and by a schema.
func TestMetadataOfThePageItself(t *testing.T) {
	const article = `<body><article><h1>Harbours</h1><p>` + "The harbour has a lamp. " + `</p>%</article>`
	for _, c := range []struct{ name, beside, author, date string }{
		{"a remark", `<div class=comment><span class=author>Bob</span><time datetime=2021-01-01>1 January</time></div>`, "", ""},
		{"in a list of remarks", `<section id=x class="comment-list"><div><a rel=author href=/bob>Bob</a><time datetime=2021-01-01>1 January</time></div></section>`, "", ""},
		{"a reply", `<div class="thread-reply"><p>By Bob Low</p><time datetime=2021-01-01>1 January</time></div>`, "", ""},
		{"an aside", `<aside>Related: Lamps <p>By Ann Lee</p> <time datetime=2020-02-02>2 February</time></aside>`, "", ""},
		{"related texts", `<div class="related-posts"><p>By Ann Lee</p> <time datetime=2020-02-02>2 February</time></div>`, "", ""},
		{"the text's own", `<p>By Ann Lee</p><time datetime=2020-02-02>2 February</time><div class=comment><span class=author>Bob</span><time datetime=2021-01-01>1 January</time></div>`, "Ann Lee", "2020-02-02"},
		{"an aside of the article itself", `<aside class=meta><p>By Ann Lee</p><time datetime=2020-02-02>2 February</time></aside>`, "Ann Lee", "2020-02-02"},
		{"an aside of the page", `</article><aside><p>By Ann Lee</p><time datetime=2020-02-02>2 February</time></aside><article>`, "", ""},
		{"a page with remarks", `<div class="post has-comments"><p>By Ann Lee</p><time datetime=2020-02-02>2 February</time></div>`, "Ann Lee", "2020-02-02"},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := strings.Replace(article, "%", c.beside, 1)
			m := metadataOfPage(t, src)
			if got := strings.Join(m.Authors, ", "); got != c.author || m.Published != c.date {
				t.Errorf("metadata: got %q, %q, want %q, %q", got, m.Published, c.author, c.date)
			}
			want := map[string]string{}
			if c.author != "" {
				want = map[string]string{"author": c.author, "published": c.date}
			}
			r := shaped(t, src, `{"type":"object","properties":{"author":{"type":"string"},"published":{"type":"string","format":"date"}}}`, ShapeOptions{})
			var got map[string]string
			if err := json.Unmarshal(r.Content, &got); err != nil || !maps.Equal(got, want) {
				t.Errorf("shape: got %s, want %v (%v)", r.Content, want, err)
			}
		})
	}
}

func TestLanguageIsOneThatThereIs(t *testing.T) {
	for tag, want := range map[string]string{"en-US": "en-US", "de": "de", "xx-invalid-thing": "", "gsw-CH": "gsw-CH", "q": ""} {
		if got := metadataOfPage(t, "<html lang="+tag+"><h1>Rain</h1>").Language; got != want {
			t.Errorf("%q: got %q, want %q", tag, got, want)
		}
	}
}
