package child

import "runtime"

// A starter starts processes from one thread, which lives as long as they do:
// what the kernel ends a child with is the death of the thread that started it,
// not that of the process, and threads of Go die with goroutines that are locked
// to them.
type starter struct {
	calls chan func()
	done  chan struct{}
}

func newStarter() *starter {
	s := &starter{calls: make(chan func()), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread() // else the thread died here
		for call := range s.calls {
			call()
		}
	}()
	return s
}

// do calls f on the thread and waits for it.
func (s *starter) do(f func()) {
	done := make(chan struct{})
	s.calls <- func() {
		defer close(done)
		f()
	}
	<-done
}

// stop ends the thread's part. No child must be left.
func (s *starter) stop() {
	close(s.calls)
	<-s.done
}
