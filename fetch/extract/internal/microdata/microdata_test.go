package microdata

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graphtest"
)

func TestGolden(t *testing.T) { graphtest.Golden(t, Read) }

func TestWorkIsLinear(t *testing.T) {
	for _, piece := range []string{
		`<div itemscope><p itemprop="a b">x</p></div>`, `<div itemprop=x itemscope itemref="a b">`, `<p id=a itemprop=x>`, `<b itemprop=x>y `,
		`<div itemscope id=a itemref="a b c"><div id=b itemprop=x itemscope itemref="c a"></div><div id=c itemprop=y>z</div>`,
	} {
		work := func(n int) int {
			p := graphtest.Parse(t, strings.Repeat(piece, n))
			Read(p)
			return p.Meter.Taken()
		}
		if small, large := work(500), work(8000); large > 20*small {
			t.Errorf("%s: 16 times the size takes %d times the work", piece, large/small)
		}
	}
}

func FuzzRead(f *testing.F) {
	graphtest.Fuzz(f, Read, `<div itemscope itemref="a b"><p itemprop=x id=a>y</p></div><div id=b itemprop=z itemscope itemref=a>`,
		`<p itemprop=a><div itemscope itemid=":" itemtype="A B"><meta itemprop="a b"><time itemprop=c datetime><object itemprop=d data="//">`)
}
