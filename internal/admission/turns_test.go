package admission

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A line is who waits, and who was admitted, in order.
type line struct {
	t *testing.T
	*Ledger
	wg sync.WaitGroup

	mu       sync.Mutex
	admitted []string
	grants   map[string]*Grant
}

func newLine(t *testing.T, memory int64) *line {
	return &line{t: t, Ledger: newLedger(t, Options{Memory: memory, Wait: time.Hour}), grants: map[string]*Grant{}}
}

// wait makes a request wait behind those that do; its project is the first
// letter of its name.
func (l *line) wait(name string, bytes int64) {
	l.wg.Go(func() {
		g, err := l.Reserve(l.t.Context(), Request{Project: name[:1], Bytes: bytes})
		if err != nil {
			l.t.Errorf("%s: %v", name, err)
			return
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.admitted, l.grants[name] = append(l.admitted, name), g
	})
	synctest.Wait()
}

// release gives back what somebody has, and returns who was admitted for it.
func (l *line) release(g *Grant) string {
	before := len(l.admitted)
	g.Release()
	synctest.Wait()
	slices.Sort(l.admitted[before:])
	return strings.Join(l.admitted[before:], " ")
}

// end has nobody wait any more.
func (l *line) end() {
	for l.State().Waiting > 0 {
		l.mu.Lock()
		all := l.grants
		l.grants = map[string]*Grant{}
		l.mu.Unlock()
		for _, g := range all {
			g.Release()
		}
		synctest.Wait()
	}
	l.wg.Wait()
}

func TestProjectsTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, 6)
		var first []*Grant
		for range 6 {
			first = append(first, get(t, l.Ledger, "z", 1))
		}
		for _, name := range []string{"a1", "a2", "a3", "a4", "b1", "b2", "c1"} {
			l.wait(name, 1)
		}
		for i, want := range []string{"a1", "b1", "c1", "a2", "b2", "a3"} {
			if got := l.release(first[i]); got != want {
				t.Errorf("admitted %q, want %s", got, want)
			}
		}
		l.end()
	})
}

// Small requests pass a huge one, and half of what they give back is held for it.
func TestAHugeRequestAmongSmallOnes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, 100)
		var small []*Grant
		for range 10 {
			small = append(small, get(t, l.Ledger, "s", 10))
		}
		l.wait("huge", 60)
		rounds := 0
		for ; l.grants["huge"] == nil && rounds < 100; rounds++ {
			l.wait(fmt.Sprintf("small %d", rounds), 10)
			l.release(small[0])
			small = small[1:]
			for name, g := range l.grants {
				if name != "huge" {
					small = append(small, g)
					delete(l.grants, name)
				}
			}
		}
		if rounds > 12 { // 60 bytes are held when 120 came free
			t.Errorf("the huge one was admitted after %d small ones had ended", rounds)
		}
		if got := len(l.admitted) - 1; got < rounds/2-1 {
			t.Errorf("%d small ones were admitted meanwhile: they have the other half", got)
		}
		for _, g := range small {
			g.Release()
		}
		l.end()
	})
}

// A small request neither waits for a huge one, nor takes what is held for it.
func TestWhatIsHeld(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, 100)
		g, h := get(t, l.Ledger, "s", 40), get(t, l.Ledger, "s", 30)
		l.wait("huge", 70)
		first := get(t, l.Ledger, "a", 30) // nothing is held yet
		if got := l.release(g); got != "" || l.State().Held != 20 {
			t.Errorf("%s, %+v", got, l.State())
		}
		if g, err := l.TryReserve(Request{Project: "a", Bytes: 21}); g != nil || err != nil {
			t.Error("what is held was given away", err)
		}
		g = get(t, l.Ledger, "a", 20)
		h.Measured(50) // and grows into what is held
		if s := l.State(); s.Held != 0 || s.Used != 100 {
			t.Errorf("%+v", s)
		}
		h.Release()
		if s := l.State(); s.Held != 35 { // half of 50 and of 20, of which 20 were taken again
			t.Errorf("%+v", s)
		}
		l.wait("small", 20)
		if s := l.State(); s.Held != 35 || s.Waiting != 2 {
			t.Errorf("%+v", s)
		}
		if got := l.release(g); got != "huge" {
			t.Errorf("%s, %+v", got, l.State())
		}
		first.Release()
		l.end()
	})
}

// Nothing is held for one that cannot have it: who was there before stays, and
// others come and go in what is left.
func TestOneThatDoesNotFitBesideThoseBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, 10)
		browser := get(t, l.Ledger, "browser", 6)
		l.wait("huge", 5)
		for range 20 {
			get(t, l.Ledger, "a", 2).Release()
			get(t, l.Ledger, "b", 4).Release()
		}
		if got := l.release(browser); got != "huge" {
			t.Errorf("%s, %+v", got, l.State())
		}
		l.end()
	})
}

// What is held in vain is free again after a time.
func TestWhatIsHeldInVain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, 10)
		l.opts.Wait = time.Minute
		before := get(t, l.Ledger, "before", 5)
		p, err := l.Await(Request{Project: "huge", Bytes: 8}, func() {})
		if err != nil {
			t.Fatal(err)
		}
		stays := get(t, l.Ledger, "stays", 3)
		if l.release(before); l.State().Held != 3 {
			t.Errorf("%+v", l.State())
		}
		if g, _ := l.TryReserve(Request{Project: "c", Bytes: 5}); g != nil {
			t.Error("what is held was given away")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := l.State(); s.Held != 0 || s.Waiting != 1 {
			t.Errorf("%+v", s)
		}
		for range 10 {
			get(t, l.Ledger, "c", 5).Release()
		}
		stays.Release()
		p.Leave()
		l.end()
	})
}

// What is held for one that gives up is everybody's.
func TestWhatWasHeldForOneThatGaveUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLedger(t, Options{Memory: 100})
		g := get(t, l, "s", 50)
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := l.Reserve(t.Context(), Request{Bytes: 90, Wait: time.Second}); err == nil {
				t.Error("there was no room")
			}
		})
		synctest.Wait()
		h := get(t, l, "s", 50)
		g.Release()
		wg.Go(func() {
			begun := time.Now()
			if _, err := l.Reserve(t.Context(), Request{Project: "b", Bytes: 50, Wait: time.Hour}); err != nil || time.Since(begun) != time.Second {
				t.Error(err, time.Since(begun))
			}
		})
		wg.Wait()
		h.Release()
		if s := l.State(); s.Held != 0 || s.Used != 50 {
			t.Errorf("%+v", s)
		}
	})
}
