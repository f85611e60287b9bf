package chrome

import (
	"cmp"
	"testing"

	"github.com/drover-go/drover/runs/browser"
)

// SessionPIDs lists the processes of a session's browser.
func SessionPIDs(s browser.Session) []int {
	proc := s.(*session).proc
	return processesUsing(cmp.Or(proc.opts.profile, proc.dir))
}

// NetworkPID is the id of the network service of a session's browser.
func NetworkPID(t testing.TB, s browser.Session) int {
	t.Helper()
	pid, err := s.(*session).proc.networkService(t.Context())
	if err != nil || pid == 0 {
		t.Fatalf("no network service: %v", err)
	}
	return pid
}
