package chrome

import (
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// maxOwnFrames bounds the frames by which a session knows its downloads. The
// oldest go when it is reached.
const maxOwnFrames = 5000

// addOwnFrame notes that a frame is of the session's pages, for good: a
// download may be told of when its frame has gone.
func (s *session) addOwnFrame(id cdp.FrameID) {
	s.mu.Lock()
	known := s.own[id]
	if !known && len(s.own) >= maxOwnFrames {
		clear(s.own)
	}
	s.own[id] = true
	proc := s.proc
	s.mu.Unlock()
	if !known && proc != nil {
		proc.claim(s, id)
	}
}

// hasFrame reports whether a frame is of the session's pages. The frame of a
// page, and of one of another site within it, has the id of its target.
func (s *session) hasFrame(id cdp.FrameID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.own[id] || s.indexOf(target.ID(id)) >= 0 || s.frames[target.ID(id)] != nil
}
