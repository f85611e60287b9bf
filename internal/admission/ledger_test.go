package admission

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/machine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newLedger(t *testing.T, o Options) *Ledger {
	t.Helper()
	l, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// get reserves what must have room.
func get(t *testing.T, l *Ledger, project string, bytes int64) *Grant {
	t.Helper()
	g, err := l.TryReserve(Request{Project: project, Bytes: bytes})
	if g == nil || err != nil {
		t.Fatalf("no room for %d bytes: %v, %+v", bytes, err, l.State())
	}
	return g
}

func used(t *testing.T, l *Ledger, want int64) {
	t.Helper()
	if got := l.State().Used; got != want {
		t.Errorf("%d bytes are in use, want %d", got, want)
	}
}

func TestWhatAGrantCounts(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(0, 0))
	l := newLedger(t, Options{Memory: 1000, Settle: 10 * time.Second, Clock: c})
	g := get(t, l, "a", 100)
	used(t, l, 100)
	g.Measured(30)
	used(t, l, 100) // young: it has not grown yet
	g.Measured(150)
	used(t, l, 150)
	g.Measured(120)
	used(t, l, 120)
	c.Advance(10 * time.Second)
	g.Measured(30)
	used(t, l, 30)
	if g.Bytes() != 30 || g.Project() != "a" {
		t.Errorf("%d bytes of %q", g.Bytes(), g.Project())
	}
	g.Release()
	g.Release()
	g.Measured(500)
	used(t, l, 0)
	if s := l.State(); s != (State{Total: 1000}) {
		t.Errorf("%+v", s)
	}
}

// A process and its parts count together what was measured.
func TestPartsOfAProcess(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(0, 0))
	l := newLedger(t, Options{Memory: 1000, Settle: 10 * time.Second, Clock: c})
	part := func(g *Grant) *Grant {
		t.Helper()
		p, err := l.TryReserve(Request{Bytes: 50, Within: g})
		if p == nil || err != nil {
			t.Fatal(err)
		}
		return p
	}
	g, other := get(t, l, "a", 100), get(t, l, "b", 100)
	first := part(g)
	part(other) // which is not measured here
	c.Advance(10 * time.Second)
	g.Measured(230)
	used(t, l, 230+150)
	second := part(g)
	g.Measured(240) // the new part has not grown yet
	used(t, l, 240+50+150)
	c.Advance(10 * time.Second)
	g.Measured(290)
	used(t, l, 290+150)
	g.Measured(70) // less than was reserved for the parts
	used(t, l, 100+150)
	spare := false
	second.Spare(func() { spare = true })
	g.Measured(1000)
	if !spare {
		t.Error("a part that is a spare is not ended where memory is short")
	}
	second.Release()
	first.Release()
	g.Measured(120)
	used(t, l, 120+150)
	g.Release()
	used(t, l, 150)
}

// Parts that come and go count within what is measured, though none gets old.
func TestShortPartsAreNotCountedTwice(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(0, 0))
	l := newLedger(t, Options{Memory: 1000, Settle: 10 * time.Second, Clock: c})
	g := get(t, l, "a", 100)
	c.Advance(time.Minute)
	for range 5 {
		p, err := l.TryReserve(Request{Bytes: 50, Within: g})
		if p == nil || err != nil {
			t.Fatal(err)
		}
		c.Advance(5 * time.Second)
		g.Measured(150)
		used(t, l, 150)
		p.Release()
		g.Measured(100)
		used(t, l, 100)
	}
}

func TestMemoryThatGrowsBeyondTheTotal(t *testing.T) {
	t.Parallel()
	l := newLedger(t, Options{Memory: 100})
	g, idle := get(t, l, "a", 50), get(t, l, "a", 30)
	ended := false
	idle.Idle(func() { ended = true })
	g.Measured(120)
	if !ended {
		t.Error("what is idle was not ended")
	}
	if h, err := l.TryReserve(Request{Bytes: 1}); h != nil || err != nil {
		t.Errorf("%v, %v", h, err)
	}
	idle.Release()
	g.Measured(80)
	get(t, l, "b", 20)
}

