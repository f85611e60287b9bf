package maincontent

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// Around returns the smallest element that holds all of the content: that of the
// page with [Options.KeepOriginals], else that of Tree.
func (r *Result) Around() *html.Node {
	n := r.Tree
	for inner := onlyChild(n); inner != nil; inner = onlyChild(n) {
		n = inner
	}
	return cmp.Or(r.Original(n), n)
}

// Body is Text without the heading that the page has as its title, where the
// content begins with it. It has to be called before Tree is converted.
func (r *Result) Body() string {
	text := r.Text()
	for n := range r.Tree.Descendants() {
		if tree.Is(n, atom.H1) {
			title := (&Result{Tree: n}).Text()
			if rest, ok := strings.CutPrefix(text, title+"\n"); ok && title != "" {
				return rest
			}
			break
		}
	}
	return text
}

// onlyChild returns the element that is all of n, nil if there is none. The base
// address that a copy was given is none of its content.
func onlyChild(n *html.Node) (only *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case tree.IsBlank(c), tree.Is(c, atom.Head), c.Type == html.DoctypeNode, c.Type == html.CommentNode:
		case c.Type != html.ElementNode, only != nil:
			return nil
		default:
			only = c
		}
	}
	return only
}
