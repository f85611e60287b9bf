package page

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// maxOwnFrames bounds the frames by which a session knows its downloads. The
// oldest go when it is reached.
const maxOwnFrames = 5000

// addOwnFrame notes that a frame is of a page in a context of the session, for
// good: a download may be told of when its frame has gone.
func (s *Session) addOwnFrame(context cdp.BrowserContextID, id cdp.FrameID) {
	s.mu.Lock()
	known := s.own[id] != ""
	if !known && len(s.own) >= maxOwnFrames {
		clear(s.own)
	}
	s.own[id] = context
	s.mu.Unlock()
	if !known {
		s.h.OwnFrame(context, id)
	}
}

// ContextOf returns the context of the session in which the frame is; empty if
// in none. The frame of a page, and of one of another site within it, has the
// id of its target.
func (s *Session) ContextOf(id cdp.FrameID) cdp.BrowserContextID {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := s.indexOf(target.ID(id)); i >= 0 {
		return s.tabs[i].context
	}
	if s.own[id] == "" && s.frames[target.ID(id)] != nil {
		return s.ContextID()
	}
	return s.own[id]
}
