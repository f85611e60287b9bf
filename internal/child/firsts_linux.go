package child

import (
	"os"

	"golang.org/x/sys/unix"
)

// roots are what the children are known by that have a first process: until it is
// reaped there can be others of the child, and afterwards there are none.
func (f *firsts) roots() roots {
	r := roots{groups: map[int]string{}, users: map[uint32]string{}, dirs: map[string]uint32{}}
	f.mu.Lock()
	defer f.mu.Unlock()
	for pid, p := range f.procs {
		r.groups[pid], r.dirs[p.dir] = p.dir, p.user()
	}
	return r
}

// user is whom a child runs as.
func (p *Process) user() uint32 {
	if u := p.spec.User; u != nil {
		return u.UID
	}
	return uint32(os.Getuid())
}

// reapStray takes the end of what this process has inherited as the first one of
// a container, or as a subreaper: nobody else does. First processes are for those
// who wait for them.
func (f *firsts) reapStray(p proc) {
	if !p.zombie || p.ppid != os.Getpid() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.procs[p.pid] == nil {
		_, _ = unix.Wait4(p.pid, nil, unix.WNOHANG, nil) // it fails when it is done
	}
}
