package microformats

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graphtest"
)

func TestGolden(t *testing.T) { graphtest.Golden(t, Read) }

func TestWorkIsLinear(t *testing.T) {
	for _, piece := range []string{`<div class="h-entry"><p class="p-name value">x</p></div>`, `<div class="h-card p-author">`, `<b class="p-name value">`} {
		work := func(n int) int {
			p := graphtest.Parse(t, `<div class=h-entry>`+strings.Repeat(piece, n))
			Read(p)
			return p.Meter.Taken()
		}
		if small, large := work(600), work(9600); large > 20*small {
			t.Errorf("%s: 16 times the size takes %d times the work", piece, large/small)
		}
	}
}

func FuzzRead(f *testing.F) {
	graphtest.Fuzz(f, Read, `<div class="h-entry h-feed"><p class="p-name u-url dt-start e-content">x<div class="p-author h-card vcard"><b class="value-title" title="t"><img alt=a src=b>`)
}
