package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// table decides what a table is: code with line numbers, a way to lay out a
// page, or a table.
func (c *cleaner) table(n *html.Node) {
	facts := c.survey.tables[n]
	switch {
	case c.isCodeTable(n):
		c.codeTable(n)
	case c.cell > 0:
		c.innerTable(n)
	case facts == nil || facts.isLayout() || c.inLink || c.em+c.strong+c.headings > 0:
		c.layout(n)
	default:
		n.Attr = nil
		c.cell++
		c.parts(n)
		c.cell--
	}
}

// parts cleans a table, its groups and rows, in which only some elements can
// stand and white space means nothing, and the cells, which are left to hold
// lines.
func (c *cleaner) parts(n *html.Node) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		switch {
		case tree.Is(child, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr) && !c.isInvisible(child):
			c.parts(child)
		case tree.Is(child, atom.Td, atom.Th, atom.Caption) && !c.isInvisible(child):
			c.clean(child)
		default:
			n.RemoveChild(child)
		}
		child = next
	}
}

// layout makes a table blocks. The cells of a row without blocks stay on one
// line.
func (c *cleaner) layout(n *html.Node) {
	c.clean(n)
	tree.Rename(n, atom.Div)
	n.Attr = nil
}

// cellOfLayout is what a cell of a layout becomes after it was cleaned.
func (c *cleaner) cellOfLayout(n *html.Node) {
	c.clean(n)
	n.Attr = nil
	if holdsBlock(n) {
		tree.Rename(n, atom.Div)
		return
	}
	tree.Rename(n, atom.Span)
	n.AppendChild(tree.Text(" "))
}

func holdsBlock(n *html.Node) bool {
	for d := n.FirstChild; d != nil; d = d.NextSibling {
		if d.Type == html.ElementNode && tree.IsBlock(d) {
			return true
		}
	}
	return false
}

// innerTable makes a table in a cell lines of that cell.
func (c *cleaner) innerTable(n *html.Node) {
	c.parts(n)
	for row := range c.rowsOf(n) {
		first := true
		for cell := row.FirstChild; cell != nil; cell = cell.NextSibling {
			if !first {
				cell.InsertBefore(tree.Text(", "), cell.FirstChild)
			}
			first = false
			tree.Rename(cell, atom.Font)
			cell.Attr = nil
		}
		line(row)
	}
	for d := n.FirstChild; d != nil; d = d.NextSibling {
		line(d)
	}
	line(n)
}

// isCodeTable reports whether a table shows code beside the numbers of its
// lines: in each row a cell of numbers comes before one of code.
func (w *work) isCodeTable(table *html.Node) bool {
	rows := 0
	for row := range w.rowsOf(table) {
		gutter, code := firstElement(row), lastElement(row)
		if gutter == nil || gutter == code || !w.isGutterCell(gutter) || !isCodeCell(code) {
			return false
		}
		rows++
	}
	return rows > 0
}

func lastElement(n *html.Node) *html.Node {
	for c := n.LastChild; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
}

func (w *work) isGutterCell(n *html.Node) bool {
	return w.isGutter(n) || onlyChild(n) != nil && onlyChild(n).Type == html.ElementNode && w.isGutter(onlyChild(n))
}

func isCodeCell(n *html.Node) bool {
	for class := range tree.Classes(n) {
		if strings.Contains(class, "code") {
			return true
		}
	}
	for d := n.FirstChild; d != nil; d = d.NextSibling {
		if tree.Is(d, atom.Pre, atom.Code) || tree.Is(d, atom.Div) && tree.Is(firstElement(d), atom.Pre) {
			return true
		}
	}
	return false
}

// codeTable makes the last cells of the rows a code block.
func (c *cleaner) codeTable(n *html.Node) {
	pre := tree.Element(atom.Pre)
	lang := ""
	for row := range c.rowsOf(n) {
		code := lastElement(row)
		for d := range c.Below(code) {
			if lang == "" && tree.Is(d, atom.Pre) {
				lang = language(d)
			}
		}
		if pre.FirstChild != nil {
			pre.AppendChild(tree.Text("\n"))
		}
		pre.AppendChild(tree.Text(c.blockText(code)))
	}
	if lang == "" {
		lang = language(n)
	}
	tree.Replace(n, pre)
	if lang != "" {
		tree.SetAttr(pre, "data-lang", lang)
	}
	c.codeBlock(pre)
}
