package child

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/machine"
)

// groups is the control group of a host, in which each child has its own. It has
// the name of the host's directory. A nil one has none.
type groups struct {
	group
	log *slog.Logger
}

// groupFile is where a host writes down, in its directory, which group is its
// own, for the one who sweeps.
const groupFile = "cgroup"

// controllers are those by which limits are kept.
var controllers = []string{"memory", "pids", "cpu"}

// openGroups makes the host's group, where it may. Controllers are switched on
// only in a group that the host was given by name: elsewhere that is for whoever
// keeps the groups.
func openGroups(o Options, dir string) *groups {
	base, given := o.Cgroup, o.Cgroup != ""
	if !given {
		base, _ = machine.Group()
	}
	if base == "" || base == noGroups {
		return nil
	}
	g, err := makeGroups(o, base, dir)
	switch {
	case err == nil:
		return g
	case given:
		o.Logger.Error("child: the control group cannot be used; limits are kept by looking", "cgroup", base, "error", err)
	default:
		o.Logger.Debug("child: there is no control group to use", "cgroup", base, "error", err)
	}
	return nil
}

func makeGroups(o Options, base, dir string) (*groups, error) {
	if err := isGroup(base); err != nil {
		return nil, err
	}
	g := &groups{group: group{filepath.Join(base, filepath.Base(dir)), o.Clock}, log: o.Logger}
	if err := os.WriteFile(filepath.Join(dir, groupFile), []byte(g.dir), 0o600); err != nil {
		return nil, err
	}
	if err := os.Mkdir(g.dir, 0o755); err != nil {
		return nil, err
	}
	if o.Cgroup != "" {
		switchOn(base, o.Logger)
	}
	switchOn(g.dir, slog.New(slog.DiscardHandler))
	return g, nil
}

// switchOn gives the groups below a group their controllers, one at a time,
// since not all need be there.
func switchOn(dir string, log *slog.Logger) {
	for _, c := range controllers {
		if err := os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("+"+c), 0o600); err != nil {
			log.Warn("child: a controller of the control group cannot be switched on", "cgroup", dir, "controller", c, "error", err)
		}
	}
}

const cgroup2Magic = 0x63677270

func isGroup(dir string) error {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return err
	}
	if uint32(fs.Type) != cgroup2Magic {
		return fmt.Errorf("%s is not in a tree of control groups of version 2", dir)
	}
	return nil
}

// add makes the group of a child, with its limits as far as they can be kept
// there; nil where it cannot.
func (g *groups) add(id string, l Limits) *group {
	if g == nil {
		return nil
	}
	child := &group{filepath.Join(g.dir, id), g.clock}
	if err := os.Mkdir(child.dir, 0o755); err != nil {
		g.log.Warn("child: a control group cannot be made", "error", err)
		return nil
	}
	child.limit(l)
	return child
}

func (g *groups) remove() error {
	if g == nil {
		return nil
	}
	return g.group.remove()
}

// A group is one control group. A nil one does and knows nothing.
type group struct {
	dir   string
	clock clock.Clock
}

// threadsEach is how many threads the kernel lets a child have for each of its
// processes: it counts threads, and only has to hold what multiplies faster than
// it is looked at.
const threadsEach = 64

// limit writes the limits. A controller that is not on has no such file: then
// they are kept by looking.
func (g *group) limit(l Limits) {
	if l.Memory > 0 {
		g.set("memory.max", strconv.FormatInt(l.Memory, 10))
		g.set("memory.swap.max", "0")
		g.set("memory.oom.group", "1")
	}
	if l.Processes > 0 {
		g.set("pids.max", strconv.Itoa(l.Processes*threadsEach))
	}
	if l.CPUs > 0 {
		const period = 100_000 // microseconds
		g.set("cpu.max", fmt.Sprintf("%d %d", max(int64(l.CPUs*period), 1000), period))
	}
}

func (g *group) set(file, value string) {
	_ = os.WriteFile(filepath.Join(g.dir, file), []byte(value), 0o600)
}

// open returns the directory, to start in; nil for none.
func (g *group) open() (*os.File, error) {
	if g == nil {
		return nil, nil
	}
	return os.Open(g.dir)
}

// kill kills all in the group. Kernels before 5.14 cannot: there each process
// that is found is.
func (g *group) kill() {
	if g == nil || os.WriteFile(filepath.Join(g.dir, "cgroup.kill"), []byte("1"), 0o600) == nil {
		return
	}
	pids, _ := g.pids()
	for _, pid := range pids {
		if pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it fails when it is dead
		}
	}
}

// remove kills all in the group, waits for their end, and removes it with those
// below it.
func (g *group) remove() error {
	if g == nil {
		return nil
	}
	deadline := g.clock.Now().Add(endLimit)
	for rest := firstPause; g.populated() && g.clock.Now().Before(deadline); rest = min(2*rest, lastPause) {
		g.kill()
		_ = clock.Sleep(context.Background(), g.clock, rest)
	}
	return removeTree(g.dir)
}

func (g *group) populated() bool { return g.event("cgroup.events", "populated") > 0 }

// removeTree removes a group and those below it, which have only directories to
// remove.
func removeTree(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, e := range entries {
		if e.IsDir() {
			errs = append(errs, removeTree(filepath.Join(dir, e.Name())))
		}
	}
	if err := syscall.Rmdir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, &fs.PathError{Op: "rmdir", Path: dir, Err: err})
	}
	return errors.Join(errs...)
}

// ranOut reports whether the kernel has ended something for want of memory.
func (g *group) ranOut() bool { return g.event("memory.events", "oom_kill") > 0 }

// crowded reports whether the kernel has refused to start a thread.
func (g *group) crowded() bool { return g.event("pids.events", "max") > 0 }

// cpu is the time of processors of all that was ever in the group.
func (g *group) cpu() (time.Duration, bool) {
	n := g.event("cpu.stat", "usage_usec")
	return time.Duration(n) * time.Microsecond, n > 0
}

// memory is what the group uses, but for files that nobody has read lately.
func (g *group) memory() (int64, bool) {
	if g == nil {
		return 0, false
	}
	n, ok := machine.ReadNumber(filepath.Join(g.dir, "memory.current"))
	return max(n-g.event("memory.stat", "inactive_file"), 0), ok
}

// event returns a value of a file of lines "name value"; 0 for none.
func (g *group) event(file, name string) int64 {
	if g == nil {
		return 0
	}
	return machine.ReadStat(filepath.Join(g.dir, file), name)
}

// removeLeftGroup ends all in the group of a dead host and removes it. What the
// host wrote down is believed only of a group that has the name of its directory.
func removeLeftGroup(o Options, dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, groupFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	path := string(text)
	if err != nil || filepath.Base(path) != filepath.Base(dir) || !filepath.IsAbs(path) || isGroup(path) != nil {
		return err
	}
	return (&group{path, o.Clock}).remove()
}
