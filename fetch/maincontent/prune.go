package maincontent

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/maincontent/internal/blocks"
)

// A pruner copies what is kept of a tree.
type pruner struct {
	*work
	page  *blocks.Page
	texts map[*html.Node]bool
	// around holds the elements that have kept text below them.
	around map[*html.Node]bool
	// mostly says of elements with text whether most of their words are kept.
	mostly map[*html.Node]bool
	// originals are the nodes that copies were made of; nil if nobody asks.
	originals map[*html.Node]*html.Node
}

func newPruner(w *work, p *blocks.Page, keep []bool) *pruner {
	r := &pruner{
		work: w, page: p,
		texts: map[*html.Node]bool{}, around: map[*html.Node]bool{}, mostly: p.Mostly(keep),
	}
	for i, k := range keep {
		if !k {
			continue
		}
		for _, t := range p.Texts(i) {
			r.texts[t] = true
			for a := t.Parent; a != nil && !r.around[a]; a = a.Parent {
				r.around[a] = true
				w.Step(1)
			}
		}
	}
	return r
}

// prune returns the copy, as a document.
func (r *pruner) prune() *html.Node {
	doc := &html.Node{Type: html.DocumentNode}
	at := doc // where copies are appended
	for n := r.page.Root.FirstChild; n != nil; {
		r.Step(1)
		if c := r.copyOf(n); c != nil {
			at.AppendChild(c)
			if r.originals != nil {
				r.originals[c] = n
			}
			if n.FirstChild != nil {
				n, at = n.FirstChild, c
				continue
			}
		}
		for n.NextSibling == nil && n.Parent != r.page.Root {
			n, at = n.Parent, at.Parent
		}
		n = n.NextSibling
	}
	r.addBase(doc)
	return doc
}

// copyOf returns a copy of a node that is kept, or nil.
func (r *pruner) copyOf(n *html.Node) *html.Node {
	switch n.Type {
	case html.TextNode:
		if !r.texts[n] && !(tree.IsBlank(n) && r.around[n.Parent]) && !r.isWhole(n) {
			return nil
		}
		return &html.Node{Type: html.TextNode, Data: n.Data}
	case html.ElementNode:
		if !r.around[n] && !r.isPart(n) {
			return nil
		}
		return copyElement(n)
	}
	return nil
}

func copyElement(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
	if !tree.IsHidden(n) && tree.AttrOr(n, "aria-hidden") != "true" {
		return c
	}
	c.Attr = slices.DeleteFunc(c.Attr, func(a html.Attribute) bool {
		return a.Key == "hidden" || a.Key == "style" || a.Key == "aria-hidden" && n.DataAtom != atom.Svg
	})
	if n.DataAtom == atom.Dialog {
		tree.SetAttr(c, "open", "")
	}
	return c
}

// isPart reports whether an element without text of its own belongs to what is
// kept around it.
func (r *pruner) isPart(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Td, atom.Th, atom.Br, atom.Hr, atom.Wbr, atom.Col, atom.Colgroup:
		return r.around[n.Parent]
	case atom.Svg, atom.Style, atom.Template, atom.Textarea, atom.Title:
		return false
	case atom.Img, atom.Picture, atom.Video, atom.Audio, atom.Source, atom.Track, atom.Figure, atom.Noscript, atom.Iframe:
		return r.inKept(n) && !isScripted(n)
	case atom.Input:
		return tree.AttrOr(n, "type") == "checkbox" && r.around[n.Parent]
	case atom.Script:
		return strings.HasPrefix(tree.AttrOr(n, "type"), "math/tex") && r.inKept(n)
	}
	if r.isWhole(n) {
		return true
	}
	return holdsMedia(n) && r.inKept(n)
}

// isScripted reports a noscript element that holds no image.
func isScripted(n *html.Node) bool {
	return n.DataAtom == atom.Noscript && (n.FirstChild == nil || !strings.Contains(n.FirstChild.Data, "<img"))
}

// inKept reports whether the nearest element around n that has text is mostly
// kept. What it finds holds for all elements on the way.
func (r *pruner) inKept(n *html.Node) bool {
	kept, known := false, false
	a := n.Parent
	for ; a != nil && !known; a = a.Parent {
		r.Step(1)
		kept, known = r.mostly[a]
	}
	for b := n.Parent; b != nil && b != a; b = b.Parent {
		r.mostly[b] = kept
	}
	return kept
}

// isWhole reports whether n lies in something that is kept whole: a formula.
func (r *pruner) isWhole(n *html.Node) bool {
	for a := n.Parent; a != nil && (a.Namespace == "math" || a.DataAtom == atom.Noscript || a.DataAtom == atom.Script); a = a.Parent {
		r.Step(1)
		if a.Namespace == "" {
			return true
		}
		if r.around[a] {
			return true
		}
	}
	return false
}

// holdsMedia reports whether an element that has no text is a frame around an
// image: no more than a few elements deep.
func holdsMedia(n *html.Node) bool {
	for range 6 {
		n = n.FirstChild
		for n != nil && n.Type != html.ElementNode {
			n = n.NextSibling
		}
		if n == nil {
			return false
		}
		if tree.Is(n, atom.Img, atom.Picture, atom.Video, atom.Audio) {
			return true
		}
	}
	return false
}

// addBase gives the copy the page's base address.
func (r *pruner) addBase(doc *html.Node) {
	base := r.page.Base()
	if base == nil {
		return
	}
	head := tree.Element(atom.Head)
	head.AppendChild(copyElement(base))
	doc.InsertBefore(head, doc.FirstChild)
}
