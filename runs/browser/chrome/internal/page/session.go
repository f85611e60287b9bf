package page

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/browser/chrome/internal/mux"
)

// A Session is the pages of a session: its tabs, the frames in them, what is done
// there, and the life that all of it has.
type Session struct {
	// Clients and Pictures are set by who makes the session, before it is used.
	Clients  *mux.Clients
	Pictures *mux.Pictures

	h         Host
	opts      Options
	contextID atomic.Pointer[cdp.BrowserContextID] // nil until there is one
	watching  atomic.Pointer[observer]             // nil where nobody observes
	chooser   chooser

	ctx  context.Context // ends with the session, with the cause
	stop context.CancelCauseFunc

	mu       sync.Mutex
	o        browser.Options
	closing  bool
	err      error
	tabs     []*tab                     // in the order in which they were opened
	switched context.CancelCauseFunc    // set by who waits for the current tab to change
	raises   int                        // of tabs, to the front
	uses     int                        // of tabs, as the current one
	names    int                        // given to tabs
	asking   int                        // who drives the session and wants to answer dialogs
	turned   chan struct{}              // closed and replaced when tabs come or go, or another is in front
	frames   map[target.ID]*frameTarget // documents of other sites within the tabs
	numbers  map[cdp.FrameID]int        // of frames, for their refs
	known    map[int]*frame             // the frames of the last snapshot
	next     int                        // the next element's number
	clip     string                     // what keys have copied, where the clipboard is shared
	called   map[browser.Ref]string     // what elements of snapshots were
	heard    map[cdp.FrameID]*heard     // by documents of frames; of the calls, which come one at a time
	dialogs  []browser.Dialog           // not yet told
	left     dialogs                    // to clients, or to who drives
	standing standing                   // dialogs in the way of who drives
	// own are frames of the pages and the contexts they are in, by which
	// downloads are known.
	own   map[cdp.FrameID]cdp.BrowserContextID
	wg    sync.WaitGroup // everything the session started
	ended chan struct{}  // closed first: nothing works any more
}

// New returns a session without pages.
func New(h Host, o browser.Options, opts Options) *Session {
	s := &Session{
		h: h, opts: opts, o: o, next: 1,
		frames: map[target.ID]*frameTarget{}, numbers: map[cdp.FrameID]int{}, known: map[int]*frame{},
		called: map[browser.Ref]string{}, heard: map[cdp.FrameID]*heard{},
		turned: make(chan struct{}), own: map[cdp.FrameID]cdp.BrowserContextID{}, ended: make(chan struct{}),
	}
	s.ctx, s.stop = context.WithCancelCause(context.Background())
	s.standing.renew()
	return s
}

// ID implements [browser.Session].
func (s *Session) ID() string { return s.Options().ID }

// Options are those that it was opened with; those of a spare until then.
func (s *Session) Options() browser.Options {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.o
}

// SetOptions gives a spare those that it is opened with, and returns the ones it
// was made with.
func (s *Session) SetOptions(o browser.Options) (made browser.Options) {
	s.mu.Lock()
	defer s.mu.Unlock()
	made, s.o = s.o, o
	return made
}

// ContextID is the session's own browser context; empty until SetContextID, which
// comes before the first tab.
func (s *Session) ContextID() cdp.BrowserContextID {
	if id := s.contextID.Load(); id != nil {
		return *id
	}
	return ""
}

// SetContextID says which it is.
func (s *Session) SetContextID(id cdp.BrowserContextID) { s.contextID.Store(&id) }

// Context ends with the session, with the cause.
func (s *Session) Context() context.Context { return s.ctx }

// Done implements [browser.Session].
func (s *Session) Done() <-chan struct{} { return s.ended }

// Err implements [browser.Session].
func (s *Session) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// Admit lets Release wait for the caller, who calls Leave; not once Release has
// begun.
func (s *Session) Admit() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing || s.ctx.Err() != nil {
		return false
	}
	s.wg.Add(1)
	return true
}

// Leave undoes Admit.
func (s *Session) Leave() { s.wg.Done() }

// Spawn runs f in a goroutine that Release waits for; not once Release has begun.
func (s *Session) Spawn(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing {
		s.wg.Go(f)
	}
}

// End makes every call return, now and from now on, with the cause. The first
// one counts.
func (s *Session) End(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.ended:
		return
	default:
	}
	if cause != error(ErrEnded) {
		s.err = cause
	}
	s.stop(cause)
	close(s.ended)
}

// Release lets go of all pages, after dispose has closed them, and returns when
// nothing is left that the session has started.
func (s *Session) Release(dispose func()) {
	s.mu.Lock()
	s.closing = true
	tabs := slices.Clone(s.tabs)
	for _, f := range s.frames {
		if f.cancel != nil {
			s.wg.Go(f.cancel)
		}
	}
	s.mu.Unlock()
	dispose()
	for _, t := range tabs {
		t.detach()
	}
	s.wg.Wait()
}
