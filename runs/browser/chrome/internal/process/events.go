package process

import (
	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// onEvent runs on the goroutine that reads the pipe: it only passes on.
func (p *Process) onEvent(ev any) {
	switch ev := ev.(type) {
	case *target.EventTargetCreated:
		if s := p.SessionOf(ev.TargetInfo); s != nil {
			s.TargetCreated(ev.TargetInfo)
		}
	case *target.EventTargetInfoChanged:
		if s := p.SessionOf(ev.TargetInfo); s != nil {
			s.TargetChanged(ev.TargetInfo)
		}
	case *target.EventAttachedToTarget:
		switch s := p.SessionOf(ev.TargetInfo); {
		case s != nil && ev.WaitingForDebugger:
			s.TargetPaused(ev.TargetInfo, ev.SessionID)
		case s == nil && p.away != nil:
			p.away.letGo(p.wire, ev)
		}
	case *target.EventTargetDestroyed:
		p.each(func(s Session) { s.TargetDestroyed(ev.TargetID) })
	case *target.EventTargetCrashed:
		p.each(func(s Session) { s.TargetCrashed(ev) })
	case *cdpbrowser.EventDownloadWillBegin:
		p.onDownload(ev.GUID, func(r *received) { r.begun = ev })
	case *cdpbrowser.EventDownloadProgress:
		p.onDownload(ev.GUID, func(r *received) { r.last = ev })
	}
}

// SessionOf returns the session of a target; nil if it is of none, or if the
// browser does not say.
func (p *Process) SessionOf(info *target.Info) Session {
	if info == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sessions[info.BrowserContextID]
}

func (p *Process) each(f func(Session)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sessions {
		f(s)
	}
}

// Add makes a session hear of the targets of a browser context; false when the
// process has ended.
func (p *Process) Add(id cdp.BrowserContextID, s Session) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopping || p.cause != nil {
		return false
	}
	p.sessions[id] = s
	return true
}

// Remove undoes Add.
func (p *Process) Remove(id cdp.BrowserContextID) {
	p.mu.Lock()
	delete(p.sessions, id)
	p.mu.Unlock()
	p.router.forget(id)
}
