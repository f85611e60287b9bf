package actors

import (
	"strings"
	"testing"
	"time"
)

// What an Actor asks for is the last of its prices that has begun.
func TestPricingAt(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC) }
	d := Details{Pricings: []Pricing{{Model: PricePerItem, StartedAt: at(2)}, {Model: PayPerEvent, StartedAt: at(4)}}}
	for day, want := range map[int]PricingModel{1: Free, 2: PricePerItem, 3: PricePerItem, 4: PayPerEvent, 9: PayPerEvent} {
		if got := d.PricingAt(at(day)).Model; got != want {
			t.Errorf("day %d: %s, want %s", day, got, want)
		}
	}
	if (Details{}).PricingAt(at(1)).forRun() != nil || d.PricingAt(at(3)).forRun() == nil {
		t.Error("a run is told of prices where there are none, or not where there are")
	}
}

// Prices that say no time are those of the time when they are saved, and keep their order.
func TestPricesAreStamped(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	given := []Pricing{{Model: Free, StartedAt: now.Add(-time.Hour), CreatedAt: now.Add(-time.Hour)}, {Model: Free}}
	all := stamped(given, now)
	if !all[1].StartedAt.Equal(now) || !all[1].CreatedAt.Equal(now) || !all[0].StartedAt.Equal(given[0].StartedAt) || !given[1].StartedAt.IsZero() {
		t.Errorf("%+v", all)
	}
	if err := validatePricings(all); err != nil {
		t.Error(err)
	}
	if err := validatePricings([]Pricing{all[1], all[0]}); err == nil || !strings.Contains(err.Error(), "order") {
		t.Error(err)
	}
}
