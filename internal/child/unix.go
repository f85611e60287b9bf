//go:build unix

package child

import (
	"os"
	"syscall"
)

// killGroup kills a first process and all in its group. It must not have been
// reaped.
func killGroup(p *os.Process) {
	_ = syscall.Kill(-p.Pid, syscall.SIGKILL) // it fails when all are dead
}

// signalOf returns the signal that ended a process; 0 for none.
func signalOf(s *os.ProcessState) syscall.Signal {
	if s == nil {
		return 0
	}
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return 0
}
