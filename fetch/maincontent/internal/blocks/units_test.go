package blocks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const prose = "<p>one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen</p>"

func TestTablesAndCodeAreJudgedAsOne(t *testing.T) {
	for name, c := range map[string]struct {
		page         string
		likely, want []float32
	}{
		"a table":   {prose + "<table><tr><td>a b<td>c</table>", []float32{1, 0, 1}, []float32{1, 0.375, 0.375}},
		"code":      {prose + "<pre><div>a</div><div>b</div></pre>", []float32{0, 0, 1}, []float32{0, 0.5, 0.5}},
		"no unit":   {prose + "<div><div>a</div><div>b</div></div>", []float32{0, 0, 1}, []float32{0, 0, 1}},
		"a layout":  {"<table><tr><td>a b c d<td>c</table>", []float32{0, 1}, []float32{0, 1}},
		"a head":    {"<table><tr><th>a b<td>c</table>", []float32{0, 1}, []float32{0.375, 0.375}},
		"in tables": {prose + "<table><tr><td>a<td><table><tr><td>b<td>c</table></table>", []float32{1, 1, 0, 1}, []float32{1, 1, 0.5, 0.5}},
	} {
		if diff := cmp.Diff(c.want, read(t, c.page).Together(c.likely)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// feature returns the first feature of a name, of the block that begins so.
func feature(t *testing.T, p *Page, begins, name string) float32 {
	t.Helper()
	m := p.Features()
	for i, text := range textsOf(p) {
		if !strings.HasPrefix(text, begins) {
			continue
		}
		for f, n := range p.Names() {
			if n == name {
				return m.First(i)[f]
			}
		}
	}
	t.Fatalf("no feature %q of %q", name, begins)
	return 0
}

func TestBlocksKnowTheHeadingsAboveThem(t *testing.T) {
	p := read(t, "<h1>Glue</h1><p>text<h2>Reviews</h2><h3>Good</h3><p>stars<h2>Care</h2><p>wipe")
	for begins, want := range map[string]float32{"text": 0, "stars": 1, "wipe": 0} {
		if got := feature(t, p, begins, "outer heading review"); got != want {
			t.Errorf("%s: %v under reviews, want %v", begins, got, want)
		}
	}
	for begins, want := range map[string]float32{"text": -1, "stars": 2, "wipe": 4} {
		if got := feature(t, p, begins, "since reviews"); got != want {
			t.Errorf("%s: %v since reviews, want %v", begins, got, want)
		}
	}
}

func TestBlocksKnowWhatThePagesDataSays(t *testing.T) {
	p := read(t, `<script type="application/ld+json">{"description":"A bench made of ash wood"}</script>
		<meta name="description" content="Benches and more"><p>A bench made of ash<p>A stool made of oak<p>Benches and more`)
	for begins, want := range map[string]float32{"A bench": 1, "A stool": 0, "Benches": 0} {
		if got := feature(t, p, begins, "in data"); got != want {
			t.Errorf("%s: %v in data, want %v", begins, got, want)
		}
	}
	if got := feature(t, p, "Benches", "in summary"); got != 1 {
		t.Errorf("%v in summary, want 1", got)
	}
}
