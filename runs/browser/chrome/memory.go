package chrome

import (
	"time"

	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

// book has the session's tab counted, within the process: at once where there is
// room, else as soon as there is. The session does not wait for that, since it has
// its process.
func (s *session) book(of *admission.Grant) {
	if s.p.opts.RemoteURL != "" {
		return
	}
	ledger := s.p.opts.Admission
	r := admission.Request{Project: s.Options().Project, Bytes: process.TabBytes, Within: of, Wait: 365 * 24 * time.Hour} // the session's own end is what counts
	g, err := ledger.TryReserve(r)
	if g != nil {
		s.grant = g
	}
	if g != nil || err != nil { // where there can never be room, a process has all of it
		return
	}
	s.Spawn(func() {
		if g, err := ledger.Reserve(s.Context(), r); err == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.grant = g
		}
	})
}
