package chrome

import (
	"context"
	"encoding/json"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
)

// consoleWanted reports whether the pages' consoles are listened to. That a
// page can tell when they are, so that a verified session does not.
func (s *session) consoleWanted() bool { return s.watch() != nil && !s.options().Verified }

// watch returns who observes the session; nil if nobody does.
func (s *session) watch() *observer { return s.watching.Load() }

// beginWatch lets who asked for it observe the session.
func (s *session) beginWatch() {
	if tell := s.options().Observe; tell != nil {
		s.watching.Store(newObserver(s.p.opts, tell))
	}
}

// listenToConsole makes a tab tell of its console.
func (t *tab) listenToConsole(ctx context.Context) error {
	t.s.watch().note(string(t.id), target.TargetCreated.Method, params{"targetId": t.id, "popup": t.popup})
	if !t.s.consoleWanted() {
		return nil
	}
	return t.console.open(ctx)
}

func (s *session) observeBegin(ev *cdpbrowser.EventDownloadWillBegin, item *download) {
	s.watch().note("", cdpbrowser.DownloadWillBegin.Method, params{
		"guid": item.guid, "frameId": ev.FrameID, "url": item.url, "suggestedFilename": cutText(item.name, 1000)})
}

// observeDownload tells of the end of a download; how it goes is of no use.
func (s *session) observeDownload(item *download, ev *cdpbrowser.EventDownloadProgress) {
	if ev.State == cdpbrowser.DownloadProgressStateInProgress {
		return
	}
	p := params{"guid": item.guid, "state": ev.State, "receivedBytes": ev.ReceivedBytes, "totalBytes": ev.TotalBytes}
	if item.given != "" {
		p["reason"] = item.given
	}
	s.watch().note("", cdpbrowser.DownloadProgress.Method, p)
}

// unquoted is a string of JSON as text; other values as they are.
func unquoted(text string) string {
	var s string
	if json.Unmarshal([]byte(text), &s) == nil {
		return s
	}
	return text
}
