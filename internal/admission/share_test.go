package admission

import (
	"testing"
	"testing/synctest"
	"time"
)

// Who has grown beyond the share of its project is ended for another that waits, and
// nobody else.
func TestWhoOutgrowsItsShare(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		grown    []int64 // what the grants of project a take, of which 20 are reserved each
		other    int64   // what project c has reserved
		project  string  // who asks
		bytes    int64
		ended    int
		admitted bool
	}{
		"alone":                           {grown: []int64{90}, project: "a", bytes: 20},
		"another waits":                   {grown: []int64{90}, project: "b", bytes: 20, ended: 1, admitted: true},
		"the largest":                     {grown: []int64{30, 60}, project: "b", bytes: 20, ended: 1, admitted: true},
		"as many as it takes":             {grown: []int64{30, 31, 32}, project: "b", bytes: 50, ended: 2, admitted: true},
		"what was reserved":               {grown: []int64{20, 20, 20, 20, 20}, project: "b", bytes: 20},
		"within its share":                {grown: []int64{30}, other: 60, project: "b", bytes: 20},
		"who waits would be over its own": {grown: []int64{90}, project: "b", bytes: 60},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				l := newLedger(t, Options{Memory: 100, Settle: time.Nanosecond, Wait: time.Minute})
				if test.other > 0 {
					get(t, l, "c", test.other).Outgrown(func() { t.Error("it takes what was reserved") })
				}
				ended := 0
				var all []*Grant
				for range test.grown {
					all = append(all, get(t, l, "a", 20))
				}
				time.Sleep(time.Second)
				for i, bytes := range test.grown {
					all[i].Outgrown(func() { ended++; all[i].Release() })
					all[i].Measured(bytes)
				}
				begun := time.Now()
				g, err := l.Reserve(t.Context(), Request{Project: test.project, Bytes: test.bytes})
				if (g != nil) != test.admitted || ended != test.ended {
					t.Errorf("admitted %v, %d ended: %v, %+v", g != nil, ended, err, l.State())
				}
				if waited := time.Since(begun); test.admitted && waited != 30*time.Second {
					t.Errorf("after %s", waited)
				}
			})
		})
	}
}

// A process is ended as a whole, by what it takes with its parts.
func TestAWholeThatOutgrowsItsShare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLedger(t, Options{Memory: 100, Settle: time.Nanosecond, Wait: time.Minute})
		process := get(t, l, "a", 20)
		tab, err := l.TryReserve(Request{Project: "a", Bytes: 10, Within: process})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		process.Measured(30)
		process.Outgrown(func() { tab.Release(); process.Release() })
		get(t, l, "b", 20).Measured(65)
		if _, err := l.Reserve(t.Context(), Request{Project: "c", Bytes: 20}); err == nil {
			t.Error("a process was ended that takes what was reserved")
		}
		process.Measured(80)
		if g, err := l.Reserve(t.Context(), Request{Project: "c", Bytes: 20}); err != nil {
			t.Error(g, err)
		}
	})
}
