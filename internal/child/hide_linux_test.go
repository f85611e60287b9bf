package child

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// endThreads ends threads of this process: those that goroutines are locked to
// which end.
func endThreads(n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(runtime.LockOSThread)
	}
	wg.Wait()
}

// hidden starts a child that clears its environment and leaves its parent, and
// returns it with the one that hides.
func hidden(t *testing.T, m *Manager, u *User) (p *player, fd int) {
	t.Helper()
	s := part("orphans", "first", "at once")
	s.User, s.Grace = u, time.Millisecond
	if u != nil {
		s.Path = reachableProgram(t)
	}
	p = start(t, m, s)
	p.everybody(3)
	p.says("ready")
	fds := p.holds()
	return p, fds[2]
}

// A control group ends what has hidden.
func TestWhoHidesFromAControlGroup(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Every: time.Hour})
	needsGroups(t, m, "")
	p, fd := hidden(t, m, nil)
	p.ended(p.Stop(nil), Stopped, -1)
	if !hasEnded(t, fd, 0) {
		t.Error("it has got away")
	}
}

// A user that is the child's alone ends what has hidden, also of a dead host.
func TestWhoHidesFromAUser(t *testing.T) {
	t.Parallel()
	u := otherUser(t)
	m := open(t, Options{TempDir: reachable(t), Cgroup: noGroups, Every: time.Hour})
	p, fd := hidden(t, m, u)
	if _, err := m.Start(Spec{Path: os.Args[0], User: u}); err == nil {
		t.Error("two children have a user for themselves alone")
	}
	endLeft(Options{Clock: m.opts.Clock, Names: m.opts.Names, Logger: m.opts.Logger}, dirOf(t, m), m.firsts)
	if !hasEnded(t, fd, 0) {
		t.Error("it has got away from the next host")
	}
	p.Wait()
	p, fd = hidden(t, m, u)
	p.ended(p.Stop(nil), Stopped, -1)
	if !hasEnded(t, fd, 0) {
		t.Error("it has got away")
	}
}

// Who was seen while a parent of his was known stays known.
func TestWhoWasSeenBeforeItHid(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Cgroup: noGroups, Every: time.Hour})
	s := part("orphans", "first", "asked")
	s.Grace = time.Millisecond
	p := start(t, m, s)
	p.everybody(3)
	fds := p.holds()
	if known := m.family.look(m.roots, true)[p.Dir()]; len(known) != 3 {
		t.Fatalf("%d processes are known: %+v", len(known), known)
	}
	if err := unix.PidfdSendSignal(fds[1], unix.SIGTERM, nil, 0); err != nil {
		t.Fatal(err)
	}
	if !hasEnded(t, fds[1], time.Minute) {
		t.Fatal("the one between does not leave")
	}
	p.ended(p.Stop(nil), Stopped, -1)
	if !hasEnded(t, fds[2], 0) {
		t.Error("it has got away")
	}
}

func TestAnotherUser(t *testing.T) {
	t.Parallel()
	u := otherUser(t)
	m := open(t, Options{TempDir: reachable(t)})
	s := part("shows")
	s.Path = reachableProgram(t)
	s.User = &User{UID: u.UID, GID: u.GID}
	s.Prepare = func(dir string, _ *Spec) error { return os.Mkdir(dir+"/sub", 0o700) }
	p := start(t, m, s)
	if got := p.says("user "); got != fmt.Sprint(u.UID, " ", u.GID) {
		t.Errorf("it is %s", got)
	}
	p.ended(p.Wait(), Exited, 0)
}

// otherUsers counts the users that tests of this process were given.
var otherUsers atomic.Uint32

// otherUser is one that nobody else has: tests that shared one would find, and end,
// each other's processes. Only root can start something as it.
func otherUser(t *testing.T) *User {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root starts processes of other users")
	}
	return &User{UID: 1_900_000_000 + 100*uint32(os.Getpid()) + otherUsers.Add(1), GID: 1_900_000_000, Exclusive: true}
}

// reachable is a temporary directory that others can enter.
func reachable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "drover-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

// reachableProgram is this program where others can start it.
func reachableProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(reachable(t), "child.test")
	if os.Link(os.Args[0], path) == nil {
		return path
	}
	program, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(path, program, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
