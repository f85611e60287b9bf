package cron

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// What is counted is what there is, one after the other.
func TestCount(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 18))
	for _, zone := range []string{"UTC", "Europe/Prague", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo", "Pacific/Apia", "Africa/Casablanca"} {
		in, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"* * * * *", "*/20 3 * * * *", "30 2 * * *", "0 0 L * *", "0 0 13 * FRI", "15,45 0-3 * * *", "0 0 29 2 *", "@yearly"} {
			e, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				after := time.Date(2011, 1, 1, 0, 0, r.IntN(365*24*3600), 0, time.UTC)
				until := after.Add(time.Duration(r.IntN(400*24*3600)) * time.Second)
				n, first, last := 0, time.Time{}, time.Time{}
				for at, ok := e.Next(after, in); ok && !at.After(until); at, ok = e.Next(at, in) {
					if n++; n == 1 {
						first = at
					}
					last = at
				}
				if got, a, b := e.Count(after, until, in); got != n || !a.Equal(first) || !b.Equal(last) {
					t.Errorf("%q in %s, %v to %v: %d from %v to %v, want %d from %v to %v", text, zone, after, until, got, a, b, n, first, last)
				}
			}
		}
	}
}

// Ten years of seconds are not counted one by one.
func TestManyAreCountedSoon(t *testing.T) {
	t.Parallel()
	e, err := Parse("* * * * * *")
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	after := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	if n, _, _ := e.Count(after, after.Add(3650*24*time.Hour), time.UTC); n != 3650*24*3600 {
		t.Errorf("%d", n)
	}
	if took := time.Since(begin); took > testlevel.Loaded(5*time.Second) {
		t.Errorf("took %v", took)
	}
}
