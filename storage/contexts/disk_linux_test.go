package contexts

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/errtypes"
)

// smallDisk is a directory with a file system of its own, of 2 MiB.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "size=2m,mode=0700"); err != nil {
		t.Skipf("SKIPPED, THIS TEST MOUNTS A SMALL FILE SYSTEM, WHICH NEEDS ROOT: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// saysFull wants an error that tells of a full disk once, and of no path.
func saysFull(t *testing.T, dir string, err error) {
	t.Helper()
	fails(t, err, errtypes.Unavailable)
	if e := errtypes.Public(err); e.Message != "the disk where profiles are unpacked is full" {
		t.Errorf("a caller reads %q", e.Message)
	}
	if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), dir) || strings.Count(err.Error(), syscall.ENOSPC.Error()) != 1 {
		t.Errorf("the log reads %q", err)
	}
}

func TestADiskThatIsFullWhereProfilesAreUnpacked(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t)
	w := open(t, t.TempDir(), Config{TempDir: dir, Limits: Limits{MaxBytes: 1 << 60}}) // which no memory holds
	c := w.create(t, "")
	large := strings.Repeat("x", 3<<20)
	saysFull(t, dir, w.Import(t.Context(), c.ID, strings.NewReader(tarOf(t, [2]string{cookies, large}))))
	if n := inTheClear(t, dir); n != 0 {
		t.Errorf("%d folders are left", n)
	}
	w.save(t, c.ID, large)
	_, err := w.use(t, c.ID, "session", false).Restore(t.Context(), dir)
	saysFull(t, dir, err)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
