package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/internal/lexicon"
)

var noteMark = lexicon.Pattern(`^\s*(?:\[(?i:note)?\s*(?:\w|\d{1,3})\]|[*†‡]+)\s*$`)

// isNoteMark reports whether an element is the mark of a note and no part of the
// text: it is raised, and a sign or a link into the page.
func isNoteMark(n *html.Node) bool {
	if n.DataAtom != atom.Sup {
		return false
	}
	for d, levels := n.FirstChild, 0; d != nil && levels < nearHeading; d, levels = d.FirstChild, levels+1 {
		if d.Type == html.TextNode {
			return noteMark().MatchString(d.Data)
		}
		if d.DataAtom == atom.A && strings.HasPrefix(attr(d, "href"), "#") {
			return true
		}
	}
	return false
}
