package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// isInvisible reports whether a browser would show nothing of the element.
//
// The attribute hidden counts, except for its value "until-found": such text
// is there to be found. Of inline styles display and visibility count; style
// sheets are not read. The root and the body are never taken for hidden, for
// pages hide them until their scripts have run.
//
// The attribute aria-hidden is another matter: it hides from screen readers
// what others see, and pages set it on all of their content while a dialog is
// open. It counts where no word would be lost.
func (w *work) isInvisible(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Html, atom.Body:
		return false
	case atom.Head, atom.Style, atom.Template, atom.Title, atom.Base, atom.Link, atom.Meta, atom.Noframes, atom.Noembed,
		atom.Param, atom.Source, atom.Track, atom.Datalist, atom.Textarea, atom.Col, atom.Colgroup, atom.Wbr:
		return n.Namespace == ""
	case atom.Dialog:
		if _, open := tree.Attr(n, "open"); !open {
			return true
		}
	}
	for i := range n.Attr {
		switch a := &n.Attr[i]; a.Key {
		case "hidden":
			return !strings.EqualFold(a.Val, "until-found")
		case "style":
			if hidesStyle(a.Val) {
				return true
			}
		case "aria-hidden":
			if a.Val == "true" && w.isDecoration(n) {
				return true
			}
		}
	}
	return false
}

// hidesStyle reads the declarations of a style attribute.
func hidesStyle(style string) bool {
	if len(style) < len("display:none") {
		return false
	}
	for decl := range strings.SplitSeq(style, ";") {
		name, value, ok := strings.Cut(decl, ":")
		if !ok {
			continue
		}
		value, _, _ = strings.Cut(strings.ToLower(value), "!")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "display":
			if value == "none" {
				return true
			}
		case "visibility":
			if value == "hidden" || value == "collapse" {
				return true
			}
		}
	}
	return false
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
	if prev, next := n.PrevSibling, n.NextSibling; isBlock(n) && isText(prev) && isText(next) {
		tree.Replace(n, tree.Text(" "))
		return
	}
	tree.Remove(n)
}

func isText(n *html.Node) bool { return n != nil && n.Type == html.TextNode }
