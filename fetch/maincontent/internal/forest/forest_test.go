package forest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

var sample = []*Forest{{Base: -1, Trees: [][]Node{
	{{Feature: 1, Left: 1, Right: 2, Value: 0.5}, {Feature: Leaf, Value: 2}, {Feature: Leaf, Value: -2}},
	{{Feature: Leaf, Value: 0.25}},
}}, {Base: 3}}

func TestMargin(t *testing.T) {
	for row, want := range map[[2]float32]float32{{0, 0.5}: 1.25, {9, 0.6}: -2.75} {
		if got := sample[0].Margin(row[:]); got != want {
			t.Errorf("%v: %v, want %v", row, got, want)
		}
	}
	if p := sample[1].Probability(nil); p < 0.95 || p > 0.96 {
		t.Error(p)
	}
}

func TestDecodeReadsWhatEncodeWrote(t *testing.T) {
	got, err := Decode(Encode(sample))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample, got); diff != "" {
		t.Error(diff)
	}
}

func TestBrokenEncodingsAreRefused(t *testing.T) {
	whole := Encode(sample)
	for n := range whole {
		if _, err := Decode(whole[:n]); err == nil {
			t.Errorf("%d of %d bytes are read", n, len(whole))
		}
	}
	loop := Encode([]*Forest{{Trees: [][]Node{{{Feature: 0, Left: 1, Right: 0}, {Feature: Leaf}}}}})
	if _, err := Decode(loop); err == nil {
		t.Error("a tree that goes in circles is read")
	}
}
