package machine

import (
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

const (
	ownGroups   = "/proc/self/cgroup"
	ownMounts   = "/proc/self/mountinfo"
	groupsMount = "/sys/fs/cgroup"
)

func groupRoom() int64 { return leastOf(ownGroups, groupsMount, accounts.roomOf) }

func groupLimit() int64 { return leastOf(ownGroups, groupsMount, accounts.limitOf) }

func physicalMemory() int64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return Unlimited
	}
	return int64(min(uint64(info.Totalram)*uint64(info.Unit), math.MaxInt64))
}

// accounts are the files in which a version of control groups keeps its books.
type accounts struct {
	limit, usage string
	// idle is, in memory.stat, what the group uses for files of disks that
	// nobody has read lately: it is given up for what is needed.
	idle string
}

var (
	version1 = accounts{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}
	version2 = accounts{"memory.max", "memory.current", "inactive_file"}
)

// leastOf reads the groups from a file such as /proc/self/cgroup, lines of
// "number:controllers:path", looks them up where they are mounted, and returns
// the least that is said of any of them.
func leastOf(groups, mount string, figure func(a accounts, dir string) int64) int64 {
	list, err := os.ReadFile(groups)
	if err != nil {
		return Unlimited
	}
	least := Unlimited
	for line := range strings.Lines(string(list)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(f) < 3:
		case f[0] == "0" && f[1] == "":
			least = min(least, version2.upwards(mount, f[2], figure))
		case slices.Contains(strings.Split(f[1], ","), "memory"):
			least = min(least, version1.upwards(path.Join(mount, "memory"), f[2], figure))
		}
	}
	return least
}

// upwards is the least of a group and those above it. In a container the path
// can be one outside of it, of which only the top is seen.
func (a accounts) upwards(mount, group string, figure func(accounts, string) int64) int64 {
	least := Unlimited
	for at := path.Join("/", group); ; at = path.Dir(at) {
		least = min(least, figure(a, path.Join(mount, at)))
		if at == "/" {
			return least
		}
	}
}

func (a accounts) limitOf(dir string) int64 {
	limit, ok := ReadNumber(path.Join(dir, a.limit))
	if !ok {
		return Unlimited // "max", or no such group
	}
	return limit
}

func (a accounts) roomOf(dir string) int64 {
	limit, ok := ReadNumber(path.Join(dir, a.limit))
	if !ok {
		return Unlimited
	}
	used, _ := ReadNumber(path.Join(dir, a.usage))
	return max(limit-max(used-ReadStat(path.Join(dir, "memory.stat"), a.idle), 0), 0)
}

// ReadNumber returns the number that a file of a control group holds; false for
// none ("max", or no such file).
func ReadNumber(file string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// readStat returns a value of a file of lines "name value"; 0 for none.
func ReadStat(file, name string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			return n
		}
	}
	return 0
}

func ownGroup() (string, bool) { return groupOf(ownGroups, ownMounts) }

// groupOf joins what a file such as /proc/self/cgroup says of version 2 with
// the place where it is mounted, which is not the same everywhere.
func groupOf(groups, mounts string) (string, bool) {
	list, err := os.ReadFile(groups)
	if err != nil {
		return "", false
	}
	root, mount, ok := groupMount(mounts)
	if !ok {
		return "", false
	}
	for line := range strings.Lines(string(list)) {
		group, ok := strings.CutPrefix(strings.TrimSpace(line), "0::")
		if !ok {
			continue
		}
		if root != "/" { // a part of the tree is mounted here
			if group, ok = strings.CutPrefix(group, root); !ok {
				return "", false
			}
		}
		dir := path.Join(mount, path.Join("/", group))
		info, err := os.Stat(dir)
		return dir, err == nil && info.IsDir()
	}
	return "", false
}

// groupMount finds where version 2 is mounted, in lines of "id parent device
// root place options - type …", and which part of its tree.
func groupMount(mounts string) (root, place string, ok bool) {
	list, err := os.ReadFile(mounts)
	if err != nil {
		return "", "", false
	}
	for line := range strings.Lines(string(list)) {
		before, after, _ := strings.Cut(line, " - ")
		f := strings.Fields(before)
		if strings.HasPrefix(after, "cgroup2 ") && len(f) > 4 {
			return f[3], f[4], true
		}
	}
	return "", "", false
}
