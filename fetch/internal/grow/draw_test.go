package grow

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Rows are drawn as often as they matter, and stand for those that were not.
func TestRowsThatMatterAreDrawn(t *testing.T) {
	const rows = 20_000
	g := &grower{
		Settings: Settings{Sample: 0.1, Weighted: true},
		Lesson:   Lesson{Rows: make([]int32, rows)},
		slopes:   make([]slope, rows), random: rand.New(rand.NewPCG(1, 2)),
	}
	grad := float32(0)
	for i := range g.slopes {
		g.Rows[i] = int32(i)
		g.slopes[i] = slope{grad: 0.01, hess: 0.01}
		if i%100 == 0 {
			g.slopes[i] = slope{grad: 1, hess: 0.5}
		}
		grad += g.slopes[i].grad
	}
	seen, unseen := g.draw()
	if len(seen)+len(unseen) != rows || math.Abs(float64(len(seen))/rows-0.1) > 0.01 {
		t.Fatalf("%d seen and %d unseen", len(seen), len(unseen))
	}
	large, sum := 0, float32(0)
	for _, r := range seen {
		if r%100 == 0 {
			large++
		}
		sum += g.slopes[r].grad
	}
	if large != rows/100 || math.Abs(float64(sum/grad)-1) > 0.03 {
		t.Errorf("%d of %d rows that matter; they stand for %.2f of all", large, rows/100, sum/grad)
	}
}
