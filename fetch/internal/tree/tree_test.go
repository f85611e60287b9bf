package tree

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
)

func count(n *html.Node) int {
	nodes := 1
	for range n.Descendants() {
		nodes++
	}
	return nodes
}

func depth(n *html.Node) int {
	deepest := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		deepest = max(deepest, depth(c))
	}
	return deepest + 1
}

func mustParse(t testing.TB, src string, o Options) *html.Node {
	t.Helper()
	doc, err := Parse(t.Context(), src, o)
	if err != nil {
		t.Fatalf("Parse(%.60q…): %v", src, err)
	}
	return doc
}

// unclosed opens n formatting elements that stay active in every later block.
func unclosed(n int) string {
	var b strings.Builder
	b.WriteString("<p>")
	for i := range n {
		fmt.Fprintf(&b, "<b id=%d>", i)
	}
	return b.String() + "</p>"
}

func TestParseBoundsNodesOfUnclosedFormatting(t *testing.T) {
	const paragraphs = 20_000
	src := unclosed(300) + strings.Repeat("<p>word</p>", paragraphs)
	doc := mustParse(t, src, Options{MaxNodes: 1_000_000})
	if n := count(doc); n > 3*paragraphs {
		t.Errorf("%d nodes of %d bytes", n, len(src))
	}
	if got := strings.Count(TextOf(doc), "word"); got != paragraphs {
		t.Errorf("%d of %d words are left", got, paragraphs)
	}
}

func TestParseKeepsFormattingOfPagesThatCloseIt(t *testing.T) {
	cell := `<td><b>x</b><i class=icon><svg viewBox="0 0 1 1"><title>t</title><path d=m /></svg></i></td>`
	src := "<table>" + strings.Repeat("<tr>"+strings.Repeat(cell, 20), 1000) + "</table>"
	doc := mustParse(t, src, Options{MaxNodes: 1_000_000})
	bold := 0
	for d := range doc.Descendants() {
		if d.Data == "b" {
			bold++
		}
	}
	if bold != 20_000 {
		t.Errorf("%d of 20000 bold elements are left", bold)
	}
}

func TestParseHostileNesting(t *testing.T) {
	const n = 100_000
	for _, tag := range []string{
		"div", "b", "blockquote", "ul><li", "ol><li", "table><tr><td", "span", "a", "p", "dl><dd", "font color=x",
		"svg", "math><mi", "select", "template", "object", "x-y", "h1", "form", "button", "details", "pre", "code",
	} {
		t.Run(tag, func(t *testing.T) {
			src := strings.Repeat("<"+tag+">", n) + "the end"
			doc := mustParse(t, src, Options{})
			if d := depth(doc); d > parserDepth+2 {
				t.Errorf("depth %d", d)
			}
			if !strings.HasSuffix(TextOf(doc), "the end") {
				t.Error("the text is lost")
			}
		})
	}
}

func TestParseDeepPageKeepsOrderAndStructure(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&b, "<div>%d ", i)
	}
	b.WriteString("</div><p>after <a href=x>link</a></p>")
	doc := mustParse(t, b.String(), Options{MaxDepth: 50})
	text := TextOf(doc)
	if !strings.HasPrefix(text, "0 1 2 3 ") || !strings.HasSuffix(text, "998 999 after link") {
		t.Errorf("text %.40q … %q", text, text[len(text)-30:])
	}
	if d := depth(doc); d > 60 {
		t.Errorf("depth %d", d)
	}
}

func TestSimplifyKeepsItemsThatAreNotClosed(t *testing.T) {
	src := "<ul>" + strings.Repeat("<li>x<p>y<dl><dt>t<dd>d</dl>", 1000) + "</ul>" + strings.Repeat("<div>", 600)
	items := 0
	for d := range mustParse(t, src, Options{}).Descendants() {
		if d.Data == "li" {
			items++
		}
	}
	if items != 1000 {
		t.Errorf("%d of 1000 items are left", items)
	}
}

func TestParseErrorIsThePagesFault(t *testing.T) {
	// Nothing known to us reaches this error, so its parts are tried apart.
	src := strings.Repeat("<div>", 600)
	if _, err := html.Parse(strings.NewReader(src)); err == nil {
		t.Fatal("the parser takes 600 levels: what is simplify for?")
	}
	if _, err := html.Parse(strings.NewReader(simplify(t.Context(), src, 400))); err != nil {
		t.Errorf("simplified to 400 levels: %v", err)
	}
	if err := errtypes.New(errtypes.BadGateway, "x"); err.Kind != errtypes.BadGateway {
		t.Error(err)
	}
}
