package process

import (
	"context"

	"github.com/drover-go/drover/internal/admission"
	"github.com/drover-go/drover/internal/lifecycle"
)

// What a browser is taken to need, measured as PSS: its main process with those
// for graphics, network and storage; and an empty tab with its renderer.
const (
	ProcessBytes = 130 << 20
	TabBytes     = 55 << 20
)

// isRemote reports whether the browser runs elsewhere: then it takes no memory of
// this machine, and all grants are nil.
func (f *Fleet) isRemote() bool { return f.opts.RemoteURL != "" }

// Reserve waits for the memory of a further process, for Timeouts.Queue at most.
func (f *Fleet) Reserve(ctx context.Context, project string, bytes int64) (*admission.Grant, error) {
	if f.isRemote() {
		return nil, nil
	}
	return f.ledger.Reserve(ctx, admission.Request{Project: project, Bytes: bytes, Wait: f.opts.Timeouts.Queue})
}

// reserveFree reserves what is free and what nobody waits for: for its sake nothing
// is ended. It reports false where there is not so much.
func (f *Fleet) reserveFree(r admission.Request) (*admission.Grant, bool) {
	if f.isRemote() {
		return nil, true
	}
	if s := f.ledger.State(); s.Waiting > 0 || s.Total-s.Used-s.Held < r.Bytes {
		return nil, false
	}
	g, err := f.ledger.TryReserve(r)
	return g, g != nil && err == nil
}

// endIfAsked has the ledger call end, with the lock held and soon, when it wants
// the room of what is a spare, or idle.
func (f *Fleet) endIfAsked(mark func(end func()), end func()) {
	mark(func() { // from anywhere: it must not wait for the lock
		f.wantedMu.Lock()
		f.wanted = append(f.wanted, end)
		f.wantedMu.Unlock()
		lifecycle.Poke(f.wake)
	})
}

// reap ends what the ledger wants ended, until the provider closes.
func (f *Fleet) reap() {
	for {
		select {
		case <-f.life.Done():
			return
		case <-f.wake:
			f.endWanted()
		}
	}
}

func (f *Fleet) endWanted() {
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
