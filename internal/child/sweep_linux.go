package child

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// endLeft ends what a dead host has left: all of its control group, and all that
// carries its marker or runs as a user that one of its children had alone. The
// directory is removed by who calls. None of it is a first process of this host.
func endLeft(o Options, dir string, ours *firsts) {
	if err := removeLeftGroup(o, dir); err != nil {
		o.Logger.Warn("child: a leftover control group cannot be removed", "dir", dir, "error", err)
	}
	f := newFamily(dir, o.Names, ours)
	users := roots{users: leftUsers(dir)}
	ended, unended := f.end(o.Clock, func(string) bool { return true }, func() roots { return users })
	if ended > 0 {
		o.Logger.Info("child: ended what a dead host had left running", "dir", dir, "processes", ended)
	}
	if unended > 0 {
		o.Logger.Error("child: processes of a dead host cannot be ended", "dir", dir, "processes", unended)
	}
}

// leftUsers reads the files of users that children of a dead host had alone.
func leftUsers(dir string) map[uint32]string {
	users := map[uint32]string{}
	entries, _ := os.ReadDir(dir) // nothing is left where it cannot be read
	for _, e := range entries {
		child, ok := strings.CutSuffix(e.Name(), userSuffix)
		if !ok || os.Geteuid() != 0 {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		if uid, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 32); err == nil && uid != 0 {
			users[uint32(uid)] = filepath.Join(dir, child)
		}
	}
	return users
}
