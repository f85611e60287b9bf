package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// container handles what may hold blocks and makes their lines longer.
func (c *cleaner) container(n *html.Node) {
	if n.DataAtom == atom.Li {
		c.item(n)
		return
	}
	if c.nesting >= c.o.MaxNesting && c.cell == 0 {
		tree.Rename(n, atom.Div)
		n.Attr = nil
		c.clean(n)
		return
	}
	c.nesting++
	defer func() { c.nesting-- }()
	switch n.DataAtom {
	case atom.Ul, atom.Menu, atom.Dir, atom.Ol:
		c.list(n)
	case atom.Dl:
		c.definitions(n)
	case atom.Dt, atom.Dd:
		c.definition(n)
	default:
		c.clean(n)
		if c.cell > 0 {
			line(n)
		}
	}
}

func (c *cleaner) list(n *html.Node) {
	if n.DataAtom != atom.Ol {
		tree.Rename(n, atom.Ul)
	}
	if c.cell > 0 {
		c.lines(n)
		return
	}
	c.clean(n)
}

// lines makes a list the lines of a cell.
func (c *cleaner) lines(list *html.Node) {
	number := listStart(list)
	for li := list.FirstChild; li != nil; li = li.NextSibling {
		if !tree.Is(li, atom.Li) {
			continue
		}
		mark := "• "
		if list.DataAtom == atom.Ol {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		li.InsertBefore(rawNode(mark), li.FirstChild)
	}
	c.clean(list)
	line(list)
}

// item cleans a list item. An item outside of a list is a paragraph.
func (c *cleaner) item(n *html.Node) {
	c.clean(n)
	switch {
	case c.cell > 0:
		line(n)
	case !tree.Is(n.Parent, atom.Ul, atom.Ol):
		tree.Rename(n, atom.Div)
	}
}

// listStart returns the number of the first item of an ordered list.
func listStart(list *html.Node) int {
	if v, err := strconv.Atoi(strings.TrimSpace(tree.AttrOr(list, "start"))); err == nil && v >= 0 && v <= maxNumber {
		return v
	}
	return 1
}

// maxNumber is the greatest number of an item that markdown knows.
const maxNumber = 999_999_999

// definitions makes a definition list a list whose items are a bold term, or
// several, and their definitions. Definitions without a term are a way to
// indent and stay paragraphs.
func (c *cleaner) definitions(n *html.Node) {
	unwrapGroups(n)
	hasTerms := false
	for d := n.FirstChild; d != nil; d = d.NextSibling {
		hasTerms = hasTerms || tree.Is(d, atom.Dt)
	}
	if !hasTerms || c.cell > 0 {
		tree.Rename(n, atom.Div)
		n.Attr = nil
		c.clean(n)
		if c.cell > 0 {
			line(n)
		}
		return
	}
	tree.Rename(n, atom.Ul)
	n.Attr = nil
	c.clean(n)
	groupDefinitions(n)
}

// unwrapGroups takes the div elements away that may stand around the pairs of
// a definition list.
func unwrapGroups(dl *html.Node) {
	for d := dl.FirstChild; d != nil; {
		next := d.NextSibling
		if tree.Is(d, atom.Div) {
			tree.Unwrap(d)
		}
		d = next
	}
}

// groupDefinitions gathers each run of terms and the definitions after it in
// an item.
func groupDefinitions(list *html.Node) {
	var item *html.Node
	inTerms := false
	for d := list.FirstChild; d != nil; {
		next := d.NextSibling
		isTerm := d.Data == termName
		if isTerm && !inTerms || item == nil {
			item = tree.Element(atom.Li)
			list.InsertBefore(item, d)
		}
		inTerms = isTerm || inTerms && tree.IsBlank(d)
		if isTerm {
			tree.Rename(d, atom.Div)
		}
		list.RemoveChild(d)
		item.AppendChild(d)
		d = next
	}
}

// termName is what a term is called between its visit and its place in a list.
const termName = "drover-term"

// definition cleans a term or a definition. The term becomes bold.
func (c *cleaner) definition(n *html.Node) {
	isTerm := n.DataAtom == atom.Dt
	n.Attr = nil
	tree.Rename(n, atom.Div)
	if isTerm {
		c.cleanBold(n)
	} else {
		c.clean(n)
	}
	switch {
	case c.cell > 0:
		line(n)
	case isTerm && tree.Is(n.Parent, atom.Ul):
		n.Data, n.DataAtom = termName, 0
	}
}
