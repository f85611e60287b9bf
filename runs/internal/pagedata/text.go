package pagedata

import (
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fold makes every run of white space one space.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// isHidden reports what the document alone tells: the hidden attribute, an
// inline style, and elements that never show.
func isHidden(s *goquery.Selection) bool { return hiddenNode(s.Nodes[0]) }

func hiddenNode(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Head, atom.Datalist, atom.Svg, atom.Canvas:
		return true
	case atom.Iframe, atom.Frame:
		if n.FirstChild == nil { // see graft
			return true
		}
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "style":
			style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

// blocks end the word before them.
var blocks = map[atom.Atom]bool{
	atom.Address: true, atom.Article: true, atom.Aside: true, atom.Blockquote: true, atom.Br: true, atom.Button: true,
	atom.Dd: true, atom.Details: true, atom.Div: true, atom.Dl: true, atom.Dt: true, atom.Fieldset: true,
	atom.Figcaption: true, atom.Figure: true, atom.Footer: true, atom.Form: true, atom.Frame: true, atom.H1: true, atom.H2: true,
	atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true, atom.Header: true, atom.Hr: true, atom.Iframe: true, atom.Li: true,
	atom.Main: true, atom.Nav: true, atom.Ol: true, atom.Option: true, atom.P: true, atom.Pre: true, atom.Section: true,
	atom.Summary: true, atom.Table: true, atom.Tbody: true, atom.Td: true, atom.Tfoot: true, atom.Th: true,
	atom.Thead: true, atom.Tr: true, atom.Ul: true,
}

// maxText bounds the text of one element: a cell, a paragraph, a label.
const maxText = 16 << 10

// textOf is the visible text of an element, folded.
func textOf(s *goquery.Selection) string {
	w := textWriter{edge: ' ', limit: maxText}
	for _, n := range s.Nodes {
		w.node(n)
	}
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
	case n.Type == html.ElementNode && hiddenNode(n):
		return
	}
	block := blocks[n.DataAtom]
	if block {
		w.WriteByte(w.edge)
	}
	w.WriteString(replaced(n))
	if n.DataAtom != atom.Select && n.DataAtom != atom.Textarea {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			w.node(c)
		}
	}
	if block {
		w.WriteByte(w.edge)
	}
}

// replaced is what an element shows in place of text.
func replaced(n *html.Node) string {
	switch n.DataAtom {
	case atom.Img:
		return " " + attr(n, "alt") + " "
	case atom.Input, atom.Select, atom.Textarea:
		return " " + shownByField(n) + " "
	}
	return ""
}

// shownByField is what a form field shows.
func shownByField(n *html.Node) string {
	switch n.DataAtom {
	case atom.Textarea:
		return fold(goquery.NewDocumentFromNode(n).Text())
	case atom.Select:
		var chosen []string
		goquery.NewDocumentFromNode(n).Find("option[selected]").Each(func(_ int, o *goquery.Selection) { chosen = append(chosen, fold(o.Text())) })
		return strings.Join(chosen, ", ")
	}
	switch strings.ToLower(attr(n, "type")) {
	case "password", "hidden", "submit", "button", "reset", "image", "file", "radio":
		return ""
	case "checkbox":
		if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "checked" }) {
			return "yes"
		}
		return "no"
	}
	return fold(attr(n, "value"))
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// cellOf is an element's text with its first link and image.
func (p *parser) cellOf(s *goquery.Selection) Cell {
	c := Cell{Text: textOf(s)}
	link := s.Filter("a[href]")
	if link.Length() == 0 {
		link = s.Find("a[href]")
	}
	if link.Length() > 0 {
		c.URL = p.absolute(link.AttrOr("href", ""))
	}
	image := s.Filter("img[src]").AddSelection(s.Find("img[src]"))
	if image.Length() > 0 {
		c.Image = p.absolute(image.AttrOr("src", ""))
	}
	return c
}

// absolute resolves a link; empty for what is none on the web.
func (p *parser) absolute(href string) string {
	u, err := p.base.Parse(strings.TrimSpace(href))
	if err != nil || !slices.Contains([]string{"http", "https", "mailto", "tel"}, u.Scheme) {
		return ""
	}
	return (&url.URL{
		Scheme: u.Scheme, Opaque: u.Opaque, User: u.User, Host: u.Host,
		Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery, Fragment: u.Fragment, RawFragment: u.RawFragment,
	}).String()
}

// Text returns the visible text of a document, a line for each block.
func Text(document string) (string, error) {
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(document))
	if err != nil {
		return "", err
	}
	graft(doc, &url.URL{})
	w := textWriter{edge: '\n', limit: math.MaxInt}
	for _, n := range doc.Find("body, frameset").First().Nodes {
		w.node(n)
	}
	var lines []string
	for line := range strings.Lines(w.String()) {
		if line = fold(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n"), nil
}
