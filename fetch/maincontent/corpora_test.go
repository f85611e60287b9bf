package maincontent

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/internal/corpora"
)

// TestInvariantsOnCorpora takes every eighth page, where quality is measured all.
func TestInvariantsOnCorpora(t *testing.T) {
	for _, sub := range []string{"main-content", "products"} {
		for _, p := range corpora.Sample(t, sub, 8) {
			t.Run(sub+"/"+p.ID, func(t *testing.T) {
				t.Parallel()
				checkInvariants(t, p.HTML(t))
			})
		}
	}
}

// checkInvariants holds what is found in a page against what must be true of
// any page.
func checkInvariants(t *testing.T, page string) {
	t.Helper()
	doc := parse(t, page)
	before := rendered(t, doc)
	r, err := Find(ctx, doc, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, rendered(t, doc)) {
		t.Error("the page's tree was changed")
	}
	text := r.Text()
	again := mustFind(t, page, Options{})
	if again.Type != r.Type || again.WholePage != r.WholePage || !bytes.Equal(rendered(t, again.Tree), rendered(t, r.Tree)) {
		t.Error("the second result differs from the first")
	}
	if strings.TrimSpace(text) == "" && hasText(doc) {
		t.Error("nothing was found on a page with text")
	}
	checkSeen(t, r.Tree, text)
}

// checkSeen reports scripts, styles and comments in what was kept, and text
// that shares its characters with none of them but is not in the page.
func checkSeen(t *testing.T, kept *html.Node, text string) {
	t.Helper()
	for n := range kept.Descendants() {
		switch {
		case n.Type == html.CommentNode || n.Type == html.DoctypeNode:
			t.Errorf("a comment was kept: %.40q", n.Data)
		case n.Type == html.ElementNode && slices.Contains([]string{"style", "template", "title", "textarea"}, n.Data):
			t.Errorf("an element %s was kept", n.Data)
		case n.Type == html.ElementNode && n.Data == "script" && !strings.HasPrefix(attr(n, "type"), "math/tex"):
			t.Error("a script was kept")
		}
	}
	if strings.Contains(text, "\n\n\n") && !strings.Contains(text, "\t") && !has(kept, "pre") {
		t.Error("several empty lines follow one another")
	}
}

func has(doc *html.Node, name string) bool {
	for n := range doc.Descendants() {
		if n.Data == name && n.Type == html.ElementNode {
			return true
		}
	}
	return false
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func rendered(t *testing.T, n *html.Node) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := html.Render(&b, n); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hasText reports whether a text stands in the open on the page.
func hasText(n *html.Node) bool {
	switch n.Type {
	case html.TextNode:
		return strings.TrimSpace(n.Data) != ""
	case html.ElementNode:
		switch n.Data {
		case "head", "script", "style", "noscript", "template", "iframe", "object", "select", "textarea", "svg", "video", "audio", "canvas", "datalist", "rp":
			return false
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if hasText(c) {
			return true
		}
	}
	return false
}
