package read

import (
	"context"
	"strings"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/corpora"
)

func TestSourcesComeInTheOrderOfBelief(t *testing.T) {
	g, err := Read(opened(t, `<title>T</title><script>window.__STATE__ = {"name":"of the state, which is long"}</script><div class=h-card>card</div>
<p typeof=A><i property=name>x</i></p><meta name=description content=d><div itemscope><i itemprop=name>x</i></div><script type="application/ld+json">{"@type":"A"}</script>`), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range g.Roots {
		got = append(got, e.Source.String())
	}
	if s := strings.Join(got, " "); s != "json-ld microdata rdfa microformats meta state document" {
		t.Error(s)
	}
}

func TestReadingHasALimit(t *testing.T) {
	doc, err := tree.Parse(context.Background(), strings.Repeat("<p itemscope>x", 1000), tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := page.New(context.Background(), doc, nil, 3000)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(p, nil); errtypes.KindOf(err) != errtypes.BadGateway {
		t.Errorf("got %v", err)
	}
}

// TestInvariantsOnCorpora takes every eighth page, where quality is measured all: the same graph twice, each
// value with its place on the page and no text that is none.
func TestInvariantsOnCorpora(t *testing.T) {
	for _, sub := range []string{"main-content", "products"} {
		for _, p := range corpora.Sample(t, sub, 8) {
			src := p.HTML(t)
			g := graphOf(t, src)
			first := dumped(g.Roots)
			if first != dumped(graphOf(t, src).Roots) {
				t.Errorf("%s: another graph the second time", p.ID)
			}
			if at := strings.Index(first, "HAS NO ELEMENT"); at >= 0 {
				t.Errorf("%s: a value without its place: %s", p.ID, first[max(0, at-80):at])
			}
			if strings.ToValidUTF8(first, "") != first {
				t.Errorf("%s: broken UTF-8", p.ID)
			}
		}
	}
}

func graphOf(t testing.TB, src string) *graph.Graph {
	t.Helper()
	g, err := Read(opened(t, src), nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestWorkIsLinear(t *testing.T) {
	for name, of := range map[string]func(n int) string{
		"page": func(n int) string {
			return strings.Repeat(`<div itemscope typeof=A class=h-entry><p itemprop=a property=a class=p-name>x <b>y</b></p></div>`, n)
		},
		"nesting": func(n int) string {
			return strings.Repeat(`<div itemprop=a itemscope property=a typeof=A class="h-entry p-x">x`, n)
		},
		"JSON": func(n int) string {
			return `<script type="application/ld+json">` + strings.Repeat(`[{"@type":"A","a":`, n) + `</script>`
		},
		"state": func(n int) string {
			return strings.Repeat(`<script>window.__A__={"a":[{"b":1},"ccccccccccccccccc"]}</script>`, n)
		},
	} {
		work := func(n int) int {
			p := opened(t, of(n))
			if _, err := Read(p, nil); err != nil {
				t.Fatal(err)
			}
			return p.Meter.Taken()
		}
		small, middle, large := work(200), work(800), work(3200)
		t.Logf("%s: %d, %d, %d steps", name, small, middle, large)
		if large > 20*small && large > 5*middle {
			t.Errorf("%s: 16 times the size takes %d times the work", name, large/small)
		}
	}
}
