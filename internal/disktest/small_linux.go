package disktest

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// Small returns a directory with a file system of its own, of that many megabytes.
// The test is skipped, aloud, where it cannot be made.
func Small(t testing.TB, megabytes int) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, fmt.Sprintf("size=%dm,mode=0700", megabytes)); err != nil {
		t.Skipf("SKIPPED, THIS TEST MOUNTS A SMALL FILE SYSTEM, WHICH NEEDS ROOT: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}
