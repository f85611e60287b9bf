package markdown

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// list writes a list. A list right after another of its kind has other marks,
// or the two would be read as one.
func (e *engine) list(ctx converter.Context, w converter.Writer, n *html.Node) {
	m := markerOf(n)
	_, _ = w.WriteString(listLead(n))
	for li := n.FirstChild; li != nil; li = li.NextSibling {
		if li.Type != html.ElementNode {
			continue
		}
		e.dollar = false
		content := bytes.Trim(e.inside(ctx, li), " \n")
		if len(content) == 0 && !m.ordered {
			continue // an item that shows nothing; in a numbered list its number counts
		}
		mark := m.next(li)
		if len(content) == 0 {
			mark = strings.TrimSpace(mark)
		}
		_, _ = w.WriteString(mark)
		e.indent(w, content, strings.Repeat(" ", len(mark)))
		_ = w.WriteByte('\n')
	}
	_, _ = w.WriteString("\n")
}

// listLead returns the line breaks before a list. One that follows the text of
// an item needs no empty line before it, unless it would not be seen as a list
// then.
func listLead(n *html.Node) string {
	prev := n.PrevSibling
	if named(n.Parent, "li") && prev != nil && !tree.IsBlock(prev) && (n.Data == "ul" || listStart(n) == 1) {
		return "\n"
	}
	return "\n\n"
}

// A marker makes the marks of the items of a list.
type marker struct {
	ordered bool
	step    int
	number  int
	sign    string
}

// alternate is the attribute of lists whose marks are the other ones.
const alternate = "drover-alternate"

func markerOf(n *html.Node) *marker {
	other := false
	if prev := tree.PrevElement(n); prev != nil && prev.Data == n.Data {
		_, was := tree.Attr(prev, alternate)
		other = !was
	}
	if other {
		tree.SetAttr(n, alternate, "")
	}
	signs := [2]string{"- ", "* "}
	if n.Data == "ol" {
		signs = [2]string{". ", ") "}
	}
	m := &marker{ordered: n.Data == "ol", step: 1, number: listStart(n), sign: signs[0]}
	if other {
		m.sign = signs[1]
	}
	if _, reversed := tree.Attr(n, "reversed"); reversed {
		m.reverse(n)
	}
	return m
}

// reverse counts down to one, if the page does not say from where.
func (m *marker) reverse(n *html.Node) {
	m.step = -1
	if _, ok := tree.Attr(n, "start"); ok {
		return
	}
	m.number = 0
	for li := n.FirstChild; li != nil; li = li.NextSibling {
		if named(li, "li") {
			m.number++
		}
	}
}

// next returns the mark of an item, which may say its own number.
func (m *marker) next(li *html.Node) string {
	if !m.ordered {
		return m.sign
	}
	if v, err := strconv.Atoi(tree.AttrOr(li, "value")); err == nil && 0 <= v && v <= maxNumber {
		m.number = v
	}
	mark := strconv.Itoa(min(max(m.number, 0), maxNumber)) + m.sign
	m.number += m.step
	return mark
}
