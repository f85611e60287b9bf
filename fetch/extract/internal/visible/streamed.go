package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxStreamed is how many parts of a page that were sent late are looked for, and
// maxLate how many lie within each other.
const (
	maxStreamed = 500
	maxLate     = 8
)

// streamedIn returns the parts of a page that React's servers send late, by their
// number: hidden, at the end, with the id "S:1a", where the template "B:1a" or
// "P:1a" keeps the place that a script puts them in.
func streamedIn(p *page.Page) map[string]*html.Node {
	all := map[string]*html.Node{}
	for n := range p.Elements() {
		if _, hidden := tree.Attr(n, "hidden"); hidden && n.DataAtom == atom.Div {
			if number, ok := strings.CutPrefix(tree.AttrOr(n, "id"), "S:"); ok && len(all) < maxStreamed {
				all[number] = n
			}
		}
	}
	return all
}

// arrived lays out what was sent late for the place of a template.
func (y *layer) arrived(template *html.Node, up int, f flags) {
	kind, number, _ := strings.Cut(tree.AttrOr(template, "id"), ":")
	n := y.streamed[number]
	if n == nil || kind != "B" && kind != "P" || y.late >= maxLate {
		return
	}
	delete(y.streamed, number)
	y.late++
	y.whole(n, up, f)
	y.late--
}
