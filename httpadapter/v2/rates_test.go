package v2

import (
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/runs/actors/platform"
)

func TestRatesComeBackWithTime(t *testing.T) {
	t.Parallel()
	now := clock.NewManual(time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC))
	r := newRates(Rates{}.WithDefaults(), now)
	of := counted{project: "p", object: "/v2/datasets/a"}
	for i, want := range []bool{true, true, false} {
		if got := r.take(of, 2, 2); got != want {
			t.Errorf("request %d: %t", i, got)
		}
	}
	if !r.take(counted{project: "q", object: of.object}, 2, 2) || !r.take(counted{project: "p", object: "/v2/datasets/b"}, 2, 2) {
		t.Error("another project or object has nothing left")
	}
	now.Advance(500 * time.Millisecond)
	if !r.take(of, 2, 2) || r.take(of, 2, 2) {
		t.Error("half a second later there is one more, and no two")
	}
}

func TestNoLimit(t *testing.T) {
	t.Parallel()
	r := newRates(Rates{PerSecond: -1}.WithDefaults(), clock.System())
	for range 1000 {
		if most := r.most.of(platform.OneObject); !r.take(counted{}, rate.Limit(most), most) {
			t.Fatal("limited")
		}
	}
}

func TestWhatIsNotAskedForIsForgotten(t *testing.T) {
	t.Parallel()
	now := clock.NewManual(time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC))
	r := newRates(Rates{}.WithDefaults(), now)
	for i := range 3 * maxCounted {
		r.take(counted{object: time.Duration(i).String()}, 1, 1)
		now.Advance(time.Millisecond)
	}
	if n := len(r.limiters); n > maxCounted+1 {
		t.Errorf("%d are remembered", n)
	}
}

func TestWhatAPathIsAbout(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/v2/datasets":                 "/v2/datasets",
		"/v2/datasets/a":               "/v2/datasets/a",
		"/v2/datasets/a/items":         "/v2/datasets/a",
		"/v2/actor-tasks/a~b/run-sync": "/v2/actor-tasks/a~b",
	} {
		if got := objectOf(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
