package workdir

import (
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

// RoomInGroup returns how many bytes the control groups of this process let it
// take: files in memory count for them, and who takes more is killed.
func RoomInGroup() int64 { return groupRoom("/proc/self/cgroup", "/sys/fs/cgroup") }

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

// groupRoom reads the groups from a file such as /proc/self/cgroup, lines of
// "number:controllers:path", and looks them up where they are mounted.
func groupRoom(groups, mount string) int64 {
	list, err := os.ReadFile(groups)
	if err != nil {
		return unlimited
	}
	var room int64 = unlimited
	for line := range strings.Lines(string(list)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(f) < 3:
		case f[0] == "0" && f[1] == "":
			room = min(room, version2.room(mount, f[2]))
		case slices.Contains(strings.Split(f[1], ","), "memory"):
			room = min(room, version1.room(path.Join(mount, "memory"), f[2]))
		}
	}
	return room
}

// room is the least that a group or one above it has left. In a container the
// path can be one outside of it, of which only the top is seen.
func (a accounts) room(mount, group string) int64 {
	var room int64 = unlimited
	for at := path.Join("/", group); ; at = path.Dir(at) {
		room = min(room, a.roomOf(path.Join(mount, at)))
		if at == "/" {
			return room
		}
	}
}

func (a accounts) roomOf(dir string) int64 {
	limit, ok := readNumber(path.Join(dir, a.limit))
	if !ok {
		return unlimited // "max", or no such group
	}
	used, _ := readNumber(path.Join(dir, a.usage))
	return max(limit-max(used-readStat(path.Join(dir, "memory.stat"), a.idle), 0), 0)
}

func readNumber(file string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// readStat returns a value of a file of lines "name value"; 0 for none.
func readStat(file, name string) int64 {
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
