package forest

import (
	"math"
	"math/rand/v2"
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

// A grove says what its forest says, of any number of rows.
func TestAGroveSaysWhatItsForestSays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	f := &Forest{Base: 0.5}
	for range 20 {
		f.Trees = append(f.Trees, someTree(random, 1+random.IntN(5)))
	}
	g := NewGrove(f)
	for _, n := range []int{0, 1, 3, 4, 15, 16, 17, 70} {
		rows := make([][]float32, n)
		for i := range rows {
			rows[i] = []float32{random.Float32(), random.Float32(), float32(random.IntN(2))}
		}
		got := g.Probabilities(n, func(i int) []float32 { return rows[i] })
		for i, row := range rows {
			if want := f.Probability(row); math.Abs(float64(got[i]-want)) > 1e-6 {
				t.Fatalf("row %d of %d: %v, want %v", i, n, got[i], want)
			}
		}
	}
}

// someTree grows a tree in which some ways end early.
func someTree(random *rand.Rand, depth int) []Node {
	if depth == 0 || random.IntN(4) == 0 {
		return []Node{{Feature: Leaf, Value: random.Float32()}}
	}
	left, right := someTree(random, depth-1), someTree(random, depth-1)
	t := []Node{{Feature: int16(random.IntN(3)), Left: 1, Right: int16(1 + len(left)), Value: random.Float32()}}
	for i, below := range [][]Node{left, right} {
		for _, n := range below {
			if n.Feature != Leaf {
				n.Left += int16(1 + i*len(left))
				n.Right += int16(1 + i*len(left))
			}
			t = append(t, n)
		}
	}
	return t
}

func TestAGroveTakesNoDeepTrees(t *testing.T) {
	var deep []Node
	for i := range int16(MaxDepth + 1) {
		deep = append(deep, Node{Feature: 0, Left: i + 1, Right: i + 1})
	}
	deep = append(deep, Node{Feature: Leaf})
	defer func() {
		if recover() == nil {
			t.Error("a tree that is too deep is taken")
		}
	}()
	NewGrove(&Forest{Trees: [][]Node{deep}})
}
