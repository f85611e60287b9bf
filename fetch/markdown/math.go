package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// foreign handles drawings and formulas. A drawing leaves the name it has for
// those who cannot see it, if it is the content of a link; a formula leaves
// its TeX, which most pages carry along.
func (c *cleaner) foreign(n *html.Node) {
	if n.Data == "math" {
		c.mathML(n)
		return
	}
	for d := range c.Below(n) {
		if c.inLink && d.Data == "title" && d.Namespace == "svg" {
			tree.Replace(n, tree.Text(oneLine(c.textOf(d))))
			return
		}
	}
	tree.Remove(n)
}

func (c *cleaner) mathML(n *html.Node) {
	tex := tree.AttrOr(n, "alttext")
	for d := range c.Below(n) {
		if d.Data == "annotation" && strings.Contains(tree.AttrOr(d, "encoding"), "tex") {
			tex = c.textOf(d)
			break
		}
	}
	if tex = strings.TrimSpace(tex); tex == "" {
		tree.Replace(n, tree.Text(oneLine(c.textOf(n))))
		return
	}
	c.dropVisualTwin(n)
	tree.Replace(n, formula(tex, tree.AttrOr(n, "display") == "block"))
}

// dropVisualTwin takes out what KaTeX draws beside the formula it is made of.
func (c *cleaner) dropVisualTwin(math *html.Node) {
	for p := math.Parent; p != nil && p.DataAtom == atom.Span; p = p.Parent {
		c.Step(1)
		if !tree.HasClass(p, "katex") {
			continue
		}
		if c.drawn[p] { // by a formula before this one
			return
		}
		c.drawn[p] = true
		for d := p.FirstChild; d != nil; d = d.NextSibling {
			if tree.HasClass(d, "katex-html") {
				// Left in place without content: a visit may be on its way to it.
				tree.Clear(d)
			}
		}
		return
	}
}

// formula returns a formula in TeX between dollars.
func formula(tex string, display bool) *html.Node {
	tex = oneLine(tex)
	if inner, ok := strings.CutPrefix(tex, `{\displaystyle `); ok {
		tex = strings.TrimSuffix(inner, "}")
	}
	if display {
		return rawNode("$$" + tex + "$$")
	}
	return rawNode("$" + tex + "$")
}

// script drops a script, unless it is a formula for MathJax.
func (c *cleaner) script(n *html.Node) {
	kind, mode, _ := strings.Cut(tree.AttrOr(n, "type"), ";")
	tex := strings.TrimSpace(c.textOf(n))
	if strings.TrimSpace(kind) != "math/tex" || tex == "" {
		tree.Remove(n)
		return
	}
	tree.Replace(n, formula(tex, strings.Contains(mode, "display")))
}
