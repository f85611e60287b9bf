package testlevel

import "testing"

func TestLevels(t *testing.T) {
	for _, c := range []struct {
		full, torture string
		isFull        bool
		rounds        int
	}{
		{"", "", false, 1},
		{"1", "", true, 3},
		{"", "50", true, 50},
		{"1", "50", true, 50},
		{"", "many", false, 1},
	} {
		t.Setenv(fullVariable, c.full)
		t.Setenv(tortureVariable, c.torture)
		if Full() != c.isFull || Rounds(1, 3) != c.rounds || Torture() != (c.rounds == 50) {
			t.Errorf("%+v: full %v, %d rounds, torture %v", c, Full(), Rounds(1, 3), Torture())
		}
		if got := Of("some", "all"); (got == "all") != c.isFull {
			t.Errorf("%+v: %s", c, got)
		}
		skipped := t.Run("long", func(t *testing.T) {
			t.Cleanup(func() {
				if t.Skipped() == c.isFull {
					t.Errorf("%+v: skipped %v", c, t.Skipped())
				}
			})
			Long(t, "it says why")
		})
		if !skipped {
			t.Errorf("%+v", c)
		}
	}
}
