package child

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// PIDs returns the numbers of the child's processes that run, its first one's among
// them: all of them where they have a control group or a user of their own, else those
// that are found. It takes some ten microseconds in a control group, else the time of a
// look at the table of processes.
func (p *Process) PIDs() (pids []int) {
	if pids, ok := p.group.pids(); ok {
		return pids
	}
	for _, q := range p.m.family.look(p.m.roots, false)[p.dir] {
		if !q.zombie {
			pids = append(pids, q.pid)
		}
	}
	return pids
}

// pids are the processes of the group, but for those that only wait to be reaped.
func (g *group) pids() (pids []int, ok bool) {
	if g == nil {
		return nil, false
	}
	list, err := os.ReadFile(filepath.Join(g.dir, "cgroup.procs"))
	for line := range strings.Lines(string(list)) {
		if pid, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, err == nil
}
