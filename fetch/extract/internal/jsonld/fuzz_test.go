package jsonld

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graphtest"
)

// broken are blocks as pages have them: with what no JSON has, and with what
// JSON-LD can say in more than one way.
var broken = []string{
	`{"@context":{"a":{"@id":"b","@container":"@language"},"r":{"@reverse":"p"}},"@graph":[{"@id":"x","@type":["A"],"a":{"en":"t"},"r":{"@id":"x"}}]}`,
	`[{"@type":"A","@id":"_:b","p":{"@id":"_:b"}},{"@value":1},{"@list":[{"@set":["x &amp;"]}],"@included":[{}],"@nest":{"@reverse":{"q":[{"@type":"B"}]}}}]`,
	"//<![CDATA[\n{\"@type\":\"A\",/* c */\"name\":\"a\tb\nc\",};\n//]]>",
	`{&quot;@type&quot;:&quot;A&quot;,&quot;name&quot;:&quot;b &amp; c&quot;}`,
	`{"@type":"A"}{"@type":"B"};[{"@type":"C"},]`, `{'@type':'A',name:"it "is" so"}`, `{"@type":"A","name":"cut`, `{"@id":"a","b":{"@id":"c"}},{"@id":"c","b":{"@id":"a"}}`,
}

// FuzzRead holds that no block does harm, and that the same block gives the
// same things twice.
func FuzzRead(f *testing.F) {
	graphtest.Fuzz(f, Read, `<script type="application/ld+json">`+strings.Join(broken, `</script><script type="application/ld+json">`)+`</script>`)
}

// FuzzBlock is [FuzzRead] for what stands in one block.
func FuzzBlock(f *testing.F) {
	for _, seed := range broken {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, block string) {
		if len(block) > 1<<16 || strings.Contains(block, "<") {
			return
		}
		p := graphtest.Parse(t, `<script type="application/ld+json">`+block+`</script>`)
		if err := p.Meter.Run(func() error { graphtest.Dump(Read(p)); return nil }); err != nil {
			t.Fatal(err)
		}
	})
}
