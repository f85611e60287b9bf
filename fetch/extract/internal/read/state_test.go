package read

import (
	"strings"
	"testing"

	"github.com/drover-go/drover/fetch/extract/internal/scripts"
)

func TestStateHasLimits(t *testing.T) {
	block := `<script type="application/json">{"a":[` + strings.Repeat(`{"b":1},`, 1000) + `{}]}</script>`
	count := func(o scripts.Options) int {
		return strings.Count(dumped(scripts.State(opened(t, block), o)), "b: 1")
	}
	if all, some, none := count(scripts.Options{}), count(scripts.Options{MaxValues: 100}), count(scripts.Options{MaxBytes: 100}); all != 1000 || some < 40 || some > 50 || none != 0 {
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
	forms["state"](opened(t, `<script type="application/json" id="__NUXT_DATA__">`+flat+`,1]</script>`))
}

func TestWorkOfScriptsIsLinear(t *testing.T) {
	for _, piece := range []string{`window.a = {`, `window.a={"b":"`, `window.a=[1,`, `a=b;`, `{"a":`, `window.a=JSON.parse("`, `window.x={a:1,bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb:2};`} {
		for _, kind := range []string{"application/json", ""} {
			work := func(n int) int {
				p := opened(t, `<script type="`+kind+`">`+strings.Repeat(piece, n)+`</script>`)
				scripts.State(p, scripts.Options{MaxValues: 1 << 30, MaxBytes: 1 << 30})
				return p.Meter.Taken()
			}
			if small, large := work(500), work(8000); large > 20*small {
				t.Errorf("%s: 16 times the size takes %d times the work", piece, large/small)
			}
		}
	}
}

func BenchmarkMegabyteOfState(b *testing.B) {
	src := `<script>window.__STATE__={"items":[` + strings.Repeat(`{"id":12345,"name":"A thing of the shop","price":{"amount":"12.50","currency":"EUR"},"tags":["a","b"]},`, 10_000) + `{}]}</script>`
	p := opened(b, src)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		scripts.State(openedTree(b, p.Doc), scripts.Options{})
	}
}
