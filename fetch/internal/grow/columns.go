// Package grow grows the forests of package forest from rows of features with the
// answers that they should give. Only commands and tests link it.
package grow

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// bins is how many ranges the values of a feature are told apart by.
const bins = 64

// Columns are the features of many rows, each value replaced by the number of
// the range it lies in. They are made once and serve every forest that is grown
// on some of the rows.
type Columns struct {
	edges [][]float32 // of each feature, ascending; a value up to edges[i] is in range i
	bins  [][]uint8   // of each feature, by row
}

func (c *Columns) Width() int { return len(c.bins) }

// And returns the features of c followed by those of o.
func (c *Columns) And(o *Columns) *Columns {
	return &Columns{edges: slices.Concat(c.edges, o.edges), bins: slices.Concat(c.bins, o.bins)}
}

// NewColumns reads width features of the rows from a function.
func NewColumns(width, rows int, value func(row, feature int) float32) *Columns {
	c := &Columns{edges: make([][]float32, width), bins: make([][]uint8, width)}
	Parallel(width, func(f int) {
		column := make([]float32, rows)
		for r := range column {
			column[r] = value(r, f)
		}
		c.edges[f] = edgesOf(column)
		c.bins[f] = make([]uint8, rows)
		for r, v := range column {
			at, _ := slices.BinarySearch(c.edges[f], v)
			c.bins[f][r] = uint8(at)
		}
	})
	return c
}

// edgesOf parts values into ranges that hold about as many each.
func edgesOf(column []float32) []float32 {
	sample := make([]float32, 0, 20_000)
	for r := 0; r < len(column); r += max(len(column)/20_000, 1) {
		sample = append(sample, column[r])
	}
	slices.Sort(sample)
	distinct := slices.Compact(slices.Clone(sample))
	var edges []float32
	if len(distinct) > bins {
		for b := 1; b < bins; b++ {
			edges = append(edges, sample[len(sample)*b/bins])
		}
		return slices.Compact(edges)
	}
	for i := 1; i < len(distinct); i++ {
		edges = append(edges, (distinct[i-1]+distinct[i])/2)
	}
	return edges
}

// Parallel calls do for the numbers below n, on as many threads as there are.
func Parallel(n int, do func(int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wg.Wait()
}
