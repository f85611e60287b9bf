package tools

import (
	"context"
	"errors"
	"strconv"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
)

// Close ends what the tools hold: a dialog that still stands is dismissed. It may
// be called several times.
func (s *Set) Close() {
	if s.stopAsking != nil {
		s.stopAsking()
		s.stopAsking = nil
	}
}

// ask has the session ask about dialogs from now on.
func (s *Set) ask(session browser.Session) {
	if s.stopAsking == nil && !s.opts.AcceptDialogs {
		s.stopAsking = session.AskDialogs()
	}
}

// stands reports whether the error is that a dialog has to be answered first.
func stands(err error) bool {
	_, ok := errors.AsType[*browser.DialogError](err)
	return ok
}

const (
	// answerFirst is said of what cannot be done before a dialog is answered.
	answerFirst = "a dialog is open and the page stands still; answer it with dialog first"
	// dialogOpened is said when one has opened.
	dialogOpened = "A dialog is open, and the page stands still until you answer it with dialog."
)

// standing is the page that a dialog stands on, without elements: nothing on it
// can be looked at.
func (s *Set) standing(ctx context.Context, session browser.Session, known browser.Page) (outline.View, error) {
	p, err := session.Page(ctx)
	if err != nil {
		return outline.View{}, err
	}
	p.Dialogs, p.Downloads = append(known.Dialogs, p.Dialogs...), append(known.Downloads, p.Downloads...)
	return outline.View{Page: s.cleanPage(p)}, nil
}

// withStanding adds the dialog to the error of a call that has to wait for it.
func (s *Set) withStanding(ctx context.Context, said string) string {
	session, err := s.opts.Session(ctx)
	if err != nil {
		return said
	}
	v, err := s.standing(ctx, session, browser.Page{})
	if err != nil {
		return said
	}
	text, _ := v.Text(s.fence, s.opts.MaxOutput)
	return "Error: " + said + "\n" + text
}

// maxTabField bounds what is shown of each open tab, in bytes.
const maxTabField = 200

func (s *Set) cleanTabs(tabs []browser.Tab) (clean []browser.Tab) {
	for _, t := range tabs {
		clean = append(clean, browser.Tab{
			Name: t.Name, Title: cut(s.clean(t.Title), maxTabField), URL: cut(s.clean(t.URL), maxTabField), Current: t.Current,
		})
	}
	return clean
}

func (s *Set) cleanDialog(d *browser.OpenDialog) *browser.OpenDialog {
	if d == nil {
		return nil
	}
	return &browser.OpenDialog{Type: d.Type, Message: s.field(d.Message), Default: s.field(d.Default)}
}

// currentTab is the name of the tab that a page is in; empty for the only one.
func currentTab(p browser.Page) string {
	for _, t := range p.Tabs {
		if t.Current {
			return t.Name
		}
	}
	return ""
}

// countTabs says how many there are.
func countTabs(p browser.Page) string {
	if n := len(p.Tabs); n > 1 {
		return strconv.Itoa(n) + " tabs are open."
	}
	return "One tab is open."
}
