//go:build !linux

package chrome_test

import (
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/drover-go/drover/internal/testlevel"
)

// waitGone waits for the end of a process.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(testlevel.Loaded(20 * time.Second)); ; runtime.Gosched() {
		p, err := os.FindProcess(pid)
		if err != nil || p.Signal(syscall.Signal(0)) != nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d does not end", pid)
		}
	}
}
