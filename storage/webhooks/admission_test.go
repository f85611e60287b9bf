package webhooks

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/drover-go/drover/internal/jobs"
	"github.com/drover-go/drover/internal/testlevel"
)

// begin reserves a place for a request of each share.
func (l *ledger) begin(shares ...string) (release func(), n int) {
	var all []func()
	for _, s := range shares {
		if r, err := l.Reserve(jobs.Job{Share: s}); err == nil {
			all = append(all, r)
		} else if !errors.Is(err, jobs.ErrNoRoom) {
			panic(err)
		}
	}
	return func() {
		for _, r := range all {
			r()
		}
	}, len(all)
}

func shares(name string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint(name, i))
	}
	return all
}

// A host gets one request until it answers, then as many as it may have, and one again once it
// does not.
func TestRequestsOfAHostAreBounded(t *testing.T) {
	t.Parallel()
	l := newLedger(Limits{MaxConcurrent: 100, PerHost: 4})
	ask := slices.Repeat([]string{"a"}, 10)
	expect := func(what string, want int) {
		t.Helper()
		release, n := l.begin(ask...)
		if full := l.Full(); n != want || !slices.Equal(full, []string{"a"}) {
			t.Errorf("%s: %d requests, full: %v", what, n, full)
		}
		release()
		if full := l.Full(); len(full) > 0 {
			t.Errorf("%s: still full: %v", what, full)
		}
	}
	expect("unknown", 1)
	l.report("a", true)
	expect("it answers", 4)
	l.report("a", false)
	expect("it does not", 1)
	l.report("a", true)
	expect("it does again", 4)
}

// What is dead or unknown leaves room for what answers.
func TestHostsThatDoNotAnswerLeaveRoom(t *testing.T) {
	t.Parallel()
	l := newLedger(Limits{MaxConcurrent: 100, PerHost: 4})
	for _, s := range shares("dead", 200) {
		l.report(s, false)
	}
	for _, s := range shares("good", 200) {
		l.report(s, true)
	}
	for _, c := range []struct {
		name string
		want int
	}{{"dead", 25}, {"new", 50}, {"good", 25}} {
		if _, n := l.begin(shares(c.name, 200)...); n != c.want {
			t.Errorf("%s: %d requests, want %d", c.name, n, c.want)
		}
	}
}

// However many hosts a project sends to, and whatever these do, others have room.
func TestProjectsLeaveRoom(t *testing.T) {
	t.Parallel()
	for name, report := range map[string]func(l *ledger, share string){
		"unproven": func(*ledger, string) {}, "failing": func(l *ledger, s string) { l.report(s, false) }, "slow": func(l *ledger, s string) { l.report(s, true) },
	} {
		l := newLedger(Limits{MaxConcurrent: 100, PerHost: 4})
		many := shares("greedy ", 200)
		for _, s := range many {
			report(l, s)
		}
		l.begin(slices.Repeat(many, 4)...)
		report(l, "other host")
		if _, n := l.begin("other host"); n != 1 {
			t.Errorf("%s: %v", name, l.busy)
		}
	}
}

// A request may be reported of while others of its host are under way.
func TestTheLedgerAddsUp(t *testing.T) {
	t.Parallel()
	l := newLedger(Limits{MaxConcurrent: 100, PerHost: 4})
	l.report("a", true)
	release, _ := l.begin("a", "a", "a", "b")
	l.report("a", false)
	l.report("b", true)
	if l.busy != (requests{failing: 3, answers: 1}) {
		t.Error(l.busy)
	}
	release()
	if l.busy != (requests{}) || *l.projects["a"] != (requests{}) {
		t.Error(l.busy)
	}
}

func TestSharesThatAreIdleAreForgotten(t *testing.T) {
	t.Parallel()
	l := newLedger(Limits{MaxConcurrent: 100, PerHost: 4})
	l.begin("busy")
	for _, s := range shares("x", 2*maxShares) {
		l.report(s, true)
	}
	if n := len(l.shares); n > maxShares || l.shares["busy"] == nil {
		t.Errorf("%d shares are remembered", n)
	}
}

// A hundred receivers that are dead delay nobody, as long as a request to them takes.
func TestDeadReceiversDelayNobody(t *testing.T) {
	t.Parallel()
	w, r := besideDead(t, setup{limits: Limits{MaxConcurrent: 8}}, 100)
	w.manyHappen(t, succeeded, 1)
	<-r.got // it has answered once: places that are left for those who do are its
	n := testlevel.Of(50, 200)
	w.manyHappen(t, "ACTOR.RUN.FAILED", testlevel.Of(1, 3))
	w.manyHappen(t, succeeded, n)
	for range n {
		<-r.got
	}
	for _, d := range w.dispatches(t) {
		if d.Event == "ACTOR.RUN.FAILED" && d.Status != Active {
			t.Errorf("%+v", d)
		}
	}
}
