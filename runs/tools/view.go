package tools

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
	"github.com/drover-go/drover/runs/model"
)

var errClosed = errors.New("the browser session was closed")

// session returns the browser. Without one the run cannot go on.
func (s *Set) session(ctx context.Context) (browser.Session, Result, error) {
	session, err := s.opts.Session(ctx)
	if err != nil {
		return nil, Result{Fatal: err}, err
	}
	s.ask(session)
	return session, Result{}, nil
}

// lastView is what the model has been shown last.
type lastView struct {
	url   string
	tab   string
	lines map[browser.Ref]outline.Line
	said  map[string]bool // what its lines say, see saying
	body  string
	sum   uint64 // of all lines, those included that were left out
	// known are the references that the model has been shown on any page: an
	// element that comes back is none that is new.
	known map[browser.Ref]bool
}

// act does something to the page and answers with what it did and how the page
// looks then. When it fails, the answer has the page, too: the model must see
// where it stands.
func (s *Set) act(ctx context.Context, do func(browser.Session) (said string, p browser.Page, err error)) (Result, error) {
	session, r, err := s.session(ctx)
	if err != nil {
		return r, err
	}
	before, tab := s.view.url, s.view.tab
	said, page, err := do(session)
	if err != nil && (ended(session) || ctx.Err() != nil) {
		return Result{Fatal: dead(session)}, err
	}
	v, lookErr := s.look(ctx, session, page)
	if lookErr != nil {
		return Result{Fatal: dead(session)}, &unsureError{cmp.Or(err, lookErr)}
	}
	if err != nil {
		said = "Error: " + s.explain(ctx, unsure(ctx, err))
	}
	if page.AskedFiles {
		said += askedFiles
	}
	text := said + "\n" + s.describe(v, s.opts.MaxOutput-len(said))
	r = Result{Output: model.TextOutput(text), Moved: v.Page.Dialog == nil && before != "" && (v.Page.URL != before || currentTab(v.Page) != tab)}
	if err != nil {
		r.Output = model.ErrorOutput(text)
	}
	return r, nil
}

// askedFiles is for a click that has opened a file chooser.
const askedFiles = " The page asked for files, and was told that none was chosen: use upload on the element in place of a click."

func ended(session browser.Session) bool {
	select {
	case <-session.Done():
		return true
	default:
		return false
	}
}

// dead returns why a session has ended; nil if it lives.
func dead(session browser.Session) error {
	if !ended(session) {
		return nil
	}
	return cmp.Or(session.Err(), errClosed)
}

// look takes a snapshot and makes it fit for the model. The page is what the
// act before it returned: its dialogs are told only once.
func (s *Set) look(ctx context.Context, session browser.Session, page browser.Page) (outline.View, error) {
	if page.Dialog != nil {
		return s.standing(ctx, session, page)
	}
	snap, err := session.Snapshot(ctx)
	if stands(err) {
		return s.standing(ctx, session, page)
	}
	if err != nil {
		return outline.View{}, err
	}
	v := s.viewOf(snap, page)
	s.remember(&v)
	return v, nil
}

// viewOf is a snapshot fit for the model, its long texts cut.
func (s *Set) viewOf(snap browser.Snapshot, page browser.Page) outline.View {
	v := s.wholeViewOf(snap, page)
	cutTexts(v.Lines)
	return v
}

// wholeViewOf has all of its texts, to be looked through.
func (s *Set) wholeViewOf(snap browser.Snapshot, page browser.Page) outline.View {
	snap.Page.Dialogs = append(page.Dialogs, snap.Page.Dialogs...)
	snap.Page.Downloads = append(page.Downloads, snap.Page.Downloads...)
	if snap.Page.Status == 0 && snap.Page.URL == page.URL {
		snap.Page.Status = page.Status
	}
	v := outline.View{Page: s.cleanPage(snap.Page), Total: len(snap.Elements), Cut: snap.Truncated, Unlisted: snap.Unlisted, Scroll: snap.Scroll}
	v.Lines = make([]outline.Line, 0, len(snap.Elements))
	for _, e := range snap.Elements {
		v.Lines = append(v.Lines, outline.Line{Element: s.cleanElement(e)})
	}
	return v
}

