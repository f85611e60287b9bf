package visible

import (
	"context"
	"net/url"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/goldentest"
	"github.com/drover-go/drover/fetch/internal/tree"
)

var pageURL = &url.URL{Scheme: "https", Host: "example.com", Path: "/shop/page"}

func parse(t testing.TB, src string) *page.Page {
	t.Helper()
	doc, err := tree.Parse(context.Background(), src, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.New(context.Background(), doc, pageURL, 0)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t testing.TB, src string, o Options) (entities []*graph.Entity) {
	t.Helper()
	p := parse(t, src)
	if err := p.Meter.Run(func() error { entities = o.Read(p); return nil }); err != nil {
		t.Fatal(err)
	}
	return entities
}

func TestGolden(t *testing.T) {
	goldentest.Run(t, func(t *testing.T, page string, _ *url.URL) []goldentest.Output {
		return []goldentest.Output{{Suffix: ".graph", Text: dumped(read(t, page, Options{})...)}}
	})
}
