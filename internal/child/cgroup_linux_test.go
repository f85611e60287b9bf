package child

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/clock"
	"github.com/drover-go/drover/internal/machine"
)

// What the kernel keeps, it is asked to keep, and is asked what it has kept.
func TestTheFilesOfAControlGroup(t *testing.T) {
	t.Parallel()
	g := &group{t.TempDir(), clock.System()}
	g.limit(Limits{Memory: 1000, Processes: 3, CPUs: 0.5, CPUTime: time.Second})
	for file, want := range map[string]string{
		"memory.max": "1000", "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "192", "cpu.max": "50000 100000",
	} {
		if text, err := os.ReadFile(filepath.Join(g.dir, file)); string(text) != want || err != nil {
			t.Errorf("%s: %q, %v", file, text, err)
		}
	}
	if _, known := g.memory(); known || g.ranOut() || g.crowded() || g.populated() {
		t.Error("there is nothing to know yet")
	}
	for file, text := range map[string]string{
		"memory.current": "700\n", "memory.stat": "anon 5\ninactive_file 200\n", "memory.events": "low 1\noom 1\noom_kill 1\n",
		"pids.events": "max 1\n", "cpu.stat": "usage_usec 1500\n", "cgroup.events": "populated 1\nfrozen 0\n",
	} {
		if err := os.WriteFile(filepath.Join(g.dir, file), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	memory, _ := g.memory()
	cpu, _ := g.cpu()
	if memory != 500 || cpu != 1500*time.Microsecond || !g.ranOut() || !g.crowded() || !g.populated() {
		t.Errorf("%d bytes, %s, %t, %t, %t", memory, cpu, g.ranOut(), g.crowded(), g.populated())
	}
	var none *group
	none.kill()
	if _, known := none.memory(); known || none.ranOut() || none.crowded() || none.remove() != nil {
		t.Error("no group knows something")
	}
}

// In a delegated group with the controllers, the kernel keeps the limits.
func TestLimitsThatTheKernelKeeps(t *testing.T) {
	t.Parallel()
	base := delegated(t, "memory", "pids")
	m := open(t, Options{Cgroup: base, Every: time.Hour})
	s := part("eats")
	s.Limits.Memory = 200 << 20
	p := start(t, m, s)
	p.ended(p.Wait(), MemoryLimit, -1)
	nothingLeft(t, m, p.Process)
}

// delegated is the group of this process, where it has controllers to pass on and
// may be written to; else the test is skipped, aloud.
func delegated(t *testing.T, controllers ...string) string {
	t.Helper()
	base, ok := machine.Group()
	if !ok {
		t.Skip("SKIPPED: there is no control group of version 2 here")
	}
	probe := filepath.Join(base, "drover-test-"+filepath.Base(t.TempDir()))
	if err := os.Mkdir(probe, 0o755); err != nil {
		t.Skip("SKIPPED: this user may make no control group here: ", err)
	}
	defer os.Remove(probe)
	list, err := os.ReadFile(filepath.Join(base, "cgroup.subtree_control"))
	for _, c := range controllers {
		if err != nil || !strings.Contains(string(list), c) {
			t.Skipf("SKIPPED: the control group of this process passes on no controller %q (it has %q)", c, list)
		}
	}
	return base
}

// A group that is no group, and one that was named by somebody else, are left
// alone.
func TestGroupsThatAreNotOurs(t *testing.T) {
	t.Parallel()
	m := open(t, Options{Cgroup: t.TempDir()})
	if m.groups != nil {
		t.Error("a directory on a disk passes for a control group")
	}
	base, ok := machine.Group()
	if !ok {
		t.Skip("SKIPPED: there is no control group of version 2 here")
	}
	for _, named := range []string{base, "relative", t.TempDir(), ""} {
		if err := os.WriteFile(filepath.Join(dirOf(t, m), groupFile), []byte(named), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := removeLeftGroup(m.opts, dirOf(t, m)); err != nil {
			t.Errorf("%q: %v", named, err)
		}
	}
}
