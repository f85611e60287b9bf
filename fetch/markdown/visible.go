package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// isInvisible reports whether a browser would show nothing of the element.
//
// The attribute aria-hidden is another matter than what [tree.IsHidden] counts:
// it hides from screen readers what others see, and pages set it on all of their
// content while a dialog is open. It counts where no word would be lost.
func (w *work) isInvisible(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Head, atom.Style, atom.Template, atom.Title, atom.Base, atom.Link, atom.Meta, atom.Noframes, atom.Noembed,
		atom.Param, atom.Source, atom.Track, atom.Datalist, atom.Textarea, atom.Col, atom.Colgroup, atom.Wbr:
		return n.Namespace == ""
	case atom.Html, atom.Body:
		return false
	}
	return tree.IsHidden(n) || tree.AttrOr(n, "aria-hidden") == "true" && w.isDecoration(n)
}

// decorationSize is the number of nodes that an icon is made of at most.
const decorationSize = 100

// isDecoration reports whether n holds neither words nor images.
func (w *work) isDecoration(n *html.Node) bool {
	if n.DataAtom == atom.Img {
		return false
	}
	nodes := 0
	for d := range w.Below(n) {
		nodes++
		if nodes > decorationSize || d.Type == html.TextNode && hasWords(d.Data) || tree.Is(d, atom.Img) {
			return false
		}
	}
	return true
}

// dismiss takes an invisible element out. What it would have shown of a
// formula stands beside it as an image or in another form.
func (c *cleaner) dismiss(n *html.Node) {
	if prev, next := n.PrevSibling, n.NextSibling; tree.IsBlock(n) && isText(prev) && isText(next) {
		tree.Replace(n, tree.Text(" "))
		return
	}
	tree.Remove(n)
}

func isText(n *html.Node) bool { return n != nil && n.Type == html.TextNode }
