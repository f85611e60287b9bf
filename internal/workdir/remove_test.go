package workdir_test

import (
	"os"
	"testing"

	"github.com/drover-go/drover/internal/workdir"
)

// What is read-only goes, too: for root anyway, else as its owner can change that.
func TestReadOnlyDirectoriesAreRemoved(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), mkdir(t, t.TempDir(), "elsewhere")
	inner := mkdir(t, dir, "set", "a", "b")
	write(t, inner+"/file")
	if err := os.Symlink(elsewhere, inner+"/link"); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{inner, dir + "/set/a", dir + "/set", elsewhere} {
		if err := os.Chmod(path, 0o500); err != nil {
			t.Fatal(err)
		}
	}
	if err := workdir.RemoveAll(dir + "/set"); err != nil || there(dir+"/set") {
		t.Error(err)
	}
	if info, err := os.Stat(elsewhere); err != nil || info.Mode().Perm() != 0o500 {
		t.Errorf("what a link leads to was changed: %v %v", info.Mode(), err)
	}
	if err := workdir.RemoveAll(dir + "/nowhere"); err != nil {
		t.Error(err)
	}
}
