package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/fetch/extract/internal/visible"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// maxByline is the length in bytes of a text that may name an author or a date.
const maxByline = 80

// byline looks at an element whose class says that it names the author or the
// date of what is around it. Pages that carry no data for machines have these.
func (h *head) byline(p *page.Page, n *html.Node) {
	class := tree.AttrOr(n, "class")
	if class == "" || len(class) > 300 || len(h.bylines) == maxNoted && len(h.dates) == maxNoted {
		return
	}
	by, at := says(class)
	if !by && !at || h.isBeside(p, n) || h.isAnswer(p, n) {
		return
	}
	text := oneLine(p.Shown(n))
	switch {
	case text == "" || len(text) > maxByline:
	case by && !at && people.MayBe(text) && len(h.bylines) < maxNoted:
		h.bylines = append(h.bylines, text)
	case at && len(h.dates) < maxNoted && !isUpdated(text) && !isUpdated(class):
		h.dates = append(h.dates, text)
	}
}

// isAnswer reports whether an element stands in a post of a thread that is not
// the one that opens it: who wrote that, whatever his name, wrote the page.
func (h *head) isAnswer(p *page.Page, n *html.Node) bool {
	var post *html.Node
	for a := n.Parent; a != nil && !h.around[a] && !tree.Is(a, atom.Body, atom.Main); a = a.Parent {
		p.Meter.Step(1)
		if postClass().MatchString(firstClass(a)) {
			post = a
		}
	}
	if h.post == nil {
		h.post = post
	}
	return post != nil && post != h.post
}

// says reports whether the words of a class are those for an author or for a
// date.
func says(class string) (author, date bool) {
	words := strings.FieldsFunc(strings.ToLower(class), func(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '\n' || r == '\t' })
	for _, word := range words {
		switch word {
		case "author", "byline", "writer", "username", "authorname":
			author = true
		case "date", "published", "posted", "pubdate", "timestamp", "postdate", "publishdate", "publish", "datetime":
			date = true
		case "comment", "comments", "reply", "related", "modified", "updated", "box", "bio", "avatar", "image", "img", "icon", "link", "links", "widget", "footer", "copyright", "event", "picker", "start", "end":
			return false, false
		}
	}
	return author, date
}

// isBeside reports whether an element stands in what surrounds the content, or
// among the remarks of readers. What is around the first heading surrounds
// nothing.
func (h *head) isBeside(p *page.Page, n *html.Node) bool {
	for a := n; a != nil && !h.around[a] && !tree.Is(a, atom.Body, atom.Main); a = a.Parent {
		p.Meter.Step(1)
		if tree.Is(a, atom.Nav) || tree.Is(a, atom.Aside) && h.isAside(p, a) || tree.Is(a, atom.Footer) && !tree.Is(a.Parent, atom.Article) {
			return true
		}
		if class := tree.AttrOr(a, "class"); class != "" && visible.IsOfOthers(class) {
			return true
		}
		if h.isItem(p, a) {
			return true
		}
	}
	return false
}

// isAside reports whether an aside element is one: templates write what an
// article says of itself in some. It is asked once of each.
func (h *head) isAside(p *page.Page, n *html.Node) bool {
	known, ok := h.asides[n]
	if !ok {
		known = !visible.InArticle(n) || visible.OpensRelated(p.Shown(n))
		if h.asides == nil {
			h.asides = map[*html.Node]bool{}
		}
		h.asides[n] = known
	}
	return known
}
