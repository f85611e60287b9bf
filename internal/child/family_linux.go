package child

import (
	"bytes"
	"errors"
	"strings"
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

	mu     sync.Mutex
	owner  map[key]string // of those that are a child's
	others map[int]bool   // those that are nobody's here, by their numbers
	looks  int
}

func newFamily(dir string, names func([]byte) bool, firsts *firsts) *family {
	return &family{dir: dir, names: names, firsts: firsts, owner: map[key]string{}, others: map[int]bool{}}
}

// roots are what else than markers tells whose a process is: the groups of
// children that run, and users that are a child's alone.
type roots struct {
	groups map[int]string
	users  map[uint32]string
}

// wholeEvery is how often a look goes over those that were nobody's, too: a
// number can be another's by then.
const wholeEvery = 16

// look lists the processes of children by their directories. Those that were
// nobody's it skips, unless it is to be whole: a look should take less time than
// a start, or it never finds who goes on starting others. The roots are asked for
// when it begins.
func (f *family) look(rootsNow func() roots, whole bool) map[string][]proc {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := rootsNow()
	whole = whole || f.looks%wholeEvery == 0
	f.looks++
	procs, skipped := readTable(func(pid int) bool { return !whole && f.others[pid] && r.groups[pid] == "" })
	owner, parent, others := make(map[key]string), make(map[int]proc), make(map[int]bool)
	for _, p := range procs {
		parent[p.pid] = p
		if whose := f.ownerOf(p, r); whose != "" {
			owner[p.key] = whose
		}
	}
	for _, pid := range skipped {
		others[pid] = true
	}
	found := map[string][]proc{}
	for _, p := range procs {
		whose := inherited(p, parent, owner)
		if whose == "" {
			others[p.pid] = true
			continue
		}
		owner[p.key] = whose
		found[whose] = append(found[whose], p)
		f.firsts.reapStray(p)
	}
	f.owner, f.others = owner, others
	return found
}

// ownerOf tells whose a process is by what it shows itself.
func (f *family) ownerOf(p proc, r roots) string {
	if known := f.owner[p.key]; known != "" {
		return known
	}
	if whose := r.groups[p.pgid]; whose != "" {
		return whose
	}
	if dir := f.marked(readEnviron(p)); dir != "" {
		return dir
	}
	if len(r.users) > 0 {
		if uid, ok := readUser(p.pid); ok && r.users[uid] != "" {
			return r.users[uid]
		}
	}
	if command := readCommand(p); bytes.Contains(command, []byte(f.dir)) && f.names(command) {
		return f.below(string(command), " =")
	}
	return ""
}

// inherited tells whose a process is by those that it comes from.
func inherited(p proc, parent map[int]proc, owner map[key]string) string {
	for range len(parent) { // a table that changes while it is read can have rings
		if whose := owner[p.key]; whose != "" {
			return whose
		}
		above, ok := parent[p.ppid]
		if !ok || above.pid == p.pid {
			return ""
		}
		p = above
	}
	return ""
}

// marked returns the directory that a marker names in an environment.
func (f *family) marked(environ []byte) string {
	for entry := range bytes.SplitSeq(environ, []byte{0}) {
		if value, ok := bytes.CutPrefix(entry, []byte(markerName+"=")); ok {
			if dir := f.below(string(value), markerSeparator); dir != "" {
				return dir
			}
		}
	}
	return ""
}

// below finds the directory of a child that a text names, at its beginning or
// behind one of the separators.
func (f *family) below(text, separators string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], f.dir+"/")
		if i < 0 {
			return ""
		}
		begin := from + i
		from = begin + len(f.dir) + 1
		if begin > 0 && !strings.ContainsRune(separators, rune(text[begin-1])) {
			continue
		}
		id := text[from:]
		if end := strings.IndexFunc(id, func(c rune) bool { return c < '0' || c > '9' }); end >= 0 {
			id = id[:end]
		}
		if id != "" {
			return f.dir + "/" + id
		}
	}
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
			timer := c.NewTimer(rest)
			<-timer.C()
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
