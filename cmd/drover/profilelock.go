package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/drover-go/drover/errtypes"
)

// singletonLock is the link in a user-data directory by which a Chromium that
// runs says so, outside of Windows. It leads to HOST-PID.
const singletonLock = "SingletonLock"

// notInUse refuses a user-data directory whose browser runs: it writes while we
// read, and half of what it holds is in its memory. Nobody can tell of another
// machine's.
func notInUse(dir string) error {
	link := filepath.Join(dir, singletonLock)
	to, err := os.Readlink(link)
	if err != nil {
		return nil // none, or no link: not a browser's
	}
	host, pid := cutLast(to)
	here, err := os.Hostname()
	if err != nil || host != here {
		return errtypes.Field("from", "is in use by a browser on %q: end that; if it does not run any more, remove %s", host, link)
	}
	if lives(pid) {
		return errtypes.Field("from", "is in use by the browser with process id %s: end that first", pid)
	}
	return nil
}

// cutLast cuts at the last hyphen: names of hosts have some, too.
func cutLast(text string) (before, after string) {
	i := strings.LastIndexByte(text, '-')
	if i < 0 {
		return "", text
	}
	return text[:i], text[i+1:]
}

// lives reports whether there is a process with the id; another user's counts.
func lives(pid string) bool {
	n, err := strconv.Atoi(pid)
	if err != nil || n <= 0 {
		return false
	}
	p, err := os.FindProcess(n)
	if err != nil {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
