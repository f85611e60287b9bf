package child

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/drover-go/drover/internal/clock"
)

// A family finds the processes of the children whose directories are in dir. It
// remembers whose each process was, so that one which it has seen once stays
// known whatever it does.
type family struct {
	dir    string
	names  func(cmdline []byte) bool
	firsts *firsts // of this host

	environ func(proc) []byte // of a process

	joining sync.Mutex
	next    *scan // that has not begun; nil for none

	mu        sync.Mutex
	owner     map[key]string   // of those that are a child's
	others    map[int]bool     // those that are nobody's here, by their numbers
	strangers map[int]stranger // of them, those that need not be asked again
	looks     int
}

func newFamily(dir string, names func([]byte) bool, firsts *firsts) *family {
	return &family{dir: dir, names: names, firsts: firsts, environ: readEnviron, owner: map[key]string{}, others: map[int]bool{}}
}

// wholeEvery is how often a look goes over those that were nobody's, too: a
// number can be another's by then.
const wholeEvery = 16

// scan looks once. The lock is held.
func (f *family) scan(r roots, whole bool) map[string][]proc {
	whole = whole || f.looks%wholeEvery == 0
	f.looks++
	procs, skipped := readTable(func(pid int) bool { return !whole && f.others[pid] && r.groups[pid] == "" })
	now := &sight{family: f, roots: r, procs: make(map[int]proc, len(procs)), owner: make(map[key]string, len(procs)), strange: map[int]stranger{}}
	for _, p := range procs {
		now.procs[p.pid] = p
	}
	owner, others, found := map[key]string{}, map[int]bool{}, map[string][]proc{}
	for _, pid := range skipped {
		others[pid] = true
		if known, ok := f.strangers[pid]; ok {
			now.strange[pid] = known
		}
	}
	for _, p := range procs {
		whose := now.whose(p)
		if whose == "" {
			others[p.pid] = true
			continue
		}
		owner[p.key] = whose
		found[whose] = append(found[whose], p)
		f.firsts.reapStray(p)
	}
	f.owner, f.others, f.strangers = owner, others, now.strange
	return found
}

const (
	firstPause = 2 * time.Millisecond
	lastPause  = 50 * time.Millisecond
	endLimit   = 10 * time.Second
)

// end kills all processes of children that are meant, looking again until none
// is left, because a process may fork as it is ended. It returns how many it has
// ended, and how many it could not: what waits for a device cannot be killed.
func (f *family) end(c clock.Clock, meant func(dir string) bool, r func() roots) (ended, unended int) {
	deadline := c.Now().Add(endLimit)
	found := map[key]bool{}
	rest, whole := firstPause, true
	for {
		left := f.livingOf(meant, r, whole)
		if len(left) == 0 && whole || c.Now().After(deadline) {
			return len(found) - len(left), len(left)
		}
		before := len(found)
		for _, p := range left {
			found[p.key] = true
			kill(p)
		}
		if whole = len(left) == 0; !whole && len(found) == before { // they only need time
			_ = clock.Sleep(context.Background(), c, rest)
			rest = min(2*rest, lastPause)
		}
	}
}

func (f *family) livingOf(meant func(dir string) bool, r func() roots, whole bool) (left []proc) {
	for dir, procs := range f.look(r, whole) {
		for _, p := range procs {
			if meant(dir) && !p.zombie {
				left = append(left, p)
			}
		}
	}
	return left
}

// kill kills a process, and no other that has its number meanwhile.
func kill(p proc) {
	fd, err := unix.PidfdOpen(p.pid, 0)
	if errors.Is(err, unix.ENOSYS) || errors.Is(err, unix.EPERM) {
		_ = syscall.Kill(p.pid, syscall.SIGKILL) // an old kernel, or a filter
		return
	}
	if err != nil {
		return // it has gone
	}
	defer unix.Close(fd)
	if now, ok := readProc(p.pid); ok && now.start == p.start {
		_ = unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) // whoever is left is found again
	}
}
