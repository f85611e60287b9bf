package child

import (
	"os/exec"
	"runtime"
	"sync"
	"testing"
)

// Those who come before a look has begun have it together.
func TestManyShareALook(t *testing.T) {
	t.Parallel()
	f := newFamily(t.TempDir(), func([]byte) bool { return false }, newFirsts())
	none := func() roots { return roots{} }
	f.look(none, true)
	const callers = 20
	waiting := func() int {
		f.joining.Lock()
		defer f.joining.Unlock()
		if f.next == nil {
			return 0
		}
		return f.next.callers
	}
	var wg sync.WaitGroup
	f.mu.Lock() // as if a look went on
	before := f.looks
	for i := range callers {
		wg.Go(func() {
			if f.look(none, i == callers-1) == nil {
				t.Error("it found nothing")
			}
		})
	}
	for waiting() < callers {
		runtime.Gosched()
	}
	if !f.next.whole {
		t.Error("one of them wanted it to be whole")
	}
	f.mu.Unlock()
	wg.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := f.looks - before; n != 1 {
		t.Errorf("%d looks for %d callers", n, callers)
	}
}

// What a stranger was started with is read until it has settled, and no more.
func TestStrangersAreAskedOnce(t *testing.T) {
	t.Parallel()
	other := exec.Command("/bin/sleep", "600")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { other.Process.Kill(); other.Wait() }()
	f := newFamily(t.TempDir(), func([]byte) bool { return false }, newFirsts())
	asked := map[int]int{}
	f.environ = func(p proc) []byte { asked[p.pid]++; return readEnviron(p) }
	none := func() roots { return roots{} }
	pid := other.Process.Pid
	for f.strangers[pid] == (stranger{}) {
		f.look(none, true)
	}
	if asked[pid] < 2 {
		t.Error("it has not been given time to settle")
	}
	before := asked[pid]
	for range 2 * wholeEvery {
		f.look(none, true)
		f.look(none, false)
	}
	if n := asked[pid] - before; n > 0 {
		t.Errorf("it was asked %d times more", n)
	}
	f.strangers[pid] = stranger{start: 1} // one that had its number before
	if f.look(none, true); asked[pid] != before+1 {
		t.Error("another with its number is not asked")
	}
}
