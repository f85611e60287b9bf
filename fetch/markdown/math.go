package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/fetch/markdown/internal/tex"
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

// mathML leaves the TeX of a formula: what the page was written in, or else what
// its elements say.
func (c *cleaner) mathML(n *html.Node) {
	tex := c.texOf(n)
	if tex == "" {
		tree.Remove(n)
		return
	}
	c.dropVisualTwin(n)
	c.formula(n, tex, tree.AttrOr(n, "display") == "block" || tree.AttrOr(n, "mode") == "display")
}

// texOf returns the TeX of a math element: that of an annotation, of the
// attribute alttext, which may also say it in words, or of its elements.
func (c *cleaner) texOf(n *html.Node) string {
	for d := range c.Below(n) {
		if d.Data == "annotation" && strings.Contains(strings.ToLower(tree.AttrOr(d, "encoding")), "tex") {
			if tex := strings.TrimSpace(c.textOf(d)); tex != "" {
				return tex
			}
			break
		}
	}
	if alt := strings.TrimSpace(tree.AttrOr(n, "alttext")); alt != "" && !isProse(alt) {
		return alt
	}
	return tex.Of(c.Meter, n)
}

// isProse reports whether a formula is told in words: two in a row, and no sign
// of TeX.
func isProse(s string) bool {
	words := 0
	for word := range strings.FieldsSeq(s) {
		if strings.ContainsAny(word, `\^_{}=`) {
			return false
		}
		if len(word) > 1 && strings.Trim(strings.ToLower(word), "abcdefghijklmnopqrstuvwxyz,.") == "" {
			words++
		}
	}
	return words > 1
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

// formula puts a formula in the place of n.
func (c *cleaner) formula(n *html.Node, tex string, display bool) {
	c.formulas++
	c.size.take(len(tex))
	tree.Replace(n, formula(tex, display))
}

// formula returns a formula in TeX between dollars.
func formula(tex string, display bool) *html.Node {
	tex = oneLine(tex)
	if inner, ok := strings.CutPrefix(tex, `{\displaystyle `); ok {
		tex = strings.TrimSpace(strings.TrimSuffix(inner, "}"))
	}
	tex = noTags(tex)
	if display {
		return rawNode("$$" + tex + "$$")
	}
	return rawNode("$" + tex + "$")
}

// noTags puts spaces around each "<" that would be read as that of a tag.
func noTags(tex string) string {
	if !strings.Contains(tex, "<") {
		return tex
	}
	var b strings.Builder
	for i := range len(tex) {
		isTag := tex[i] == '<' && i+1 < len(tex) && (isLetter(tex[i+1]) || strings.IndexByte("/!?", tex[i+1]) >= 0)
		if isTag && i > 0 && tex[i-1] != ' ' {
			b.WriteByte(' ')
		}
		b.WriteByte(tex[i])
		if isTag {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// script drops a script, unless it is a formula for MathJax.
func (c *cleaner) script(n *html.Node) {
	kind, mode, _ := strings.Cut(tree.AttrOr(n, "type"), ";")
	switch strings.TrimSpace(kind) {
	case "math/tex":
		if tex := withoutCDATA(c.textOf(n)); tex != "" {
			c.formula(n, tex, strings.Contains(mode, "display"))
			return
		}
	case "math/mml":
		if math := c.parseMath(c.textOf(n)); math != nil {
			if tex := c.texOf(math); tex != "" {
				c.formula(n, tex, strings.Contains(mode, "display") || tree.AttrOr(math, "display") == "block")
				return
			}
		}
	}
	tree.Remove(n)
}

// withoutCDATA takes away what hides a formula from XML.
func withoutCDATA(tex string) string {
	tex = strings.TrimSpace(tex)
	tex = strings.TrimSpace(strings.TrimPrefix(tex, "%"))
	if inner, ok := strings.CutPrefix(tex, "<![CDATA["); ok {
		inner = strings.TrimSuffix(strings.TrimSpace(inner), "]]>")
		tex = strings.TrimSuffix(strings.TrimSpace(inner), "%")
	}
	return strings.TrimSpace(tex)
}
