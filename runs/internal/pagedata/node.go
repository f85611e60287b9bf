package pagedata

import (
	"iter"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func lookup(n *html.Node, name string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func attr(n *html.Node, name string) string {
	value, _ := lookup(n, name)
	return value
}

func is(n *html.Node, kinds ...atom.Atom) bool {
	return n.Type == html.ElementNode && slices.Contains(kinds, n.DataAtom)
}

// below are the elements of some kinds below a node.
func below(n *html.Node, kinds ...atom.Atom) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for c := range n.Descendants() {
			if is(c, kinds...) && !yield(c) {
				return
			}
		}
	}
}

// first is the first element of some kinds below a node; nil for none.
func first(n *html.Node, kinds ...atom.Atom) *html.Node {
	for c := range below(n, kinds...) {
		return c
	}
	return nil
}

// with is the first element of a kind that has an attribute and is not hidden, the
// node itself or one below; nil for none.
func with(n *html.Node, kind atom.Atom, name string) *html.Node {
	if _, ok := lookup(n, name); ok && is(n, kind) {
		return n
	}
	for c := range below(n, kind) {
		if _, ok := lookup(c, name); ok && !isHidden(c) {
			return c
		}
	}
	return nil
}

// around is the innermost element of a kind that a node stands in; nil for none.
func around(n *html.Node, kind atom.Atom) *html.Node {
	for p := range n.Ancestors() {
		if is(p, kind) {
			return p
		}
	}
	return nil
}

// children are the elements directly in a node.
func children(n *html.Node, kinds ...atom.Atom) (all []*html.Node) {
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && (len(kinds) == 0 || is(c, kinds...)) {
			all = append(all, c)
		}
	}
	return all
}

// isHidden reports what the document alone tells: the hidden attribute, an
// inline style, and elements that never show.
func isHidden(n *html.Node) bool {
	style := strings.ReplaceAll(strings.ToLower(attr(n, "style")), " ", "")
	_, hidden := lookup(n, "hidden")
	return hidden || strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") ||
		is(n, atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Head, atom.Datalist, atom.Svg, atom.Canvas) ||
		isFrame(n) && n.FirstChild == nil // see graft
}

// blocks end the word before them.
var blocks = []atom.Atom{
	atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Br, atom.Button, atom.Dd, atom.Details, atom.Div, atom.Dl, atom.Dt,
	atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.Frame, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
	atom.Header, atom.Hr, atom.Iframe, atom.Li, atom.Main, atom.Nav, atom.Ol, atom.Option, atom.P, atom.Pre, atom.Section, atom.Summary,
	atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul,
}

func isHeading(n *html.Node) bool {
	return is(n, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)
}
