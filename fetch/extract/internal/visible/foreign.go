package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/shorten"
)

// foreigners finds what speaks of something else than the page's own thing: the
// related things under a heading or in an element that says so, a card that
// leads to another page, and the remarks of readers.
func (r *reader) foreigners() {
	r.foreign = map[*html.Node]graph.Owner{}
	end, level := 0, int8(0) // of what stands under a heading over related things
	for i, n := range r.all() {
		if n.is(isText) || n.up < 0 {
			continue
		}
		owner := r.foreign[r.nodes[n.up].el]
		if n.level > 0 && n.level <= level {
			end = 0
		}
		if i < end {
			owner = max(owner, graph.Related)
		}
		if (page.IsBlock(n.el) || n.named(atom.A)) && (i > r.heading || r.heading >= n.end) {
			owner = max(owner, r.ownerOf(i))
		}
		if owner != graph.Own {
			r.foreign[n.el] = owner
		}
		if n.level > 1 && i >= end && isRelatedHeading(r.text[n.from:n.to]) {
			up := n.up
			for up > 0 && r.nodes[up].to == n.to {
				up = r.nodes[up].up
			}
			end, level = r.nodes[up].end, n.level
		}
	}
}

// maxCard is the length of the text of a card, in bytes.
const maxCard = 300

// ownerOf returns of what an element speaks by its name and classes. A card
// behind the title that opens with a link to a thing is one of another.
func (r *reader) ownerOf(i int) graph.Owner {
	n := &r.nodes[i]
	switch {
	case n.is(saysRelated), !n.is(saysRemark) && 0 <= r.heading && r.heading < i && n.is(saysCard) && n.to-n.from <= maxCard && r.opensLink(i):
		return graph.Related
	case n.is(saysRemark), n.named(atom.Footer) && !tree.Is(n.el.Parent, atom.Article),
		n.named(atom.Aside) && (!InArticle(n.el) || OpensRelated(r.text[n.from:n.to])):
		return graph.Remark
	}
	return graph.Own
}

// opensLink reports whether an element is a link, or begins with one.
func (r *reader) opensLink(i int) bool {
	a := r.firstLink(i)
	return a >= 0 && r.nodes[a].from == r.nodes[i].from && (r.nodes[a].to < r.nodes[i].to || a == i) && !strings.HasPrefix(attr(r.nodes[a].el, "href"), "#")
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
	return isRelatedHeading(shorten.Prefix(line, maxRelated))
}

// maxRelated is the length of a heading over related things, in bytes.
const maxRelated = 80

// isRelatedHeading reports whether a heading is one over other things than that of
// the page.
func isRelatedHeading(heading string) bool {
	return heading != "" && len(heading) <= maxRelated && containsAny(strings.ToLower(strings.ReplaceAll(heading, ":", " "))+" ", phrasesOf()["related heading"])
}

// isForeign reports whether a node speaks of a related thing.
func (r *reader) isForeign(i int) bool { return r.foreign[r.elementOf(i)] == graph.Related }
