package osuser

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/drover-go/drover/errtypes"
)

// possible returns why processes cannot be run as users of the range.
func possible(r Range) error {
	if os.Geteuid() != 0 {
		return errtypes.New(errtypes.Unavailable, "the host is not root")
	}
	if missing := missingCapabilities(); len(missing) > 0 {
		return errtypes.New(errtypes.Unavailable, "the host is root without %s", strings.Join(missing, ", "))
	}
	for _, file := range []string{"/proc/self/uid_map", "/proc/self/gid_map"} {
		if text, err := os.ReadFile(file); err == nil && !mapped(string(text), r) {
			return errtypes.New(errtypes.Unavailable, "the numbers %d to %d are not users of this user namespace", r.First, r.First+r.Count-1)
		}
	}
	return nil
}

// missingCapabilities are those of root that a host needs for this, and does not have.
func missingCapabilities() (missing []string) {
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&head, &data[0]); err != nil {
		return nil
	}
	for _, c := range []struct {
		bit  uint
		name string
	}{{unix.CAP_CHOWN, "CAP_CHOWN"}, {unix.CAP_DAC_OVERRIDE, "CAP_DAC_OVERRIDE"}, {unix.CAP_FOWNER, "CAP_FOWNER"}, {unix.CAP_KILL, "CAP_KILL"}, {unix.CAP_SETGID, "CAP_SETGID"}, {unix.CAP_SETUID, "CAP_SETUID"}} {
		if data[0].Effective&(1<<c.bit) == 0 {
			missing = append(missing, c.name)
		}
	}
	return missing
}

// mapped reports whether a line of a map of users has the whole range.
func mapped(text string, r Range) bool {
	for line := range strings.Lines(text) {
		var inside, outside, count int64
		if _, err := fmt.Fscan(bufio.NewReader(strings.NewReader(line)), &inside, &outside, &count); err == nil &&
			int64(r.First) >= inside && int64(r.First+r.Count) <= inside+count {
			return true
		}
	}
	return false
}

// running returns as whom processes run: by their real, effective, saved and file
// system's users. The owner of a directory in /proc tells less: root's is that of a
// process that is not to be looked into.
func running() map[int]bool {
	users := map[int]bool{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return users
	}
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		status, err := os.ReadFile("/proc/" + e.Name() + "/status")
		if err != nil {
			continue // it has gone
		}
		_, after, _ := strings.Cut(string(status), "\nUid:")
		line, _, _ := strings.Cut(after, "\n")
		for _, field := range strings.Fields(line) {
			if n, err := strconv.Atoi(field); err == nil {
				users[n] = true
			}
		}
	}
	return users
}

func owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

func group(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Gid) }

func links(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Nlink) }
