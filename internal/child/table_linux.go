package child

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A proc is one line of the table of processes.
type proc struct {
	key
	ppid, pgid int
	threads    int
	zombie     bool
	cpu        time.Duration // of its own, and of children that it has waited for
	resident   int64         // bytes
}

// A key names a process for good: its number, and when it was started, in the
// system's ticks.
type key struct {
	pid   int
	start uint64
}

// tick is the unit of times in /proc, the same on all Linux systems.
const tick = time.Second / 100

// readTable lists all processes that can be seen, but this one and those that
// are skipped; their numbers it lists, too.
func readTable(skip func(pid int) bool) (procs []proc, skipped []int) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1) // what could be read is what there is
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		if skip(pid) {
			skipped = append(skipped, pid)
		} else if p, ok := readProc(pid); ok {
			procs = append(procs, p)
		}
	}
	return procs, skipped
}

// readProc reads a line of the table; false for a process that has gone.
func readProc(pid int) (p proc, ok bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return p, false
	}
	return parseStat(pid, text)
}

// Fields of /proc/PID/stat behind the name, which is in brackets and can hold
// anything.
const (
	statState = iota
	statParent
	statGroup
	statUser     = 11 // times of processors: user, system, and those of children
	statChildren = 14
	statThreads  = 17
	statStart    = 19
	statResident = 21
	statExit     = 49 // as wait says it
)

func parseStat(pid int, text []byte) (p proc, ok bool) {
	end := bytes.LastIndexByte(text, ')')
	if end < 0 {
		return p, false
	}
	f := strings.Fields(string(text[end+1:]))
	if len(f) <= statResident {
		return p, false
	}
	number := func(i int) int64 {
		n, _ := strconv.ParseInt(f[i], 10, 64)
		return n
	}
	p.pid, p.start = pid, uint64(number(statStart))
	p.ppid, p.pgid, p.threads = int(number(statParent)), int(number(statGroup)), int(number(statThreads))
	for i := statUser; i <= statChildren; i++ {
		p.cpu += time.Duration(number(i)) * tick
	}
	p.resident = number(statResident) * int64(os.Getpagesize())
	// A first thread that has ended makes a zombie of what goes on in others.
	p.zombie = f[statState] == "X" || f[statState] == "Z" && p.threads <= 1
	return p, true
}

// readExit returns how a process has ended that nobody has reaped.
func readExit(pid int) exit {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(f) <= statExit {
		return exit{code: -1}
	}
	n, _ := strconv.Atoi(f[statExit])
	s := syscall.WaitStatus(n)
	if s.Signaled() {
		return exit{-1, s.Signal()}
	}
	return exit{code: s.ExitStatus()}
}

// readEnviron returns the environment that a process was started with, as far
// as it has left it as it was. It is also that of a process whose first thread
// has ended.
func readEnviron(p proc) []byte {
	dir := filepath.Join("/proc", strconv.Itoa(p.pid))
	if text, _ := os.ReadFile(filepath.Join(dir, "environ")); len(text) > 0 || p.threads <= 1 {
		return text
	}
	threads, _ := os.ReadDir(filepath.Join(dir, "task"))
	for _, t := range threads {
		if text, _ := os.ReadFile(filepath.Join(dir, "task", t.Name(), "environ")); len(text) > 0 {
			return text
		}
	}
	return nil
}

// readCommand returns the command line, with blanks between its words. Some of a
// browser's processes have written blanks there themselves.
func readCommand(p proc) []byte {
	text, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.pid), "cmdline"))
	return bytes.ReplaceAll(text, []byte{0}, []byte{' '})
}

// readUser returns whom a process runs as.
func readUser(pid int) (uid uint32, ok bool) {
	n, ok := numberIn(pid, "status", "Uid:")
	return uint32(n), ok && n <= math.MaxUint32
}

// readShare returns the proportional share of memory of a process, with what of
// it was swapped out; false where the system does not tell.
func readShare(pid int) (bytes int64, ok bool) {
	share, ok := numberIn(pid, "smaps_rollup", "Pss:", "SwapPss:")
	return share << 10, ok
}

// numberIn returns the sum of the numbers that stand behind names in lines of a
// file about a process; false where there are none.
func numberIn(pid int, file string, names ...string) (sum int64, ok bool) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), file))
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && slices.Contains(names, f[0]) {
			n, err := strconv.ParseInt(f[1], 10, 64)
			sum, ok = sum+n, ok || err == nil
		}
	}
	return sum, ok
}
