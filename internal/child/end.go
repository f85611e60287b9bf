package child

import (
	"fmt"
	"syscall"
	"time"
)

// A Cause is why a child ended. The first one counts.
type Cause string

const (
	// Exited is a first process that ended by itself, with [End].Code.
	Exited Cause = "exited"
	// Signaled is a first process that a signal ended, [End].Signal, that was not
	// sent from here.
	Signaled Cause = "signaled"
	// MemoryLimit is more memory than [Limits].Memory.
	MemoryLimit Cause = "memory limit"
	// CPULimit is more time of processors than [Limits].CPUTime.
	CPULimit Cause = "cpu limit"
	// ProcessLimit is more processes than [Limits].Processes.
	ProcessLimit Cause = "process limit"
	// DiskLimit is more bytes in files than [Limits].Disk.
	DiskLimit Cause = "disk limit"
	// TimeLimit is a longer life than [Limits].Time.
	TimeLimit Cause = "time limit"
	// Stopped is a call of [Process.Stop] or [Process.Kill].
	Stopped Cause = "stopped"
	// HostClosing is the end of the [Manager].
	HostClosing Cause = "host closing"
	// NotStarted is a program that could not be started; [End].Reason says why.
	NotStarted Cause = "not started"
)

// An End is how a child ended. As an error it is for logs: the tail of the
// output is in it.
type End struct {
	Cause Cause
	// Code is the exit code of the first process, whatever the cause; -1 for one
	// that a signal ended or that was never started.
	Code int
	// Signal is what ended the first process; 0 if it exited.
	Signal syscall.Signal
	// Reason is what Stop or Kill was given, or why nothing was started.
	Reason error
	// Unended is how many processes could not be ended within ten seconds.
	Unended int
	// Started and Ended bound its life, by the clock of the [Manager].
	Started, Ended time.Time
	// Usage is what it took, as far as it was looked at.
	Usage Usage
	// Tail is the end of what it printed.
	Tail string
}

// OK reports whether the child exited by itself with code 0.
func (e End) OK() bool { return e.Cause == Exited && e.Code == 0 }

// Err returns nil where the end is OK, else the end.
func (e End) Err() error {
	if e.OK() {
		return nil
	}
	return e
}

// Unwrap returns the reason.
func (e End) Unwrap() error { return e.Reason }

// Error says why, and shows the tail.
func (e End) Error() string {
	text := "the process ended: " + string(e.Cause)
	switch {
	case e.Cause == NotStarted:
		text = "the process was not started"
	case e.Cause == Exited:
		text = fmt.Sprintf("the process exited with code %d", e.Code)
	case e.Cause == Signaled:
		text = fmt.Sprintf("the process was ended by a signal (%s)", e.Signal)
	}
	if e.Reason != nil {
		text += ": " + e.Reason.Error()
	}
	if e.Tail != "" {
		text += "; it printed: " + e.Tail
	}
	return text
}

// Usage is what the processes of a child take.
type Usage struct {
	// Memory is in bytes, when it was last measured; 0 before. Peak is the most
	// that was measured.
	Memory, Peak int64
	// CPU is the time of processors, those of processes that have ended too.
	CPU time.Duration
	// Processes is how many there were when it was last looked, and
	// MostProcesses how many at most.
	Processes, MostProcesses int
}
