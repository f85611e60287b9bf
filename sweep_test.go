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
	var left []string
	for _, name := range []string{"drover-child-4242", "drover-profile-4242"} {
		dir := filepath.Join(temp, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "owner.lock"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		left = append(left, dir)
	}
	for _, workers := range []drover.Workers{drover.WorkersNever, drover.WorkersAlways} {
		o := drover.Options{Data: data, Workers: workers}
		o.Chromium.TempDir = temp
		d, err := drover.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range left {
			_, err = os.Stat(dir)
			if there := err == nil; there != (workers == drover.WorkersNever) {
				t.Errorf("with workers %v %s of a dead host is there: %t", workers, filepath.Base(dir), there)
			}
		}
		d.Close()
	}
}
