package child

import (
	"time"

	"golang.org/x/sys/unix"
)

// A scan is one look at the table of processes. All who come before it has begun
// have it together: the ends of many children need no look each.
type scan struct {
	whole   bool
	callers int
	done    chan struct{}
	found   map[string][]proc // set when done is closed; nobody changes it
}

// look lists the processes of children by their directories, as they are after the
// call. Those that were nobody's it skips, unless it is to be whole: a look should
// take less time than a start, or it never finds who goes on starting others. The
// roots are asked for when it begins.
func (f *family) look(rootsNow func() roots, whole bool) map[string][]proc {
	s, first := f.join(whole)
	if !first {
		<-s.done
		return s.found
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	defer close(s.done)
	f.begin()
	s.found = f.scan(rootsNow(), s.whole)
	return s.found
}

// join enters the next scan, which the first one makes.
func (f *family) join(whole bool) (s *scan, first bool) {
	f.joining.Lock()
	defer f.joining.Unlock()
	if f.next == nil {
		f.next, first = &scan{done: make(chan struct{})}, true
	}
	f.next.callers++
	f.next.whole = f.next.whole || whole
	return f.next, first
}

// begin closes the next scan to those who come.
func (f *family) begin() {
	f.joining.Lock()
	defer f.joining.Unlock()
	f.next = nil
}

// A stranger is a process that says nothing of any child, and has been there for
// long enough to have said it. It is not asked again.
type stranger struct {
	start uint64
	user  uint32
}

// settled is after how long a process that has been started shows what it was
// started with.
const settled = time.Second

// isOld reports whether a process has settled.
func isOld(p proc) bool {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return false
	}
	return time.Duration(now.Nano())-time.Duration(p.start)*tick > settled
}

// isStrange reports whether a process is a known stranger.
func (f *family) isStrange(p proc) (user uint32, known bool) {
	s, known := f.strangers[p.pid]
	return s.user, known && s.start == p.start
}

// remember notes a stranger. Who shows no environment, because it cannot be read or
// is being replaced, is noted when it is nobody's for the second time.
func (s *sight) remember(p proc, environ []byte) {
	if !isOld(p) || len(environ) == 0 && !s.others[p.pid] {
		return
	}
	if user, ok := readUser(p.pid); ok {
		s.strange[p.pid] = stranger{p.start, user}
	}
}

// left reports whether a process is there that was seen to be a child's.
func (f *family) left(dir string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for k, owner := range f.owner {
		if owner != dir {
			continue
		}
		if p, ok := readProc(k.pid); ok && p.key == k && !p.zombie {
			return true
		}
	}
	return false
}
