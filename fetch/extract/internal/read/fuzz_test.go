package read

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/scripts"
)

// broken are blocks of JSON-LD as pages have them: with what no JSON has, and with
// what JSON-LD can say in more than one way.
var broken = []string{
	`{"@context":{"a":{"@id":"b","@container":"@language"},"r":{"@reverse":"p"}},"@graph":[{"@id":"x","@type":["A"],"a":{"en":"t"},"r":{"@id":"x"}}]}`,
	`[{"@type":"A","@id":"_:b","p":{"@id":"_:b"}},{"@value":1},{"@list":[{"@set":["x &amp;"]}],"@included":[{}],"@nest":{"@reverse":{"q":[{"@type":"B"}]}}}]`,
	"//<![CDATA[\n{\"@type\":\"A\",/* c */\"name\":\"a\tb\nc\",};\n//]]>",
	`{&quot;@type&quot;:&quot;A&quot;,&quot;name&quot;:&quot;b &amp; c&quot;}`,
	`{"@type":"A"}{"@type":"B"};[{"@type":"C"},]`, `{'@type':'A',name:"it "is" so"}`, `{"@type":"A","name":"cut`, `{"@id":"a","b":{"@id":"c"}},{"@id":"c","b":{"@id":"a"}}`,
}

func FuzzJSONLD(f *testing.F) {
	fuzz(f, "jsonld", `<script type="application/ld+json">`+strings.Join(broken, `</script><script type="application/ld+json">`)+`</script>`)
}

// FuzzBlock is [FuzzJSONLD] for what stands in one block.
func FuzzBlock(f *testing.F) {
	for _, seed := range broken {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, block string) {
		if len(block) > maxFuzzed || strings.Contains(block, "<") {
			return
		}
		dumpOf(t, `<script type="application/ld+json">`+block+`</script>`, scripts.JSONLD)
	})
}

func FuzzMicrodata(f *testing.F) {
	fuzz(f, "microdata", `<div itemscope itemref="a b"><p itemprop=x id=a>y</p></div><div id=b itemprop=z itemscope itemref=a>`,
		`<p itemprop=a><div itemscope itemid=":" itemtype="A B"><meta itemprop="a b"><time itemprop=c datetime><object itemprop=d data="//">`)
}

func FuzzRDFa(f *testing.F) {
	fuzz(f, "rdfa", `<div typeof=A about="#a"><p property=x resource="#a">y</p></div><div about="#b" property=z typeof=B>`,
		`<html vocab=v prefix="a: b: c"><p property="a:x b:y" content datatype><a rel=a:z href=":"><img property=i src>`)
}

func FuzzMicroformats(f *testing.F) {
	fuzz(f, "microformats", `<div class="h-entry h-feed"><p class="p-name u-url dt-start e-content">x<div class="p-author h-card vcard"><b class="value-title" title="t"><img alt=a src=b>`)
}

func FuzzState(f *testing.F) {
	fuzz(f, "state", `<script id="__NUXT_DATA__" type="application/json">[[1,0],{"a":2,"b":0},"x",["Reactive",1]]</script>`,
		`<script>window.__STATE__ = JSON.parse("{\\"a\\":1}"); self.x=[{b:'c',}]</script><script type="application/json">{"a":{"b":[1,null]</script>`)
}

// maxFuzzed is the size in bytes above which a page teaches a fuzz test nothing.
const maxFuzzed = 1 << 16

// fuzz holds that any page can be read for a form within the limits, and gives the
// same things twice. Its corpus begins with the golden pages of the form.
func fuzz(f *testing.F, form string, seeds ...string) {
	read := forms[form]
	for _, seed := range append(seeds, goldenPages(f, form)...) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > maxFuzzed {
			return
		}
		if a, b := dumpOf(t, src, read), dumpOf(t, src, read); a != b {
			t.Errorf("%s\n%s", a, b)
		}
	})
}

func dumpOf(t *testing.T, src string, read func(*page.Page) []*graph.Entity) (out string) {
	p := opened(t, src)
	if err := p.Meter.Run(func() error { out = dumped(read(p)); return nil }); err != nil {
		t.Fatal(err)
	}
	return out
}

func goldenPages(f *testing.F, form string) (pages []string) {
	files, err := filepath.Glob(filepath.Join("testdata", form+"-*.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range txtar.Parse(data).Files {
			if strings.HasSuffix(part.Name, ".html") {
				pages = append(pages, string(part.Data))
			}
		}
	}
	return pages
}
