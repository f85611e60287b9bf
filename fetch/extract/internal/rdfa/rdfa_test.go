package rdfa

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graphtest"
)

func TestGolden(t *testing.T) { graphtest.Golden(t, Read) }

func TestWorkIsLinear(t *testing.T) {
	for _, piece := range []string{
		`<div typeof=A><p property="a b">x</p></div>`, `<div property=x typeof=A resource="#a">`, `<p resource="#a" property=x>`, `<b property=x>y `,
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
	graphtest.Fuzz(f, Read, `<div typeof=A about="#a"><p property=x resource="#a">y</p></div><div about="#b" property=z typeof=B>`,
		`<html vocab=v prefix="a: b: c"><p property="a:x b:y" content datatype><a rel=a:z href=":"><img property=i src>`)
}
