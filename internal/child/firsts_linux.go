package child

import (
	"maps"
	"os"

	"golang.org/x/sys/unix"
)

// groups are the directories of the children, by the numbers of their process
// groups.
func (f *firsts) groups() map[int]string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.dirs)
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
	if f.dirs[p.pid] == "" {
		_, _ = unix.Wait4(p.pid, nil, unix.WNOHANG, nil) // it fails when it is done
	}
}
