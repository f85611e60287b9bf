package jobs

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/drover-go/drover/errtypes"
)

var errBoom = errors.New("boom")

func TestJudge(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	soon := putBack{at: now.Add(time.Minute)}
	k := &kind{opts: KindOptions{Backoff: func(int) time.Duration { return time.Minute }}}
	snoozed := putBack{at: now.Add(time.Second), uncount: true, settle: true}
	for name, c := range map[string]struct {
		attempt int
		cause   error // of the context
		err     error // of the worker
		verdict verdict
		back    putBack
	}{
		"done":                          {verdict: remove},
		"failed":                        {err: errBoom, verdict: goOn, back: soon},
		"failed for the last time":      {attempt: 3, err: errBoom, verdict: exhaust},
		"failed beyond the last time":   {attempt: 4, err: errBoom, verdict: exhaust},
		"snoozed":                       {attempt: 3, err: fmt.Errorf("later: %w", Snooze(time.Second)), verdict: goOn, back: snoozed},
		"discarded":                     {err: fmt.Errorf("no: %w", Discard(errBoom)), verdict: exhaust},
		"done although canceled":        {cause: ErrCanceled, verdict: remove},
		"ended by the cancel":           {cause: ErrCanceled, err: fmt.Errorf("x: %w", context.Canceled), verdict: remove},
		"ended by the cause":            {cause: ErrCanceled, err: ErrCanceled, verdict: remove},
		"snoozed although canceled":     {cause: ErrCanceled, err: Snooze(0), verdict: remove},
		"failed although canceled":      {cause: ErrCanceled, err: errBoom, verdict: goOn, back: soon},
		"canceled error without cancel": {err: context.Canceled, verdict: goOn, back: soon},
		"done although stopping":        {cause: ErrStopping, verdict: remove},
		"cut off":                       {attempt: 3, cause: ErrStopping, err: context.Canceled, verdict: goOn, back: putBack{uncount: true}},
		"snoozed although stopping":     {cause: ErrStopping, err: Snooze(time.Second), verdict: goOn, back: snoozed},
		"discarded although stopping":   {cause: ErrStopping, err: Discard(errBoom), verdict: exhaust},
		"done without a lease":          {cause: ErrLeaseLost, verdict: forgone},
		"failed without a lease":        {cause: ErrLeaseLost, err: errBoom, verdict: forgone},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		if c.cause != nil {
			cancel(c.cause)
		}
		e := &execution{Job: Job{Attempt: max(1, c.attempt), MaxAttempts: 3}, kind: k, ctx: ctx, cancel: cancel}
		o := judge(e, c.err, now)
		if o.verdict != c.verdict || o.back != c.back {
			t.Errorf("%s: verdict %d %+v, want %d %+v", name, o.verdict, o.back, c.verdict, c.back)
		}
		cancel(nil)
	}
}

func TestDoomed(t *testing.T) {
	for _, c := range []struct {
		attempt int
		lost    bool
		want    bool
	}{{3, true, false}, {4, true, false}, {5, true, true}, {5, false, false}} {
		e := &execution{Job: Job{Attempt: c.attempt, MaxAttempts: 3, LeaseLost: c.lost}}
		if doomed := e.hopeless() != nil; doomed != c.want {
			t.Errorf("attempt %d of 3, lease lost %t: doomed %t", c.attempt, c.lost, doomed)
		}
	}
	if e := (&execution{never: errBoom}); e.hopeless() != errBoom {
		t.Error("a job that never fits is begun")
	}
}

func TestExponentialDoublesToItsLimitWithJitter(t *testing.T) {
	backoff := Exponential(time.Second, time.Minute)
	for attempt, most := range map[int]time.Duration{
		0: time.Second, 1: time.Second, 2: 2 * time.Second, 3: 4 * time.Second, 7: time.Minute, 1000: time.Minute,
	} {
		seen := map[time.Duration]bool{}
		for range 100 {
			d := backoff(attempt)
			if d < most/2 || d > most {
				t.Errorf("after attempt %d: %v, want %v to %v", attempt, d, most/2, most)
			}
			seen[d] = true
		}
		if len(seen) < 50 {
			t.Errorf("after attempt %d: %d different waits of 100", attempt, len(seen))
		}
	}
	if d := Exponential(0, 0)(5); d < 0 {
		t.Errorf("a backoff of nothing is %v", d)
	}
}

func TestDefaults(t *testing.T) {
	k := KindOptions{Workers: -1, MaxAttempts: -1}.withDefaults()
	if k.Workers != 4 || k.MaxAttempts != 5 || k.Backoff(1) > time.Second || k.Backoff(100) > 5*time.Minute {
		t.Errorf("%+v", k)
	}
	if in := (Insert{Kind: "k", Ref: "row"}).withDefaults(); in.Key != "row" {
		t.Errorf("%+v", in)
	}
}

func TestControlErrorsSayWhatTheyDo(t *testing.T) {
	if err := Discard(nil); err == nil || errors.Unwrap(err) == nil {
		t.Error("a discard without a cause has none")
	}
	if err := Discard(errtypes.Field("url", "is bad")); !errtypes.Is(err, errtypes.Invalid) {
		t.Error("a discard hides the kind of its cause")
	}
	var s *snoozeError
	if !errors.As(Snooze(-1), &s) || s.delay != 0 {
		t.Errorf("a negative snooze is %v", s)
	}
}

func TestRegisterRefusesFaultsOfTheProgram(t *testing.T) {
	work := func(context.Context, Job) error { return nil }
	for name, register := range map[string]func(*Queue){
		"no name":   func(q *Queue) { q.Register("", work, KindOptions{}) },
		"no worker": func(q *Queue) { q.Register("k", nil, KindOptions{}) },
		"twice":     func(q *Queue) { q.Register("k", work, KindOptions{}); q.Register("k", work, KindOptions{}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			register(&Queue{kinds: map[string]*kind{}})
		}()
	}
}

func TestEarlier(t *testing.T) {
	never, a := time.Time{}, time.Unix(1, 0)
	b := a.Add(1)
	for _, c := range [][3]time.Time{{never, never, never}, {a, never, a}, {never, a, a}, {a, b, a}, {b, a, a}} {
		if got := earlier(c[0], c[1]); !got.Equal(c[2]) {
			t.Errorf("earlier(%v, %v) = %v", c[0], c[1], got)
		}
	}
}
