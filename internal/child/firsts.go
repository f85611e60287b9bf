package child

import (
	"os"
	"sync"
)

// firsts are the first processes of a manager's children that have not been
// reaped, by their numbers. One enters with its start and leaves as it is reaped,
// under one lock: so there is never one that is not known here, and whoever reaps
// what else ends can tell it.
type firsts struct {
	mu    sync.Mutex
	procs map[int]*Process
}

func newFirsts() *firsts { return &firsts{procs: map[int]*Process{}} }

// start starts the first process of a child.
func (f *firsts) start(p *Process, start func() (*os.Process, error)) (*os.Process, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	proc, err := start()
	if err == nil {
		f.procs[proc.Pid] = p
	}
	return proc, err
}

// reap takes the end of one. Its number can be another's from then on.
func (f *firsts) reap(pid int, take func() (*os.ProcessState, error)) (*os.ProcessState, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.procs, pid)
	return take()
}
