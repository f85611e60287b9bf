package blocks

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// keepRemarks keeps quotes, and the tips and warnings of a handbook, that stand
// in the text that is kept: their words are short, and often not the page's own.
func (s *settler) keepRemarks(quotes bool) {
	s.kept = keptWords(s.Page, s.keep)
	end := int32(0)
	for i := range s.elems {
		e := &s.elems[i]
		if e.from < end || e.to <= e.from || e.parent < 0 || !isRemark(e.node) || !quotes && tree.Is(e.node, atom.Blockquote) {
			continue
		}
		if sum := s.within(int32(i)); 2*sum.links > sum.words || !s.inText(e) {
			continue
		}
		for j := e.from; j < e.to; j++ {
			s.keep[j] = true
		}
		end = e.to
	}
}

// inText reports whether a text right before or behind an element, in the same
// parent, is kept, and most of that parent.
func (s *settler) inText(e *elem) bool {
	around := &s.elems[e.parent]
	before := e.from > around.from && s.keep[e.from-1]
	behind := e.to < around.to && s.keep[e.to]
	return (before || behind) && s.mostlyKept(around, e)
}

// isRemark reports whether an element is a quote, a tip or a warning.
func isRemark(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Blockquote:
		return true
	case atom.Div, atom.Aside, atom.Section, atom.P, atom.Dl:
	default:
		return false
	}
	if len(n.Attr) == 0 {
		return false
	}
	if tree.AttrOr(n, "role") == "note" {
		return true
	}
	seen := 0
	for class := range tree.Classes(n) {
		if seen++; seen > maxClasses {
			return false
		}
		if remarks[strings.ToLower(class)] {
			return true
		}
	}
	return false
}

// maxClasses is how many classes of an element are looked at.
const maxClasses = 16

// remarks are the classes that writers of documentation give what stands beside
// their text.
var remarks = map[string]bool{
	"admonition": true, "admonitionblock": true, "alert": true, "callout": true, "note": true, "tip": true, "warning": true,
	"caution": true, "important": true, "hint": true, "danger": true, "theme-admonition": true, "markdown-alert": true, "custom-block": true,
}