// nameOf says in an answer which element was meant.
func (s *Set) nameOf(ref browser.Ref) string {
	l, ok := s.view.lines[ref]
	if !ok {
		return "[" + string(ref) + "]"
	}
	named := outline.Line{Element: browser.Element{Role: l.Role, Name: cut(l.Name, 200), Ref: ref}}
	return strings.TrimPrefix(named.String(), "- ")
}

// describe writes a view, unless it is what the model has seen last.
func (s *Set) describe(v outline.View, limit int) string {
	text, _ := v.Text(s.fence, limit)
	body := strings.NewReplacer("- *", "- ", " focused", "").Replace(text) // a click takes the focus
	sum := v.Sum()
	same, whole := body == s.view.body, sum == s.view.sum
	s.view.body, s.view.sum = body, sum
	if same && len(v.Page.Dialogs) == 0 && len(v.Page.Downloads) == 0 {
		return sameness(v, whole)
	}
	if v.Page.Dialog != nil {
		text = dialogOpened + "\n" + text
	}
	return text
}

// sameness says how much of a page is as it was: all lines, where whole is true, or
// those that the model has been shown.
func sameness(v outline.View, whole bool) string {
	switch {
	case !whole:
		return unchangedHere + " Lines that were left out have changed: find, or snapshot with offset, shows them."
	case v.Cut:
		return unchangedHere + " It has more elements than can be listed; those in view are."
	}
	return unchanged
}

const (
	unchanged     = "The page is as it was."
	unchangedHere = "What was shown of the page is as it was."
)

// maxField bounds the single texts of an element.
const maxField = 2000

func (s *Set) cleanPage(p browser.Page) browser.Page {
	dialogs := make([]browser.Dialog, 0, len(p.Dialogs))
	for _, d := range p.Dialogs {
		dialogs = append(dialogs, browser.Dialog{Type: d.Type, Message: s.field(d.Message), Accepted: d.Accepted})
	}
	if len(dialogs) == 0 {
		dialogs = nil
	}
	var downloads []browser.Started
	for _, d := range p.Downloads {
		downloads = append(downloads, browser.Started{Filename: s.field(d.Filename), Refused: s.field(d.Refused)})
	}
	return browser.Page{
		URL: s.field(p.URL), Title: s.field(p.Title), Status: p.Status, Loading: p.Loading, Dialogs: dialogs, Downloads: downloads,
		Dialog: s.cleanDialog(p.Dialog), Tabs: s.cleanTabs(p.Tabs),
	}
}

// cleanElement leaves roles and types alone: they are of a closed set, as the
// outline makes sure.
func (s *Set) cleanElement(e browser.Element) browser.Element {
	for _, text := range []*string{&e.Name, &e.Placeholder, &e.URL, &e.Description, &e.Error, &e.Min, &e.Max, &e.Step} {
		if *text == "" {
			continue
		}
		*text = s.clean(*text)
	}
	e.Value = s.shownValue(e)
	e.Options = slices.Clone(e.Options)
	for i, o := range e.Options {
		e.Options[i] = s.field(o)
	}
	return e
}

// cutTexts shortens the texts of lines.
func cutTexts(lines []outline.Line) {
	for i := range lines {
		for _, text := range textsOf(&lines[i]) {
			*text = cut(*text, maxField)
		}
	}
}

// textsOf are those that a page may make as long as it likes.
func textsOf(l *outline.Line) []*string {
	return []*string{&l.Name, &l.Value, &l.Placeholder, &l.Description, &l.Error, &l.URL, &l.Min, &l.Max, &l.Step}
}

func (s *Set) field(text string) string { return cut(s.clean(text), maxField) }
