package chrome

import (
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/drover-go/drover/runs/browser/chrome/internal/page"
)

// onEvent runs on the goroutine that reads the pipe: it only passes on.
func (p *process) onEvent(ev any) {
	switch ev := ev.(type) {
	case *target.EventTargetCreated:
		if s := p.sessionOf(ev.TargetInfo); s != nil {
			s.Clients.Created(ev.TargetInfo)
			s.TargetCreated(ev.TargetInfo)
		}
	case *target.EventTargetInfoChanged:
		if s := p.sessionOf(ev.TargetInfo); s != nil {
			s.Clients.Changed(ev.TargetInfo)
			s.TargetChanged(ev.TargetInfo)
		}
	case *target.EventAttachedToTarget:
		switch s := p.sessionOf(ev.TargetInfo); {
		case s != nil && ev.WaitingForDebugger:
			s.TargetPaused(ev.TargetInfo, ev.SessionID)
		case s == nil && p.away != nil:
			p.away.letGo(p.wire, ev)
		}
	case *target.EventTargetDestroyed:
		p.each(func(s *session) {
			s.TargetGone(ev.TargetID, page.ErrTabClosed)
			s.Clients.Destroyed(ev.TargetID)
		})
	case *target.EventTargetCrashed:
		p.each(func(s *session) {
			s.TargetCrashed(ev.TargetID)
			s.Clients.Crashed(ev)
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
func (p *process) add(s *session) bool { return p.lend(s.ContextID(), s) }

func (p *process) drop(s *session) {
	p.unlend(s.ContextID())
}

// lend makes the session hear of the targets of a context that a client has
// made; false when the process has ended.
func (p *process) lend(id cdp.BrowserContextID, s *session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopping || p.cause != nil {
		return false
	}
	p.sessions[id] = s
	return true
}

func (p *process) unlend(id cdp.BrowserContextID) {
	p.mu.Lock()
	delete(p.sessions, id)
	p.mu.Unlock()
	p.router.forget(id)
}
