package chrome

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

const (
	leftoverPause = 5 * time.Millisecond
	leftoverLimit = 3 * time.Second
)

// killLeftovers ends the processes that a browser has left behind.
func killLeftovers(_ *exec.Cmd, dir string) { killUsing(dir) }

// killUsing ends every process that has dir or a path below it on its command line
// and returns how many it found. Every process of a browser names the profile
// there, also those that have left the browser's process group. It looks until
// none is left, because a process may fork as it is ended.
func killUsing(dir string) int {
	total := 0
	for deadline := time.Now().Add(leftoverLimit); ; time.Sleep(leftoverPause) {
		pids := processesUsing(dir)
		if len(pids) == 0 || time.Now().After(deadline) {
			return total
		}
		for _, pid := range pids {
			if syscall.Kill(pid, syscall.SIGKILL) == nil {
				total++
			}
		}
	}
}

// processesUsing lists the living processes, this one left out, that name dir
// or a path below it on their command line.
func processesUsing(dir string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	below, itself := []byte(filepath.Clean(dir)+"/"), []byte("="+filepath.Clean(dir)+" ")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		// A zombie's command line is empty: it is dead, and its parent's to reap.
		cmdline, err := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		cmdline = bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '}) // which some of a browser's processes have done
		if err == nil && isBrowser(cmdline) && (bytes.Contains(cmdline, below) || bytes.Contains(cmdline, itself)) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// isBrowser keeps a search of the user's own for the directory (grep, ls, an
// editor) out of the list: a browser's process names the directory in a flag.
func isBrowser(cmdline []byte) bool {
	return bytes.Contains(cmdline, []byte("--user-data-dir=")) || bytes.Contains(cmdline, []byte("--database="))
}

// roomyShm reports whether /dev/shm is large enough for a browser, which it is
// not in many containers. Browsers crash when it fills up.
func roomyShm() bool {
	var fs syscall.Statfs_t
	return syscall.Statfs("/dev/shm", &fs) == nil && fs.Bavail*uint64(fs.Bsize) >= 512<<20
}
