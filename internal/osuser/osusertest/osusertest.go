// Package osusertest makes directories of tests such that other users can reach what
// lies in them, as they can where hosts keep theirs.
package osusertest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/drover-go/drover/internal/osuser"
)

// Open lets everybody through a directory of a test, and those that it is in, below
// that for temporary files. An empty one is none.
func Open(dir string) (err error) {
	temp := filepath.Clean(os.TempDir())
	for at := dir; strings.HasPrefix(at, temp+string(filepath.Separator)); at = filepath.Dir(at) {
		err = errors.Join(err, osuser.LetThrough(at))
	}
	return err
}

// Shared returns a directory of a test that every user can write to.
func Shared(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := errors.Join(Open(dir), os.Chmod(dir, 0o777)); err != nil {
		t.Fatal(err)
	}
	return dir
}
