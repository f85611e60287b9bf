package retention_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/lifecycle"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/storagetest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shelf is what a rule is for: things, by the time since which they are there.
type shelf struct {
	things []time.Time
	broken error
}

func (s *shelf) first(context.Context, storage.Querier) (time.Time, error) {
	if len(s.things) == 0 {
		return time.Time{}, storage.ErrNoRow
	}
	return s.things[0], nil
}

// two deletes two at a time, so that more are left.
func (s *shelf) two(_ context.Context, before time.Time) (n int, err error) {
	for ; n < 2 && len(s.things) > 0 && !s.things[0].After(before) && s.broken == nil; n++ {
		s.things = s.things[1:]
	}
	return n, s.broken
}

// apply applies the rule once.
func apply(t *testing.T, r retention.Rule) (rest time.Duration) {
	t.Helper()
	var once lifecycle.Runner
	over := once.Stopped()
	if _, err := once.Start(t.Context(), func(run *lifecycle.Run) { rest = r.Apply(run) }); err != nil {
		t.Fatal(err)
	}
	<-over
	return rest
}

func TestRule(t *testing.T) {
	c := clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	var log strings.Builder
	s := &shelf{}
	rule := retention.Rule{
		Things: "things", Keep: 10 * time.Minute, First: s.first, Delete: s.two,
		DB: storagetest.Open(t), Clock: c, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}
	at := func(minutes int) time.Time { return c.Now().Add(time.Duration(minutes) * time.Minute) }
	for _, test := range []struct {
		name   string
		things []time.Time
		keep   time.Duration
		broken error
		left   int
		rest   time.Duration
	}{
		{name: "nothing", rest: 10 * time.Minute},
		{name: "all but one are due", things: []time.Time{at(-12), at(-11), at(-10), at(-7)}, left: 1, rest: 3 * time.Minute},
		{name: "none is due for a long time", things: []time.Time{at(0)}, keep: 24 * time.Hour, left: 1, rest: time.Hour},
		{name: "one is due at once", things: []time.Time{at(-10).Add(time.Millisecond)}, left: 1, rest: time.Second},
		{name: "for ever", things: []time.Time{at(-1e6)}, keep: -1, left: 1, rest: time.Hour},
		{name: "what fails is tried later", things: []time.Time{at(-12)}, broken: errors.New("full disk"), left: 1, rest: 10 * time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			log.Reset()
			*s = shelf{things: test.things, broken: test.broken}
			rule := rule
			if test.keep != 0 {
				rule.Keep = test.keep
			}
			if rest := apply(t, rule); rest != test.rest || len(s.things) != test.left {
				t.Errorf("looks again in %v, want %v; %d are left, want %d", rest, test.rest, len(s.things), test.left)
			}
			if said := strings.Contains(log.String(), "full disk"); said != (test.broken != nil) {
				t.Errorf("the log: %q", log.String())
			}
		})
	}
}

func TestFollow(t *testing.T) {
	c := clock.NewManual(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	s := &shelf{things: []time.Time{c.Now(), c.Now().Add(time.Minute)}}
	rule := retention.Rule{
		Things: "things", Keep: time.Hour, First: s.first, Delete: s.two,
		DB: storagetest.Open(t), Clock: c, Logger: slog.New(slog.DiscardHandler),
	}
	var r lifecycle.Runner
	if _, err := r.Start(t.Context(), rule.Follow); err != nil {
		t.Fatal(err)
	}
	for want := 1; want >= 0; want-- {
		c.WaitForTimers(1)
		c.Advance(time.Hour)
		c.WaitForTimers(1)
		if len(s.things) != want {
			t.Fatalf("%d are left, want %d", len(s.things), want)
		}
	}
	r.Stop(t.Context(), errors.New("over"))
}
