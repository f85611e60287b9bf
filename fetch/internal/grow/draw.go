package grow

import "math"

// draw parts the rows into those that the next tree sees and the others.
func (g *grower) draw() (seen, unseen []int32) {
	seen = make([]int32, 0, int(1.1*g.Sample*float64(len(g.Rows))))
	unseen = make([]int32, 0, len(g.Rows))
	whole := 0.0 // the importance from which on a row is always seen
	if g.Weighted {
		whole = g.threshold()
	}
	for _, r := range g.Rows {
		share := g.Sample
		if g.Weighted {
			share = 1
			if i := g.slopes[r].importance(); i < whole {
				share = max(i/whole, 1e-3)
			}
		}
		if g.random.Float64() >= share {
			unseen = append(unseen, r)
			continue
		}
		seen = append(seen, r)
		if g.Weighted && share < 1 { // it stands for those that were not drawn
			g.slopes[r].grad /= float32(share)
			g.slopes[r].hess /= float32(share)
		}
	}
	return seen, unseen
}

// importance is how much a row moves the sums that splits are chosen by.
func (s slope) importance() float64 {
	return math.Sqrt(float64(s.grad*s.grad) + float64(s.hess*s.hess))
}

// threshold returns the importance for which a share of about Sample of the
// rows is drawn, each with its importance by the threshold, at most 1.
func (g *grower) threshold() float64 {
	var some []float64
	low, high := 0.0, 0.0
	for i := 0; i < len(g.Rows); i += len(g.Rows)/20_000 + 1 {
		v := g.slopes[g.Rows[i]].importance()
		some = append(some, v)
		high += v
	}
	want := g.Sample * float64(len(some))
	high /= min(want, 1)
	for range 40 {
		mid := (low + high) / 2
		drawn := 0.0
		for _, v := range some {
			drawn += min(v/mid, 1)
		}
		if drawn > want {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
