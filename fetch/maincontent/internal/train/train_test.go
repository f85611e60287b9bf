package main

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func split2(s string) [][]string {
	var out [][]string
	for l := range strings.SplitSeq(s, "\n") {
		out = append(out, tokens(l))
	}
	return out
}

func TestLabelsFollowTheAnswer(t *testing.T) {
	blocks := split2("Home\nNews and home\nThe harbour froze in January\nIce\nRead more news here\nNothing moved on the water\nHome")
	got := label(blocks, tokens("The harbour froze in January. Ice. Nothing moved on the water."))
	for i, want := range []float32{0, 0, 1, 1, 0, 1, 0} {
		if got[i] != want {
			t.Errorf("block %d %q: %v, want %v", i, blocks[i], got[i], want)
		}
	}
}

func TestBlocksInAnotherOrderAreFound(t *testing.T) {
	blocks := split2("one two three four five six seven\neight nine ten eleven twelve thirteen fourteen fifteen")
	got := label(blocks, tokens("eight nine ten eleven twelve thirteen fourteen fifteen one two three four five six seven"))
	if got[0] != 1 || got[1] != 1 {
		t.Error(got)
	}
}

func TestF1(t *testing.T) {
	for _, c := range []struct {
		got, want string
		f1        float64
	}{{"a b", "a b", 1}, {"a a", "a", 2.0 / 3}, {"", "", 1}, {"", "a", 0}, {"x", "a", 0}} {
		if v := f1(tokens(c.got), tokens(c.want)); v != c.f1 {
			t.Errorf("%q for %q: %v", c.got, c.want, v)
		}
	}
}

// A forest learns what no single question tells: that one of two is true.
func TestForestsLearn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const rows = 2000
	values := make([][3]float32, rows)
	l := lesson{want: make([]float32, rows), weight: make([]float32, rows)}
	for i := range values {
		a, b := random.Float32(), random.Float32()
		if (a > 0.5) != (b > 0.5) {
			l.want[i] = 1
		}
		values[i] = [3]float32{a, b, random.Float32()}
		l.weight[i] = 1
		l.rows = append(l.rows, int32(i))
	}
	l.columns = newColumns(3, rows, func(r, f int) float32 { return values[r][f] })
	s := settings{trees: 40, depth: 3, rate: 0.3, sample: 0.8, features: 1, lambda: 1, minimum: 1, seed: 1}
	f := fit(l, s)
	wrong := 0
	for i := range values {
		if (f.Margin(values[i][:]) > 0) != (l.want[i] > 0.5) {
			wrong++
		}
	}
	if wrong > 40 {
		t.Errorf("%d of %d are wrong", wrong, rows)
	}
	if again := fit(l, s); again.Margin(values[0][:]) != f.Margin(values[0][:]) {
		t.Error("the same examples grow another forest")
	}
}
