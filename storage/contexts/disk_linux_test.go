package contexts

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/disktest"
)

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
	dir := disktest.Small(t, 2)
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
