// Package tex writes formulas of presentation MathML (MathML 3, chapter 3) as
// TeX, with the commands that MathJax, KaTeX and LaTeX with amsmath all have.
package tex

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// Of returns the TeX of a math element, "" for one that shows nothing. Every
// node is a step of the meter; elements may not nest deeper than a caller may
// recurse.
func Of(m *effort.Meter, math *html.Node) string {
	w := &writer{Meter: m}
	w.row(math)
	return strings.TrimSpace(w.b.String())
}

// A writer puts pieces of TeX one after another.
type writer struct {
	*effort.Meter
	b strings.Builder
	// inWord says that the name of a command has just been written, which a
	// letter would continue. A digit is kept apart for those who read it.
	inWord bool
}

// put writes a piece.
func (w *writer) put(s string) {
	if s == "" {
		return
	}
	if w.inWord && (isLetter(s[0]) || '0' <= s[0] && s[0] <= '9') {
		w.b.WriteByte(' ')
	}
	w.b.WriteString(s)
	w.Read(len(s))
	i := len(s)
	for i > 0 && isLetter(s[i-1]) {
		i--
	}
	w.inWord = i > 0 && s[i-1] == '\\' && i < len(s)
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// node writes a node.
func (w *writer) node(n *html.Node) {
	w.Step(1)
	switch {
	case n == nil:
	case n.Type == html.TextNode:
		w.symbols(n.Data)
	case n.Type != html.ElementNode:
	case arities[n.Data] > 0 && !hasElements(n, arities[n.Data]): // broken: what there is
		w.row(n)
	case elements[n.Data] != nil:
		elements[n.Data](w, n)
	default:
		w.row(n)
	}
}

// row writes all that is in n.
func (w *writer) row(n *html.Node) {
	if w.cases(n) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if fenced := w.matrixIn(c); fenced != nil {
			c = fenced
			continue
		}
		w.node(c)
	}
}

// group writes a node between braces.
func (w *writer) group(n *html.Node) {
	w.put("{")
	w.node(n)
	w.put("}")
}

// arg writes what a mark of one character applies to: a letter or a digit as
// it is, all else between braces.
func (w *writer) arg(n *html.Node) {
	if t := tokenOf(n); t != nil {
		if s := strings.TrimSpace(textOf(t)); len(s) == 1 && (isLetter(s[0]) || '0' <= s[0] && s[0] <= '9') && variant(t) == "" {
			w.b.WriteString(s) // also after a command: x_\alpha and a
			w.inWord = false
			return
		}
	}
	w.group(n)
}

// children returns the elements in n: the arguments of what n stands for.
func children(n *html.Node) []*html.Node {
	var all []*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			all = append(all, c)
		}
	}
	return all
}

// hasElements reports whether n holds count elements.
func hasElements(n *html.Node, count int) bool {
	for c := n.FirstChild; c != nil && count > 0; c = c.NextSibling {
		if c.Type == html.ElementNode {
			count--
		}
	}
	return count == 0
}

// arguments returns the first count elements in n, nil for those that are not
// there.
func arguments(n *html.Node, count int) []*html.Node {
	all := children(n)
	for len(all) < count {
		all = append(all, nil)
	}
	return all[:count]
}

// only returns what n comes down to if it does nothing but group one element.
func only(n *html.Node) *html.Node {
	for n != nil && n.Type == html.ElementNode && transparent[n.Data] {
		var one *html.Node
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if tree.IsBlank(c) {
				continue
			}
			if one != nil {
				return n
			}
			one = c
		}
		if one == nil {
			return n
		}
		n = one
	}
	return n
}

// transparent are the elements that group and show nothing of their own.
var transparent = map[string]bool{"mrow": true, "mstyle": true, "mpadded": true, "math": true}

// tokenOf returns the mi, mn or mo that n comes down to, or nil.
func tokenOf(n *html.Node) *html.Node {
	n = only(n)
	if is(n, "mi", "mn", "mo") {
		return n
	}
	return nil
}

func is(n *html.Node, names ...string) bool {
	if n == nil || n.Type != html.ElementNode {
		return false
	}
	for _, name := range names {
		if n.Data == name {
			return true
		}
	}
	return false
}

// textOf returns the text of a token, which is short: of a longer one, the
// beginning.
func textOf(n *html.Node) string {
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode {
		return c.Data
	}
	var b strings.Builder
	seen := 0
	for d := range n.Descendants() {
		if seen++; seen > maxTokenNodes {
			break
		}
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// maxTokenNodes is how many nodes the text of a token is looked for in.
const maxTokenNodes = 64
