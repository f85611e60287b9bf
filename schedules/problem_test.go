package schedules

import (
	"slices"
	"testing"
	"time"
)

// Several slots of an action are skipped in one turn.
func TestSkipsOfOneTurnAreCounted(t *testing.T) {
	t.Parallel()
	for down, want := range map[int][]int{6: {3}, 7: {3, 6}, 8: {3, 6}} {
		w := open(t, Limits{Skips: 3})
		w.make(t, "* * * * *", func(c *Create) { c.Parallel, c.CatchUp = false, CatchUpAll })
		w.after(t, time.Duration(down)*time.Minute)
		var got []int
		for _, p := range w.problems {
			got = append(got, p.Skips)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d slots: told at %v, want %v", down, got, want)
		}
	}
}
