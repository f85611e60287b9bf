package drover_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/drover-go/drover"
	"github.com/drover-go/drover/internal/testlevel"
	"github.com/drover-go/drover/runs/browser/chrome/chrometest"
)

// A tool that comes and goes leaves what dead hosts have left to others; a host
// that works ends and removes it before it is open.
func TestToolsLeaveWhatDeadHostsHaveLeft(t *testing.T) {
	t.Parallel()
	testlevel.External()
	temp, data := chrometest.TempDir(t), t.TempDir()
	left := filepath.Join(temp, "drover-child-4242")
	if err := os.Mkdir(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "owner.lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, workers := range []drover.Workers{drover.WorkersNever, drover.WorkersAlways} {
		o := drover.Options{Data: data, Workers: workers}
		o.Chromium.TempDir = temp
		d, err := drover.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = os.Stat(left)
		if there := err == nil; there != (workers == drover.WorkersNever) {
			t.Errorf("with workers %v what a dead host has left is there: %t", workers, there)
		}
		d.Close()
	}
}
