package graphtest

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/goldentest"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// URL is the address of the pages of tests.
var URL = &url.URL{Scheme: "https", Host: "example.com", Path: "/shop/page.html"}

// Parse returns a page of a test.
func Parse(t testing.TB, src string) *page.Page {
	t.Helper()
	doc, err := tree.Parse(context.Background(), strings.ToValidUTF8(src, "\uFFFD"), tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Open(t, doc)
}

// Open returns the page of a parsed document.
func Open(t testing.TB, doc *html.Node) *page.Page {
	t.Helper()
	p, err := page.New(context.Background(), doc, URL, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Golden holds what is read from the pages of testdata/*.txtar against what
// stands beside them.
func Golden(t *testing.T, read func(*page.Page) []*graph.Entity) {
	goldentest.Run(t, func(t *testing.T, page string, _ *url.URL) []goldentest.Output {
		return []goldentest.Output{{Suffix: ".txt", Text: Dump(read(Parse(t, page)))}}
	})
}
