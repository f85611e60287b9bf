package chrome

import (
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
)

// onEvent runs on the goroutine that reads the pipe: it only passes on.
func (p *process) onEvent(ev any) {
	switch ev := ev.(type) {
	case *target.EventTargetCreated:
		if s := p.sessionOf(ev.TargetInfo); s != nil {
			s.visitors.created(ev.TargetInfo)
			s.onTarget(ev.TargetInfo)
		}
	case *target.EventTargetInfoChanged:
		if s := p.sessionOf(ev.TargetInfo); s != nil {
			s.visitors.changed(ev.TargetInfo)
			s.onTargetChanged(ev.TargetInfo)
		}
	case *target.EventAttachedToTarget:
		switch s := p.sessionOf(ev.TargetInfo); {
		case s != nil && ev.WaitingForDebugger:
			s.onPaused(ev.TargetInfo, ev.SessionID)
		case s == nil && p.away != nil:
			p.away.letGo(p.wire, ev)
		}
	case *target.EventTargetDestroyed:
		p.each(func(s *session) {
			s.onTargetGone(ev.TargetID, errTabClosed)
			s.visitors.destroyed(ev.TargetID)
		})
	case *target.EventTargetCrashed:
		p.each(func(s *session) {
			s.onTargetCrashed(ev.TargetID)
			s.visitors.crashed(ev)
		})
	case *cdpbrowser.EventDownloadWillBegin:
		p.onDownload(ev.GUID, func(r *received) { r.begun = ev })
	case *cdpbrowser.EventDownloadProgress:
		p.onDownload(ev.GUID, func(r *received) { r.last = ev })
	}
}

// sessionOf returns the session of a target; nil if it is of none, or if the
// browser does not say.
func (p *process) sessionOf(info *target.Info) *session {
	if info == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[info.BrowserContextID]
}

func (p *process) each(f func(*session)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sessions {
		f(s)
	}
}

// add makes the session hear of its targets; false when the process has ended.
func (p *process) add(s *session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopping || p.cause != nil {
		return false
	}
	p.sessions[s.contextID] = s
	return true
}

func (p *process) drop(s *session) {
	p.unlend(s.contextID)
}
