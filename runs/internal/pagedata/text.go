package pagedata

import (
	"iter"
	"math"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fold makes every run of white space one space.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// maxText bounds the text of one element: a cell, a paragraph, a label.
const maxText = 16 << 10

// textOf is the visible text of an element, folded.
func textOf(n *html.Node) string {
	w := textWriter{edge: ' ', limit: maxText}
	w.node(n)
	return fold(w.String())
}

// textWriter writes the visible text of nodes, up to about a limit.
type textWriter struct {
	strings.Builder
	// edge is written at the edges of blocks.
	edge  byte
	limit int
}

func (w *textWriter) node(n *html.Node) {
	switch {
	case w.Len() > w.limit:
		return
	case n.Type == html.TextNode:
		w.WriteString(n.Data)
		return
	case n.Type == html.ElementNode && isHidden(n):
		return
	}
	edge := ""
	if is(n, blocks...) {
		edge = string(w.edge)
	}
	w.WriteString(edge)
	switch {
	case is(n, atom.Img):
		w.WriteString(" " + attr(n, "alt") + " ")
	case isField(n):
		w.WriteString(" " + shownByField(n) + " ")
	}
	if !is(n, atom.Select, atom.Textarea) {
		for c := range n.ChildNodes() {
			w.node(c)
		}
	}
	w.WriteString(edge)
}

func isField(n *html.Node) bool { return is(n, atom.Input, atom.Select, atom.Textarea) }

// rawText is all text in a node, folded.
func rawText(n *html.Node) string { return textsOf(n.Descendants()) }

// ownText is the text directly in an element, folded.
func ownText(n *html.Node) string { return textsOf(n.ChildNodes()) }

func textsOf(nodes iter.Seq[*html.Node]) string {
	var b strings.Builder
	for c := range nodes {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return fold(b.String())
}

// shownByField is what a form field shows.
func shownByField(n *html.Node) string {
	switch n.DataAtom {
	case atom.Textarea:
		return rawText(n)
	case atom.Select:
		var chosen []string
		for o := range below(n, atom.Option) {
			if _, ok := lookup(o, "selected"); ok {
				chosen = append(chosen, rawText(o))
			}
		}
		return strings.Join(chosen, ", ")
	}
	switch strings.ToLower(attr(n, "type")) {
	case "password", "hidden", "submit", "button", "reset", "image", "file", "radio":
		return ""
	case "checkbox":
		if _, checked := lookup(n, "checked"); checked {
			return "yes"
		}
		return "no"
	}
	return fold(attr(n, "value"))
}

// cellOf is an element's text with its first link and image.
func (p *parser) cellOf(n *html.Node) Cell {
	c := Cell{Text: textOf(n)}
	if link := with(n, atom.A, "href"); link != nil {
		c.URL = p.absolute(attr(link, "href"))
	}
	if image := with(n, atom.Img, "src"); image != nil {
		c.Image = p.absolute(attr(image, "src"))
	}
	return c
}

// absolute resolves a link; empty for what is none on the web.
func (p *parser) absolute(href string) string {
	u, err := p.base.Parse(strings.TrimSpace(href))
	if err != nil || !slices.Contains([]string{"http", "https", "mailto", "tel"}, u.Scheme) {
		return ""
	}
	u.ForceQuery = false
	return u.String()
}

// Text returns the visible text of a document, a line for each block.
func Text(document string) (string, error) {
	doc, err := html.Parse(strings.NewReader(document))
	if err != nil {
		return "", err
	}
	graft(doc, &url.URL{})
	w := textWriter{edge: '\n', limit: math.MaxInt}
	if body := first(doc, atom.Body, atom.Frameset); body != nil {
		w.node(body)
	}
	var lines []string
	for line := range strings.Lines(w.String()) {
		if line = fold(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), nil
}
