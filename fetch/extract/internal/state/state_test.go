package state

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/graphtest"
	"github.com/drover-go/drover/fetch/extract/internal/page"
)

func read(p *page.Page) []*graph.Entity { return Read(p, Options{}) }

func TestGolden(t *testing.T) { graphtest.Golden(t, read) }

func TestLimits(t *testing.T) {
	block := `<script type="application/json">{"a":[` + strings.Repeat(`{"b":1},`, 1000) + `{}]}</script>`
	count := func(o Options) int {
		return strings.Count(graphtest.Dump(Read(graphtest.Parse(t, block), o)), "b: 1")
	}
	if all, some, none := count(Options{}), count(Options{MaxValues: 100}), count(Options{MaxBytes: 100}); all != 1000 || some < 40 || some > 50 || none != 0 {
		t.Errorf("%d, %d and %d values", all, some, none)
	}
}

func TestFlatDataThatRepeatsItself(t *testing.T) {
	// Each line holds the next one twice: written out it would be 2^40 values.
	flat := "[[1,1]"
	for i := range 40 {
		flat += strings.ReplaceAll(`,{"a":N,"b":N}`, "N", string(rune('0'+(i+2)/10))+string(rune('0'+(i+2)%10)))
	}
	flat = strings.ReplaceAll(strings.ReplaceAll(flat, ":0", ":"), ":,", ":0,")
	read(graphtest.Parse(t, `<script type="application/json" id="__NUXT_DATA__">`+flat+`,1]</script>`))
}

func TestWorkIsLinear(t *testing.T) {
	for _, piece := range []string{`window.a = {`, `window.a={"b":"`, `window.a=[1,`, `a=b;`, `{"a":`, `window.a=JSON.parse("`, `window.x={a:1,bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb:2};`} {
		for _, kind := range []string{"application/json", ""} {
			work := func(n int) int {
				p := graphtest.Parse(t, `<script type="`+kind+`">`+strings.Repeat(piece, n)+`</script>`)
				Read(p, Options{MaxValues: 1 << 30, MaxBytes: 1 << 30})
				return p.Meter.Taken()
			}
			if small, large := work(500), work(8000); large > 20*small {
				t.Errorf("%s: 16 times the size takes %d times the work", piece, large/small)
			}
		}
	}
}

func BenchmarkOneMegabyte(b *testing.B) {
	src := `<script>window.__STATE__={"items":[` + strings.Repeat(`{"id":12345,"name":"A thing of the shop","price":{"amount":"12.50","currency":"EUR"},"tags":["a","b"]},`, 10_000) + `{}]}</script>`
	p := graphtest.Parse(b, src)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Read(graphtest.Open(b, p.Doc), Options{})
	}
}

func FuzzRead(f *testing.F) {
	graphtest.Fuzz(f, read, `<script id="__NUXT_DATA__" type="application/json">[[1,0],{"a":2,"b":0},"x",["Reactive",1]]</script>`,
		`<script>window.__STATE__ = JSON.parse("{\\"a\\":1}"); self.x=[{b:'c',}]</script><script type="application/json">{"a":{"b":[1,null]</script>`)
}
