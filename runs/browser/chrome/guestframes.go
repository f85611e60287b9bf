package chrome

import (
	"encoding/json"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
)

// A search learns the frames of the pages in the contexts of clients, to which
// the session is not attached. It is made when a download begins in a frame
// that nobody knows; one at a time, and once more if it was asked for meanwhile.
type search struct {
	mu             sync.Mutex
	running, again bool
}

// begin reports whether the caller is to search; else somebody does.
func (f *search) begin() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running {
		f.again = true
		return false
	}
	f.running = true
	return true
}

// end reports whether the search is over.
func (f *search) end() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running, f.again = f.again, false
	return !f.running
}

// searchGuests has every session that lends contexts to clients learn the
// frames in them.
func (p *process) searchGuests() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, s := range p.sessions {
		if id != s.contextID && s.search.begin() {
			s.spawn(s.learnFrames)
		}
	}
}

func (s *session) learnFrames() {
	for {
		for _, info := range s.visitors.guests(s.contextID) {
			s.learnFramesOf(info)
		}
		if s.search.end() || s.ctx.Err() != nil {
			return
		}
	}
}

// guests are the pages outside of the session's own context.
func (v *visitors) guests(own cdp.BrowserContextID) (pages []*target.Info) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, info := range v.targets {
		if info.Type == "page" && info.BrowserContextID != own {
			pages = append(pages, info)
		}
	}
	return pages
}

// learnFramesOf asks a page for its frames, which claims their downloads.
func (s *session) learnFramesOf(info *target.Info) {
	ctx, cancel := s.bounded(s.ctx, s.p.opts.Timeouts.Call, "answer")
	defer cancel()
	at, err := cdp.Call(ctx, s.proc.session(), target.AttachToTarget, target.AttachToTargetParams{TargetID: info.TargetID, Flatten: new(true)})
	if err != nil {
		return // it has gone
	}
	defer s.detachFrom(at.SessionID)
	raw, err := s.proc.wire.call(ctx, at.SessionID, page.GetFrameTree.Method, cdp.Empty{})
	var res page.GetFrameTreeResult
	if err == nil && json.Unmarshal(raw, &res) == nil {
		s.addFrameTree(info.BrowserContextID, res.FrameTree)
	}
}

func (s *session) detachFrom(id target.SessionID) {
	ctx, cancel := s.proc.within(s.p.opts.Timeouts.Close)
	defer cancel()
	cdp.Call(ctx, s.proc.session(), target.DetachFromTarget, target.DetachFromTargetParams{SessionID: id})
}

func (s *session) addFrameTree(context cdp.BrowserContextID, tree *page.FrameTree) {
	if tree == nil || tree.Frame == nil {
		return
	}
	s.addOwnFrame(context, tree.Frame.ID)
	for _, below := range tree.ChildFrames {
		s.addFrameTree(context, below)
	}
}
