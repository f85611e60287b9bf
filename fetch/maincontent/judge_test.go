package maincontent

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/internal/forest"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"

	"golang.org/x/net/html"
)

// The weights were grown with the features that pages are described by now.
func TestWeightsFitTheFeatures(t *testing.T) {
	p, err := blocks.Read(parse(t, shapes["cards"](5)), nil, func(int) {}, func(s string) (*html.Node, error) {
		return tree.Parse(ctx, s, tree.Options{})
	})
	if err != nil {
		t.Fatal(err)
	}
	width := p.Features().Width
	page := len(p.PageFeatures(nil))
	if len(p.Names()) != width || len(p.PageNames()) != page {
		t.Errorf("%d names for %d features, %d for %d of the page", len(p.Names()), width, len(p.PageNames()), page)
	}
	all, err := forest.Decode(weights)
	if err != nil {
		t.Fatal(err)
	}
	checkWidth(t, all[len(types)], width)
	checkWidth(t, all[len(types)+1], width+blocks.SecondWidth)
	if n := len(p.SecondNames()); n != blocks.SecondWidth {
		t.Errorf("%d features of the second kind, not %d", n, blocks.SecondWidth)
	}
	for _, f := range all[:len(types)] {
		checkWidth(t, f, len(p.Profile(p.Features(), make([]float32, len(p.Blocks)))))
	}
}

func checkWidth(t *testing.T, f *forest.Forest, width int) {
	t.Helper()
	for _, tr := range f.Trees {
		for _, n := range tr {
			if int(n.Feature) >= width {
				t.Fatalf("a tree asks for feature %d of %d; run internal/train again", n.Feature, width)
			}
		}
	}
}

// Pages that are hidden until a script has decided what to show are not empty.
func TestAPageThatIsHiddenAsAWhole(t *testing.T) {
	t.Parallel()
	const text = "Reeds grow along the harbour"
	r := mustFind(t, "<title>Reeds</title><body hidden><p>"+text+"</p></body>", Options{})
	if got := strings.TrimSpace(r.Text()); got != text {
		t.Errorf("%q", got)
	}
}
