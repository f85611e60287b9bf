package chrome

import (
	"testing"

	"github.com/drover-go/drover/runs/browser"
)

// SessionPIDs lists the processes of a session's browser.
func SessionPIDs(s browser.Session) []int {
	return ProcessesUsing(s.(*session).process().Dir())
}

// Memory is what a session's browser takes, as it was last measured.
func Memory(s browser.Session) int64 { return s.(*session).process().Memory() }

// NetworkPID is the id of the network service of a session's browser; 0 while
// there is none.
func NetworkPID(t testing.TB, s browser.Session) int {
	t.Helper()
	pid, err := s.(*session).process().NetworkPID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// Unwatched has browsers go on without the network service that they began with.
func Unwatched(o *Options) { o.unwatched = true }
