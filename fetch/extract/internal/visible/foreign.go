package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// foreigners finds what speaks of something else than the page's own thing: the
// related things under a heading or in an element that says so, a card that
// leads to another page, and the remarks of readers.
func (r *reader) foreigners() {
	r.foreign = map[*html.Node]graph.Owner{}
	first := r.firstHeading()
	for i := 0; i < len(r.nodes); i++ {
		r.Meter.Step(1)
		n := &r.nodes[i]
		if n.is(isText) {
			continue
		}
		if n.level > 1 && saysRelated(r.text[n.from:n.to]) {
			r.disown(n.end, r.relatedEnd(i), graph.Related)
		}
		if !page.IsBlock(n.el) && !n.named(atom.A) || i <= first && first < n.end || n.named(atom.Body) {
			continue
		}
		if owner := r.ownerOf(i, first); owner > r.foreign[n.el] {
			r.disown(i, n.end, owner)
		}
	}
}

// firstHeading returns the first heading of the first level with words, or -1.
func (r *reader) firstHeading() int {
	for i := range r.nodes {
		if n := &r.nodes[i]; n.level == 1 && n.from < n.to {
			return i
		}
	}
	return -1
}

// ownerOf returns of what an element speaks by its name and classes.
func (r *reader) ownerOf(i, first int) graph.Owner {
	n := &r.nodes[i]
	owner := graph.Own
	for k := range r.tokens.in(attr(n.el, "class") + " " + attr(n.el, "id")) {
		owner = max(owner, k.owner)
	}
	switch {
	case owner != graph.Own:
		return owner
	case first >= 0 && first < i && r.isOtherCard(i):
		return graph.Related
	case n.named(atom.Aside) && (!InArticle(n.el) || OpensRelated(r.text[n.from:n.to])),
		n.named(atom.Footer) && !tree.Is(n.el.Parent, atom.Article):
		return graph.Remark
	}
	return graph.Own
}

// nearArticle is how many levels above an element are asked for an article.
const nearArticle = 8

// InArticle reports whether an element is a few levels within an article: an
// aside there may say who wrote it.
func InArticle(n *html.Node) bool {
	for a, levels := n.Parent, 0; a != nil && levels < nearArticle; a, levels = a.Parent, levels+1 {
		if a.DataAtom == atom.Article {
			return true
		}
	}
	return false
}

// OpensRelated reports whether the first line of a text is a heading over
// related things.
func OpensRelated(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return saysRelated(cut(line, maxRelated))
}

// disown says of the elements from one node to another of what they speak.
func (r *reader) disown(from, to int, owner graph.Owner) {
	for i := from; i < to; i++ {
		r.Meter.Step(1)
		if n := &r.nodes[i]; !n.is(isText) {
			r.foreign[n.el] = max(r.foreign[n.el], owner)
		}
	}
}

// isForeign reports whether a node speaks of a related thing.
func (r *reader) isForeign(i int) bool { return r.foreign[r.elementOf(i)] == graph.Related }

// relatedEnd returns the node at which what stands under a heading ends: the
// next heading that is not below it, or the end of the element that the heading
// opens.
func (r *reader) relatedEnd(h int) int {
	up := r.nodes[h].up
	for up > 0 && r.nodes[up].to == r.nodes[h].to {
		up = r.nodes[up].up
	}
	if up < 0 {
		return r.nodes[h].end
	}
	for i := r.nodes[h].end; i < r.nodes[up].end; i++ {
		r.Meter.Step(1)
		if l := r.nodes[i].level; l > 0 && l <= r.nodes[h].level {
			return i
		}
	}
	return r.nodes[up].end
}

// maxCard is the length of the text of a card, in bytes.
const maxCard = 300

// isOtherCard reports whether an element is the card of another thing: it opens
// with a link that names the thing.
func (r *reader) isOtherCard(i int) bool {
	n := &r.nodes[i]
	if n.from == n.to || n.to-n.from > maxCard || !n.is(hasLink) || !r.isCard(n.el) {
		return false
	}
	link := r.firstLink(i)
	if link < 0 || r.nodes[link].from != n.from || r.nodes[link].to == n.to && link != i {
		return false
	}
	_, ok := r.address(attr(r.nodes[link].el, "href"), "", 0, link)
	return ok
}

func (r *reader) isCard(n *html.Node) bool {
	for k := range r.tokens.in(attr(n, "class")) {
		if k.card {
			return true
		}
	}
	return false
}

// isCardName reports whether the words of a class call something a card.
func isCardName(words []string) bool {
	if len(words) == 0 || len(words) > 2 {
		return false
	}
	last := words[len(words)-1]
	return last == "card" || last == "tile" || last == "teaser"
}
