package retention_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/retention"
	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/blob"
	"github.com/drover-go/drover/storage/storagetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

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

func TestRule(t *testing.T) {
	c := clock.NewManual(noon)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
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
			var log strings.Builder
			s := &shelf{things: test.things, broken: test.broken}
			k := retention.NewKeeper(storagetest.Open(t), retention.Options{Clock: c, Logger: slog.New(slog.NewTextHandler(&log, nil))})
			if test.keep == 0 {
				test.keep = 10 * time.Minute
			}
			k.Register(retention.Rule{Things: "things", Keep: test.keep, First: s.first, Delete: s.two})
			if rest := k.Do(t.Context()); rest != test.rest || len(s.things) != test.left {
				t.Errorf("looks again in %v, want %v; %d are left, want %d", rest, test.rest, len(s.things), test.left)
			}
			if said := strings.Contains(log.String(), "full disk"); said != (test.broken != nil) {
				t.Errorf("the log: %q", log.String())
			}
		})
	}
}

// A keeper does each task when it is due, also those that come later.
func TestKeeper(t *testing.T) {
	c := clock.NewManual(noon)
	k := retention.NewKeeper(storagetest.Open(t), retention.Options{Clock: c})
	blobs := blob.NewMemory(c)
	if _, err := blobs.Put(t.Context(), strings.NewReader("lost"), 0); err != nil {
		t.Fatal(err)
	}
	left := func() (n int) {
		for range blobs.All(t.Context()) {
			n++
		}
		return n
	}
	s := &shelf{things: []time.Time{noon, noon.Add(time.Minute)}}
	k.Register(
		retention.Rule{Things: "things", Keep: time.Hour, First: s.first, Delete: s.two},
		retention.Orphans{Things: "things", Blobs: blobs, Columns: retention.Columns{"downloads.blob"}},
	)
	if err := errors.Join(k.Start(t.Context()), k.Start(t.Context())); err != nil {
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
	if left() != 1 {
		t.Error("a blob was deleted too early")
	}
	for range 5 {
		c.Advance(time.Hour)
		c.WaitForTimers(1)
	}
	if left() != 0 {
		t.Error("a blob that no row names is left")
	}
	swept := make(chan int, 10)
	n := 0
	k.Register(retention.Sweep{Things: "things", Run: func(context.Context) error {
		n++
		swept <- n
		return errors.New("not all")
	}})
	<-swept
	k.Sweep()
	<-swept
	if err := errors.Join(k.Close(), k.Close()); err != nil {
		t.Error(err)
	}
	k.Sweep()
	if len(swept) > 0 {
		t.Error("it sweeps although it is closed")
	}
}

// What is under way when the keeper is closed is broken off.
func TestCloseBreaksOff(t *testing.T) {
	k := retention.NewKeeper(storagetest.Open(t), retention.Options{})
	begun := make(chan struct{})
	k.Register(retention.Sweep{Things: "things", Run: func(ctx context.Context) error {
		close(begun)
		<-ctx.Done()
		return ctx.Err()
	}})
	if err := k.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-begun
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}

func TestNoKeeper(t *testing.T) {
	var k *retention.Keeper
	k.Register(retention.Rule{})
	k.Sweep()
}
