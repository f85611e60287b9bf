package child

import (
	"os"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/drover-go/drover/internal/testlevel"
)

// A child that has been seen, and ends before its start has returned, is not
// taken for an inherited one: its end is for the one who waits for it.
func TestAnEndBeforeTheStartHasReturned(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Cgroup: noGroups, Every: time.Hour})
	in, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s, err := Spec{Path: "/bin/cat", Stdin: in}.checked()
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.enter(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.start(); err != nil {
		t.Fatal(err)
	}
	if seen := m.family.look(m.roots, true)[p.dir]; len(seen) != 1 {
		t.Errorf("seen: %+v", seen)
	}
	in.Close()
	end.Close()
	if err := unix.Waitid(unix.P_PID, p.proc.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	m.family.look(m.roots, true)
	m.begin(p)
	if e := p.Wait(); !e.OK() {
		t.Error(e)
	}
}

// Each end of many short children is told right, while others' ends look for what
// is left.
func TestShortChildren(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Cgroup: noGroups, Every: time.Millisecond})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range testlevel.Rounds(10, 500) {
				p, err := m.Start(Spec{Path: "/bin/true"})
				if err != nil {
					t.Error(err)
					return
				}
				if e := p.Wait(); !e.OK() {
					t.Error(e)
				}
			}
		})
	}
	wg.Wait()
}
