package chrome

import (
	"context"
	"time"

	"github.com/drover-go/drover/internal/admission"
)

// What a browser is taken to need, measured as PSS: its main process with those
// for graphics, network and storage; and an empty tab with its renderer.
const (
	processBytes = 130 << 20
	tabBytes     = 55 << 20
)

// isRemote reports whether the browser runs elsewhere: then it takes no memory of
// this machine, and all grants are nil.
func (f *fleet) isRemote() bool { return f.opts.RemoteURL != "" }

// reserve waits for the memory of a further process, for Timeouts.Queue at most.
func (f *fleet) reserve(ctx context.Context, project string, bytes int64) (*admission.Grant, error) {
	if f.isRemote() {
		return nil, nil
	}
	return f.ledger.Reserve(ctx, admission.Request{Project: project, Bytes: bytes, Wait: f.opts.Timeouts.Queue})
}

// reserveFree reserves what is free and what nobody waits for: for its sake nothing
// is ended. It reports false where there is not so much.
func (f *fleet) reserveFree(r admission.Request) (*admission.Grant, bool) {
	if f.isRemote() {
		return nil, true
	}
	if s := f.ledger.State(); s.Waiting > 0 || s.Total-s.Used-s.Held < r.Bytes {
		return nil, false
	}
	g, err := f.ledger.TryReserve(r)
	return g, g != nil && err == nil
}

// book has the session's tab counted, within the process: at once where there is
// room, else as soon as there is. The session does not wait for that, since it has
// its process.
func (s *session) book(process *admission.Grant) {
	f := s.p.fleet
	if f.isRemote() {
		return
	}
	r := admission.Request{Project: s.Options().Project, Bytes: tabBytes, Within: process, Wait: 365 * 24 * time.Hour} // the session's own end is what counts
	g, err := f.ledger.TryReserve(r)
	if g != nil {
		s.grant = g
	}
	if g != nil || err != nil { // where there can never be room, a process has all of it
		return
	}
	s.Spawn(func() {
		if g, err := f.ledger.Reserve(s.Context(), r); err == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.grant = g
		}
	})
}

// claim says that what is idle or spare is used; false where it is being ended.
func claim(g *admission.Grant) bool { return g == nil || g.Claim() }

func release(g *admission.Grant) {
	if g != nil {
		g.Release()
	}
}

// endIfAsked has the ledger call end, with the lock held and soon, when it wants
// the room of what is a spare, or idle.
func (f *fleet) endIfAsked(mark func(end func()), end func()) {
	mark(func() { // from anywhere: it must not wait for the lock
		f.wantedMu.Lock()
		f.wanted = append(f.wanted, end)
		f.wantedMu.Unlock()
		select {
		case f.wake <- struct{}{}:
		default:
		}
	})
}

// reap ends what the ledger wants ended, until the provider closes.
func (f *fleet) reap() {
	for {
		select {
		case <-f.life.Done():
			return
		case <-f.wake:
			f.endWanted()
		}
	}
}

func (f *fleet) endWanted() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wantedMu.Lock()
	ends := f.wanted
	f.wanted = nil
	f.wantedMu.Unlock()
	if f.closed {
		return // all of it has been ended
	}
	for _, end := range ends {
		end()
	}
}
