package tree

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Attr returns the value of an attribute and whether it is there. The first
// one counts, as in the standard.
func Attr(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// AttrOr returns the value of an attribute, or "" without one.
func AttrOr(n *html.Node, key string) string {
	v, _ := Attr(n, key)
	return v
}

// SetAttr sets an attribute.
func SetAttr(n *html.Node, key, val string) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			n.Attr[i].Val = val
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: val})
}

// Classes returns the names in the class attribute, in order.
func Classes(n *html.Node) iter.Seq[string] {
	return strings.FieldsSeq(AttrOr(n, "class"))
}

// HasClass reports whether the class attribute holds the name.
func HasClass(n *html.Node, name string) bool {
	for c := range Classes(n) {
		if c == name {
			return true
		}
	}
	return false
}

// Is reports whether n is an element of one of the names.
func Is(n *html.Node, names ...atom.Atom) bool {
	if n == nil || n.Type != html.ElementNode || n.DataAtom == 0 {
		return false
	}
	for _, a := range names {
		if n.DataAtom == a {
			return true
		}
	}
	return false
}

// IsBlock reports whether an element begins on a line of its own.
func IsBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Center, atom.Dd, atom.Details, atom.Dialog,
		atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Legend, atom.Li,
		atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.P, atom.Pre, atom.Search,
		atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul,
		atom.Xmp, atom.Caption:
		return n.Namespace == ""
	}
	return false
}

// Element returns a new element without attributes.
func Element(name atom.Atom) *html.Node {
	return &html.Node{Type: html.ElementNode, DataAtom: name, Data: name.String()}
}

// Text returns a new text.
func Text(s string) *html.Node { return &html.Node{Type: html.TextNode, Data: s} }

// Rename makes an element one of another name; attributes and children stay.
func Rename(n *html.Node, name atom.Atom) {
	n.DataAtom, n.Data = name, name.String()
}

// Remove takes n out of its parent.
func Remove(n *html.Node) {
	if n.Parent != nil {
		n.Parent.RemoveChild(n)
	}
}

// Replace puts the nodes, which have no parent, in the place of old.
func Replace(old *html.Node, nodes ...*html.Node) {
	for _, n := range nodes {
		old.Parent.InsertBefore(n, old)
	}
	old.Parent.RemoveChild(old)
}

// Unwrap puts n's children in its place.
func Unwrap(n *html.Node) {
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
		n.Parent.InsertBefore(c, n)
	}
	n.Parent.RemoveChild(n)
}

// MoveChildren appends all children of from to those of to.
func MoveChildren(to, from *html.Node) {
	for c := from.FirstChild; c != nil; c = from.FirstChild {
		from.RemoveChild(c)
		to.AppendChild(c)
	}
}

// Clear removes all children of n.
func Clear(n *html.Node) {
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c)
	}
}

// TextOf returns the text in and below n, as it stands in the source.
func TextOf(n *html.Node) string {
	if n.FirstChild != nil && n.FirstChild == n.LastChild && n.FirstChild.Type == html.TextNode {
		return n.FirstChild.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// NextElement returns the next sibling that is an element, if only white space
// and comments lie between.
func NextElement(n *html.Node) *html.Node {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		if s.Type == html.ElementNode {
			return s
		}
		if !IsBlank(s) {
			return nil
		}
	}
	return nil
}

// PrevElement is [NextElement] in the other direction.
func PrevElement(n *html.Node) *html.Node {
	for s := n.PrevSibling; s != nil; s = s.PrevSibling {
		if s.Type == html.ElementNode {
			return s
		}
		if !IsBlank(s) {
			return nil
		}
	}
	return nil
}

// IsBlank reports whether n is a comment, or a text of nothing but the white
// space of HTML.
func IsBlank(n *html.Node) bool {
	switch n.Type {
	case html.CommentNode:
		return true
	case html.TextNode:
		return !strings.ContainsFunc(n.Data, func(c rune) bool { return c != ' ' && c != '\n' && c != '\t' && c != '\r' && c != '\f' })
	}
	return false
}
