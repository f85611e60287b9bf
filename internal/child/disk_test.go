//go:build unix

package child

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func TestTheDiskHasALimit(t *testing.T) {
	t.Parallel()
	beside := filepath.Join(t.TempDir(), "beside")
	if err := os.Mkdir(beside, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		files string
		dir   string
		every time.Duration
		cause Cause
	}{
		"while it runs":         {"1000000", ".", 10 * time.Millisecond, DiskLimit},
		"at its end":            {"40", ".", time.Hour, DiskLimit},
		"in a directory beside": {"40", beside, time.Hour, DiskLimit},
		"below":                 {"10", ".", time.Hour, Exited},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := open(t, Options{Every: c.every})
			s := part("fills", c.files, c.dir)
			s.Limits.Disk = 2 << 20
			if c.dir == beside {
				s.Fills = []string{beside}
			}
			end := start(t, m, s).Wait()
			if end.Cause != c.cause || end.OK() != (c.cause == Exited) {
				t.Errorf("%v", end)
			}
		})
	}
}

// Names, directories in each other and files with several names count as what they
// take.
func TestWhatTakesADisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	over := func(limit int64) bool {
		p := &Process{dir: dir, spec: Spec{Limits: Limits{Disk: limit}}}
		return p.overDisk()
	}
	if over(2*leastFile) || !over(leastFile-1) {
		t.Error("an empty directory")
	}
	if err := os.WriteFile(filepath.Join(dir, "a"), make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"b", "c"} {
		if err := os.Link(filepath.Join(dir, "a"), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if over(3<<19) || !over(1<<20) {
		t.Error("one file with three names")
	}
}

// grower is a part that writes to a file once begin is closed.
func grower(t *testing.T) (s Spec, begin *os.File) {
	t.Helper()
	in, begin, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s = part("grows")
	s.Stdin = in
	return s, begin
}

func TestAFileHasALimit(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: files have limits on Linux only")
	}
	s, begin := grower(t)
	s.Limits.FileSize = 256 << 10
	p := start(t, open(t, Options{}), s)
	begin.Close() // it is limited by now
	if got := p.says("grown "); got != "262144 true" {
		t.Error(got)
	}
	p.ended(p.Wait(), Exited, 0)
}
