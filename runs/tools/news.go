package tools

import (
	"maps"

	"github.com/drover-go/drover/runs/browser"
	"github.com/drover-go/drover/runs/internal/outline"
)

// maxKnown is how many references are remembered; more than that are those of
// pages that were left long ago, most of them.
const maxKnown = 200_000

// remember marks what is new on the page and keeps what there is.
func (s *Set) remember(v *outline.View) {
	same := s.view.url == v.Page.URL && s.view.tab == currentTab(v.Page)
	lines, said := s.markNew(v, same)
	s.view.url, s.view.tab, s.view.lines, s.view.said = v.Page.URL, currentTab(v.Page), lines, said
}

// rememberPart is remember for a part of the page: the rest is as it was.
func (s *Set) rememberPart(v *outline.View) {
	if s.view.url != v.Page.URL {
		return
	}
	lines, said := maps.Clone(s.view.lines), maps.Clone(s.view.said)
	more, also := s.markNew(v, true)
	maps.Copy(lines, more)
	maps.Copy(said, also)
	s.view.lines, s.view.said = lines, said
}

// rememberNames keeps what references of lines stand for that were found.
func (s *Set) rememberNames(part outline.View) {
	if s.view.lines == nil {
		s.view.lines = map[browser.Ref]outline.Line{}
	}
	for _, l := range part.Lines {
		if l.Ref != "" {
			s.view.lines[l.Ref] = l
		}
	}
}

// markNew marks what is new where the page is the same, and returns what can be
// acted on, and what the lines say.
func (s *Set) markNew(v *outline.View, same bool) (lines map[browser.Ref]outline.Line, said map[string]bool) {
	lines, said = map[browser.Ref]outline.Line{}, make(map[string]bool, len(v.Lines))
	if s.view.known == nil || len(s.view.known) > maxKnown {
		s.view.known = make(map[browser.Ref]bool, len(s.view.lines))
		for ref := range s.view.lines {
			s.view.known[ref] = true
		}
	}
	for i, l := range v.Lines {
		says := saying(l)
		if l.Ref == "" {
			v.Lines[i].New = same && l.Name != "" && !s.view.said[says]
		} else {
			v.Lines[i].New = same && !s.view.known[l.Ref]
			lines[l.Ref] = l
		}
		said[says] = true
	}
	for ref := range lines {
		s.view.known[ref] = true
	}
	return lines, said
}

// maxSaying bounds what of a name counts: long ones are shown cut, or whole.
const maxSaying = 1000

// saying is what a line without a reference is known by: an element that has lost
// its own, behind a dialog, is not new.
func saying(l outline.Line) string { return l.Role + " " + l.Name[:min(len(l.Name), maxSaying)] }
