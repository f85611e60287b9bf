package child

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// A starter starts processes from one thread, which lives as long as they do:
// what the kernel ends a child with is the death of the thread that started it,
// not that of the process, and threads of Go die with goroutines that are locked
// to them.
type starter struct {
	calls chan func()
	done  chan struct{}
	err   error // why it can start nothing; set before the first call
}

func newStarter() *starter {
	s := &starter{calls: make(chan func()), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread() // else the thread died here
		s.serve()
	}()
	return s
}

// newConfinedStarter returns one whose processes, and all that come of them, never
// gain anything by what they run: no user, group or capability of a file's. The
// thread is like that for good, so it dies with the goroutine.
func newConfinedStarter() *starter {
	s := &starter{calls: make(chan func()), done: make(chan struct{})}
	go func() {
		defer close(s.done)
		runtime.LockOSThread()
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			s.err = fmt.Errorf("child: processes of other users cannot be kept from gaining rights: %w", err)
		}
		s.serve()
	}()
	return s
}

func (s *starter) serve() {
	for call := range s.calls {
		call()
	}
}

// do calls f on the thread, waits for it and returns its error; or why nothing can be
// started.
func (s *starter) do(f func() error) (err error) {
	done := make(chan struct{})
	s.calls <- func() {
		defer close(done)
		if err = s.err; err == nil {
			err = f()
		}
	}
	<-done
	return err
}

// stop ends the thread's part. No child must be left.
func (s *starter) stop() {
	close(s.calls)
	<-s.done
}
