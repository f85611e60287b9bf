package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
)

// isAuthorName reports whether a class calls something the author of an item.
func isAuthorName(name string) bool {
	return name == "author" || name == "byline" || strings.HasSuffix(name, " author") || name == "comment byline"
}

// maxPerson is the length of the name of somebody, in bytes.
const maxPerson = 60

// addAuthor adds the author of an item. Where more than the name stands in the
// element, such as "by" and a date, the name is its only link, or what is in bold.
func (r *reader) addAuthor(i int, v graph.Value) {
	found := -1
	for c, n := range r.near(i) {
		if c == i || !n.named(atom.A, atom.B, atom.Strong, atom.Cite) || n.from == n.to || n.to-n.from > maxPerson || found >= 0 && c < r.nodes[found].end {
			continue
		}
		if found >= 0 {
			found = -1
			break
		}
		found = c
	}
	if found >= 0 && hasWords(r.textOf(found)) && !strings.Contains(r.textOf(found), "@") && r.textOf(found) != v.Text {
		v.Text, v.Shown = r.textOf(found), v.Text
	}
	r.add(r.nodes[i].part, "author", v)
}

// sharing is what the address of a link has that shares the page.
var sharing = lexicon.Pattern(`(?i)share|intent/|url=|\?u=|text=`)

// socialLink adds a link that is called by the name of a network to the
// profiles of whom the page is about. Links that share the page are none.
func (r *reader) socialLink(i int, v graph.Value) {
	el := r.nodes[i].el
	for _, name := range [...]string{v.Shown, attr(el, "aria-label"), attr(el, "title")} {
		if isSocial(name) && !sharing().MatchString(cut(attr(el, "href"), 4*maxNames)) {
			v.Source = graph.Label
			r.add(r.nodes[i].part, "social links", v)
			return
		}
	}
}

// isSocial reports whether a text is the name of a network, perhaps behind words
// that ask to follow somebody there.
func isSocial(s string) bool {
	if s = strings.TrimSpace(s); s == "" || len(s) > maxMoney || !is("network", strings.ToLower(strings.Trim(s[strings.LastIndexByte(s, ' ')+1:], ".,:()[]"))) {
		return false
	}
	words := strings.Fields(s)
	return len(words) == 1 || len(words) <= 5 && is("follow word", strings.ToLower(words[0]))
}
