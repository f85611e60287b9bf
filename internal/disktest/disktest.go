// Package disktest has disks for tests that are soon full.
package disktest

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

// Fill writes a file until its disk has no room left for another byte. Calling it back
// removes the file.
func Fill(t testing.TB, path string) (free func()) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Error(err)
		}
	}
}
