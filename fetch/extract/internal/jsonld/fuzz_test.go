package jsonld

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graphtest"
)

// FuzzRead holds that no block does harm, and that the same block gives the
// same things twice.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"@context":{"a":{"@id":"b","@container":"@language"},"r":{"@reverse":"p"}},"@graph":[{"@id":"x","@type":["A"],"a":{"en":"t"},"r":{"@id":"x"}}]}`,
		`[{"@type":"A","@id":"_:b","p":{"@id":"_:b"}},{"@value":1},{"@list":[{"@set":["<p>x</p>&amp;"]}],"@included":[{}],"@nest":{"@reverse":{"q":[{"@type":"B"}]}}}]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, block string) {
		if len(block) > 1<<16 || strings.Contains(block, "<") {
			return
		}
		src := `<script type="application/ld+json">` + block + `</script>`
		dump := func() (out string) {
			p := graphtest.Parse(t, src)
			if err := p.Meter.Run(func() error { out = graphtest.Dump(Read(p)); return nil }); err != nil {
				t.Fatal(err)
			}
			return out
		}
		if a, b := dump(), dump(); a != b {
			t.Errorf("%s\n%s", a, b)
		}
	})
}
