package main

import (
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

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		got, want string
		f1        float64
	}{{"a b", "a b", 1}, {"a a", "a", 2.0 / 3}, {"", "", 1}, {"", "a", 0}, {"x", "a", 0}} {
		if v := compare(tokens(c.got), tokens(c.want)); v.f1 != c.f1 {
			t.Errorf("%q for %q: %v", c.got, c.want, v)
		}
	}
}
