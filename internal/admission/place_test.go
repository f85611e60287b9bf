package admission

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/clock"
)

// One that does not wait in a call has its turn beside those who come and go and
// of whom there is always one that waits.
func TestAPlaceAmongThoseWhoWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, 1024)
		var browsers []*Grant
		for range 7 {
			browsers = append(browsers, get(t, l.Ledger, "b", 130))
		}
		told := 0
		p, err := l.Await(Request{Project: "jobs", Bytes: 512}, func() { told++ })
		if err != nil || p.Take() != nil {
			t.Fatal(err)
		}
		rounds := 0
		for ; told == 0 && rounds < 100; rounds++ {
			l.wait("b", 130)
			l.release(browsers[0])
			browsers = browsers[1:]
			if g := l.grants["b"]; g != nil {
				browsers = append(browsers, g)
				delete(l.grants, "b")
			}
		}
		if rounds > 14 { // two generations
			t.Errorf("its turn came after %d others had ended", rounds)
		}
		g := p.Take()
		if g == nil || g.Bytes() != 512 || told != 1 || p.Take() != nil {
			t.Errorf("%+v, told %d times", g, told)
		}
		p.Leave()
		if g.Release(); l.State().Held != 0 {
			t.Errorf("%+v", l.State())
		}
		for _, g := range browsers {
			g.Release()
		}
		l.end()
	})
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	l := newLedger(t, Options{Memory: 100})
	told := 0
	await := func(bytes int64) *Place {
		t.Helper()
		p, err := l.Await(Request{Bytes: bytes}, func() { told++ })
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := await(60)
	if told != 1 {
		t.Error("there is room at once")
	}
	second, third := await(70), await(80)
	second.Leave()
	second.Leave()
	first.Leave() // with what was found for it
	if second.Take() != nil || first.Take() != nil || told != 2 {
		t.Errorf("told %d times", told)
	}
	third.Leave()
	if s := l.State(); s != (State{Total: 100}) {
		t.Errorf("%+v", s)
	}
	if _, err := l.Await(Request{Bytes: 101}, nil); !errtypes.Is(err, errtypes.Unavailable) {
		t.Error(err)
	}
}

// Memory that is measured goes up and down. Nothing comes free for good by that,
// and all that is free stays others'.
func TestMeasuresThatGoUpAndDown(t *testing.T) {
	t.Parallel()
	c := clock.NewManual(time.Unix(1000, 0))
	l := newLedger(t, Options{Memory: 1000, Settle: time.Second, Clock: c})
	all := []*Grant{get(t, l, "a", 100)}
	huge, err := l.Await(Request{Project: "huge", Bytes: 950}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 { // they come later than the one that waits, which counts on them
		all = append(all, get(t, l, "a", 100))
	}
	c.Advance(time.Minute)
	all[0].Measured(40)
	for range 20 {
		for _, g := range all[1:] {
			g.Measured(130)
			g.Measured(100)
		}
	}
	if s := l.State(); s.Held > 60/2+30/2 {
		t.Errorf("%+v", s)
	}
	get(t, l, "b", 100).Release()
	huge.Leave()
	for _, g := range all {
		g.Release()
	}
}
