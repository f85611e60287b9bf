package maincontent

import (
	"fmt"
	"net/url"
	"testing"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/goldentest"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/markdown"
)

// The type and the text of a page stand in name.txt, the markdown of the same
// tree in name.md.
func TestGolden(t *testing.T) {
	goldentest.Run(t, func(t *testing.T, page string, at *url.URL) []goldentest.Output {
		txt, md := describe(t, page, at)
		return []goldentest.Output{{Suffix: ".txt", Text: txt}, {Suffix: ".md", Text: md}}
	})
}

func describe(t *testing.T, page string, address *url.URL) (txt, md string) {
	t.Helper()
	r := mustFind(t, page, Options{PageURL: address})
	txt = fmt.Sprintf("type %s, whole page %t\n%s\n", r.Type, r.WholePage, r.Text())
	md, err := markdown.Convert(ctx, r.Tree, markdown.Options{PageURL: address})
	if err != nil {
		t.Fatal(err)
	}
	return txt, md + "\n"
}

func mustFind(t testing.TB, page string, o Options) *Result {
	t.Helper()
	r, err := Find(ctx, parse(t, page), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func parse(t testing.TB, page string) *html.Node {
	t.Helper()
	doc, err := tree.Parse(ctx, page, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
