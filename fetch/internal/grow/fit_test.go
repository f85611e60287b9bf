package grow

import (
	"math/rand/v2"
	"testing"
)

// A forest learns what no single question tells: that one of two is true.
func TestForestsLearn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const rows = 2000
	values := make([][3]float32, rows)
	l := Lesson{Want: make([]float32, rows), Weight: make([]float32, rows)}
	for i := range values {
		a, b := random.Float32(), random.Float32()
		if (a > 0.5) != (b > 0.5) {
			l.Want[i] = 1
		}
		values[i] = [3]float32{a, b, random.Float32()}
		l.Weight[i] = 1
		l.Rows = append(l.Rows, int32(i))
	}
	l.Columns = NewColumns(3, rows, func(r, f int) float32 { return values[r][f] })
	s := Settings{Trees: 40, Depth: 3, Rate: 0.3, Sample: 0.8, Features: 1, Lambda: 1, Minimum: 1, Seed: 1}
	f := Fit(l, s)
	wrong := 0
	for i := range values {
		if (f.Margin(values[i][:]) > 0) != (l.Want[i] > 0.5) {
			wrong++
		}
	}
	if wrong > 40 {
		t.Errorf("%d of %d are wrong", wrong, rows)
	}
	if again := Fit(l, s); again.Margin(values[0][:]) != f.Margin(values[0][:]) {
		t.Error("the same examples grow another forest")
	}
}
