// Package forest is a sum of decision trees, the model that fetch tells things
// apart with: content from the rest, one field's value from another's. It only
// asks; package grow makes the trees.
package forest

import "math"

// A Node asks whether a feature is at most a threshold. Left and Right are
// indexes within the tree; a leaf has none and holds a value.
type Node struct {
	Feature     int16
	Left, Right int16
	// Value is the threshold, or what the leaf adds.
	Value float32
}

// Leaf is the Feature of a leaf.
const Leaf = -1

// A Forest is what its trees say together, in log odds.
type Forest struct {
	Base  float32
	Trees [][]Node
}

// Margin returns the log odds for a row of features.
func (f *Forest) Margin(row []float32) float32 {
	sum := f.Base
	for _, t := range f.Trees {
		n := &t[0]
		for n.Feature != Leaf {
			if row[n.Feature] <= n.Value {
				n = &t[n.Left]
			} else {
				n = &t[n.Right]
			}
		}
		sum += n.Value
	}
	return sum
}

// Probability returns what the forest says as a number from 0 to 1.
func (f *Forest) Probability(row []float32) float32 { return Logistic(f.Margin(row)) }

// Logistic turns log odds into a probability.
func Logistic(margin float32) float32 { return float32(1 / (1 + math.Exp(-float64(margin)))) }
