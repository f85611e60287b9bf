//go:build !linux

package chrome

import "os/exec"

// killLeftovers ends the processes that a browser has left behind in its
// process group.
func killLeftovers(cmd *exec.Cmd, _ string) { killGroup(cmd) }

// killUsing finds no processes by their command line here: the end of the pipe
// and of the process group has to do.
func killUsing(string) int { return 0 }

func processesUsing(string) []int { return nil }

func roomyShm() bool { return true }
