package admission

import (
	"strings"
	"testing"
	"testing/synctest"
)

// reclaimed lists what was ended, in order; what is ended is released at once.
type reclaimed []string

func (r *reclaimed) end(name string, g *Grant) func() {
	return func() {
		*r = append(*r, name)
		g.Release()
	}
}

func TestSparesGoFirstThenWhatIsIdle(t *testing.T) {
	t.Parallel()
	l := newLedger(t, Options{Memory: 100})
	var ended reclaimed
	grants := map[string]*Grant{}
	for _, name := range []string{"busy", "idle late", "idle early", "spare late", "spare early"} {
		grants[name] = get(t, l, "a", 20)
	}
	grants["idle early"].Idle(ended.end("idle early", grants["idle early"]))
	grants["spare early"].Spare(ended.end("spare early", grants["spare early"]))
	grants["idle late"].Idle(ended.end("idle late", grants["idle late"]))
	grants["spare late"].Spare(ended.end("spare late", grants["spare late"]))
	for _, step := range []struct {
		bytes int64
		want  string
	}{
		{20, "spare early"},
		{10, "spare early,spare late"},
		{10, "spare early,spare late"}, // of the same 20
		{40, "spare early,spare late,idle early,idle late"},
	} {
		get(t, l, "b", step.bytes)
		if got := strings.Join(ended, ","); got != step.want {
			t.Errorf("for %d bytes: ended %s, want %s", step.bytes, got, step.want)
		}
	}
	if g, err := l.TryReserve(Request{Bytes: 1}); g != nil || err != nil {
		t.Error("what is in use was given away", err)
	}
}

func TestWhatIsUsedAgainIsNotEnded(t *testing.T) {
	t.Parallel()
	l := newLedger(t, Options{Memory: 100})
	g, h := get(t, l, "a", 50), get(t, l, "a", 50)
	var ended reclaimed
	g.Idle(ended.end("g", g))
	if !g.Claim() {
		t.Fatal("nobody had asked for it")
	}
	ends := 0
	h.Idle(func() { ends++ }) // and goes later
	for range 3 {             // what is being ended is enough for each
		if g, err := l.TryReserve(Request{Bytes: 50}); g != nil || err != nil {
			t.Fatal(g, err)
		}
	}
	if h.Claim() || ends != 1 || len(ended) > 0 {
		t.Errorf("ended %d times, %v", ends, ended)
	}
	h.Idle(func() { t.Error("ended again") })
	h.Release()
	if h.Claim() || !g.Claim() {
		t.Error("the released one was claimed, or the other was not")
	}
	get(t, l, "b", 50)
}

// What becomes idle while somebody waits is ended for him.
func TestWhatBecomesIdleWhileSomebodyWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLine(t, 100)
		g, h := get(t, l.Ledger, "a", 50), get(t, l.Ledger, "a", 50)
		var ended reclaimed
		l.wait("b", 40)
		l.wait("c", 30)
		g.Idle(ended.end("g", g))
		synctest.Wait()
		if len(ended) != 1 || l.grants["b"] == nil || l.grants["c"] != nil {
			t.Errorf("%v", ended)
		}
		h.Idle(ended.end("h", h))
		l.wg.Wait()
		if len(ended) != 2 {
			t.Errorf("%v", ended)
		}
	})
}
