package chrome

import (
	"path/filepath"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
	"github.com/drover-go/drover/runs/browser/chrome/internal/process"
)

var _ process.Session = (*session)(nil)

// TargetCreated implements [process.Session].
func (s *session) TargetCreated(info *target.Info) {
	s.Clients.Created(info)
	s.Session.TargetCreated(info)
}

// TargetChanged implements [process.Session].
func (s *session) TargetChanged(info *target.Info) {
	s.Clients.Changed(info)
	s.Session.TargetChanged(info)
}

// TargetDestroyed implements [process.Session].
func (s *session) TargetDestroyed(id target.ID) {
	s.TargetGone(id, page.ErrTabClosed)
	s.Clients.Destroyed(id)
}

// TargetCrashed implements [process.Session].
func (s *session) TargetCrashed(ev *target.EventTargetCrashed) {
	s.Session.TargetCrashed(ev.TargetID)
	s.Clients.Crashed(ev)
}

// DownloadContext implements [process.Session].
func (s *session) DownloadContext(frame cdp.FrameID, file string) cdp.BrowserContextID {
	if frame != "" {
		if id := s.ContextOf(frame); id != "" {
			return id
		}
	}
	if file == "" {
		return ""
	}
	return s.downloads.contextIn(filepath.Dir(file))
}
