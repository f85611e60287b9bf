package jsonld

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graphtest"
)

func TestGolden(t *testing.T) { graphtest.Golden(t, Read) }

func TestWorkIsLinear(t *testing.T) {
	for _, piece := range []string{
		`{"@type":"A","@id":"x","name":"n","o":{"@type":"B","@id":"y","v":[1,2]}},`, `{"@id":"x","@type":"A","r":{"@id":"x"}},`,
		`{"@context":{"a":"b"},"a":1},`, `{"a":`, `[`, `{"@reverse":{"p":{"@type":"A","@id":"x"}}},`, `{"@graph":`, `"a",`,
		`{"@type":["A","B"],"@id":"x","p":{"@type":"A","@id":"z","l":[1,2,3,4,5,6,7,8,9]}},`,
	} {
		work := func(n int) int {
			p := graphtest.Parse(t, `<script type="application/ld+json">[`+strings.Repeat(piece, n)+`</script>`)
			Read(p)
			return p.Meter.Taken()
		}
		if small, large := work(200), work(3200); large > 20*small {
			t.Errorf("%s: 16 times the size takes %d times the work", piece, large/small)
		}
	}
}