func TestRequestsThatCannotBe(t *testing.T) {
	t.Parallel()
	l := newLedger(t, Options{Memory: 100})
	for _, n := range []int64{0, -1} {
		if _, err := l.Reserve(t.Context(), Request{Bytes: n}); !errtypes.Is(err, errtypes.Invalid) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	_, err := l.Reserve(t.Context(), Request{Bytes: 101})
	if !errtypes.Is(err, errtypes.Unavailable) || strings.ContainsAny(errtypes.Public(err).Message, "0123456789") {
		t.Error(err)
	}
	if _, err := l.TryReserve(Request{Bytes: 101}); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
	if _, err := New(Options{Memory: -1}); !errtypes.Is(err, errtypes.Invalid) {
		t.Error(err)
	}
}

// On a small machine what is larger than the default total runs alone.
func TestTheDefaultTotal(t *testing.T) {
	t.Parallel()
	l := newLedger(t, Options{})
	total := l.State().Total
	if all := machine.Memory(); total != machine.Unlimited && total != all-all/4 {
		t.Fatalf("%d of %d bytes", total, all)
	}
	if total == machine.Unlimited {
		t.Skip("SKIPPED: this system does not tell its memory")
	}
	g := get(t, l, "", 2*total)
	used(t, l, total)
	g.Release()
}

func TestHowAWaitEnds(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	synctest.Test(t, func(t *testing.T) {
		l := newLedger(t, Options{Memory: 100, Wait: time.Minute})
		g := get(t, l, "a", 60)
		begun := time.Now()
		_, err := l.Reserve(t.Context(), Request{Bytes: 50})
		if text := errtypes.Public(err).Message; !errtypes.Is(err, errtypes.Unavailable) || strings.ContainsAny(text, "0123456789") {
			t.Error(err)
		}
		if d := time.Since(begun); d != time.Minute {
			t.Errorf("waited for %s", d)
		}
		if _, err := l.Reserve(t.Context(), Request{Bytes: 50, Wait: -1}); !errtypes.Is(err, errtypes.Unavailable) || time.Since(begun) != time.Minute {
			t.Error(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		go cancel(boom)
		if _, err := l.Reserve(ctx, Request{Bytes: 50}); !errors.Is(err, boom) {
			t.Error(err)
		}
		if s := l.State(); s.Waiting != 0 || s.Held != 0 || s.Grants != 1 {
			t.Errorf("%+v", s)
		}
		time.AfterFunc(time.Second, g.Release)
		if _, err := l.Reserve(t.Context(), Request{Bytes: 50}); err != nil {
			t.Error(err)
		}
	})
}

func TestWhoTriesIsToldOfRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLedger(t, Options{Memory: 100})
		g, h := get(t, l, "a", 60), get(t, l, "b", 40)
		told := 0
		remove := l.OnFree(func() { told++ })
		if g, err := l.TryReserve(Request{Bytes: 10}); g != nil || err != nil || told != 0 {
			t.Fatalf("%v, %v, told %d times", g, err, told)
		}
		h.Release()
		if told != 1 {
			t.Errorf("told %d times", told)
		}
		get(t, l, "a", 40)
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := l.Reserve(t.Context(), Request{Bytes: 60}); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		g.Release() // all of it goes to who waits
		wg.Wait()
		if told != 1 {
			t.Errorf("told %d times", told)
		}
		remove()
	})
}

// A crowd reserves, grows, idles and is canceled; nothing is lost or counted
// twice.
func TestACrowd(t *testing.T) {
	t.Parallel()
	l := newLedger(t, Options{Memory: 1000, Settle: time.Nanosecond})
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(i)))
			for range 200 {
				crowded(t, l, r)
			}
		})
	}
	wg.Wait()
	if s := l.State(); s != (State{Total: 1000}) || l.ending != 0 || len(l.served) != 0 {
		t.Errorf("left: %+v, %d being ended, %d projects", s, l.ending, len(l.served))
	}
}

func crowded(t *testing.T, l *Ledger, r *rand.Rand) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if r.IntN(4) == 0 {
		cancel()
	}
	g, err := l.Reserve(ctx, Request{Project: string(rune('a' + r.IntN(4))), Bytes: 1 + r.Int64N(300)})
	if err != nil {
		return
	}
	defer g.Release()
	g.Measured(1 + r.Int64N(200))
	if s := l.State(); s.Held > s.Total {
		t.Errorf("%+v", s)
	}
	if r.IntN(2) == 0 {
		g.Idle(g.Release)
		g.Claim()
	}
}
