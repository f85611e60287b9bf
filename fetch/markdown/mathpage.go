package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// drawnFormula handles an element in which a program shows a formula: MathJax 2
// and 3, the formulas of MediaWiki, those of GitHub. It reports whether n is
// one and has been replaced.
func (c *cleaner) drawnFormula(n *html.Node) bool {
	switch n.Data {
	case "mjx-container":
		return c.replaceDrawn(n, tree.AttrOr(n, "display") == "true")
	case "math-renderer":
		return c.rendered(n)
	case "span", "div":
	default:
		return false
	}
	if class := tree.AttrOr(n, "class"); !strings.Contains(class, "ath") && !strings.Contains(class, "mjx") && !strings.Contains(class, "MJX") {
		return false
	}
	for class := range tree.Classes(n) {
		switch class {
		case "mwe-math-element", "mwe-math-element-inline", "mwe-math-element-block":
			return c.replaceDrawn(n, class == "mwe-math-element-block")
		case "MathJax_Preview":
			tree.Remove(n)
			return true
		case "MathJax", "MathJax_Display", "MathJax_SVG", "MathJax_SVG_Display", "MathJax_CHTML", "MathJax_MathML", "mjx-chtml", "MJXc-display":
			return c.mathJax(n, strings.HasSuffix(strings.ToLower(class), "display"))
		}
	}
	return false
}

// replaceDrawn puts in the place of n the formula that it holds: in MathML, or
// as the text of an image of it.
func (c *cleaner) replaceDrawn(n *html.Node, display bool) bool {
	if c.barren[n] {
		return false
	}
	tex := ""
	for d := range c.Below(n) {
		if d.Type == html.ElementNode && (d.Data == "mjx-container" || tree.Is(d, atom.Span, atom.Div)) {
			c.barren[d] = true // unless a formula is found, and n replaced
		}
		switch {
		case tree.AttrOr(d, "data-latex") != "" && tex == "": // MathJax 4
			tex = strings.TrimSpace(tree.AttrOr(d, "data-latex"))
		case d.Data == "math" && d.Type == html.ElementNode && tex == "":
			tex = c.texOf(d)
			display = display || tree.AttrOr(d, "display") == "block"
		case isFormulaImage(d) && tex == "":
			tex = strings.TrimSpace(tree.AttrOr(d, "alt"))
		}
		if tree.Is(d, atom.Img) && tree.HasClass(d, "mwe-math-fallback-image-display") {
			display = true
		}
	}
	if tex == "" {
		return false
	}
	c.formula(n, tex, display)
	return true
}

// mathJax handles what MathJax 2 draws. The formula itself is in the script
// behind it, in MathML for those who cannot see, or in an attribute.
func (c *cleaner) mathJax(n *html.Node, display bool) bool {
	if next := tree.NextElement(n); tree.Is(next, atom.Script) && strings.HasPrefix(strings.TrimSpace(tree.AttrOr(next, "type")), "math/") {
		tree.Remove(n)
		return true
	}
	if c.replaceDrawn(n, display) {
		return true
	}
	d := n
	for range maxFrames {
		c.Step(1)
		source := tree.AttrOr(d, "data-mathml")
		if source == "" {
			if d = firstElement(d); d == nil {
				break
			}
			continue
		}
		if math := c.parseMath(source); math != nil {
			if tex := c.texOf(math); tex != "" {
				c.formula(n, tex, display || tree.AttrOr(math, "display") == "block")
				return true
			}
		}
		break
	}
	return false
}

// maxFrames is how many elements stand around the one with the formula.
const maxFrames = 4

// maxMath is how much MathML in an attribute or a script is read.
const maxMath = 64 << 10

// parseMath reads MathML that stands in an attribute or a script.
func (c *cleaner) parseMath(source string) *html.Node {
	if len(source) > maxMath || !strings.Contains(source, "<math") {
		return nil
	}
	c.Read(64 * len(source)) // reading makes nodes
	doc, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return nil
	}
	look(c.work, doc, c.o)
	for d := range c.Below(doc) {
		if d.Type == html.ElementNode && d.Data == "math" {
			return d
		}
	}
	return nil
}

// rendered handles an element of a formula between dollars or in brackets.
func (c *cleaner) rendered(n *html.Node) bool {
	source := strings.TrimSpace(c.textOf(n))
	for _, f := range []struct {
		open, end string
		display   bool
	}{{"$$", "$$", true}, {"$`", "`$", false}, {"$", "$", false}, {`\[`, `\]`, true}, {`\(`, `\)`, false}} {
		if tex, ok := strings.CutPrefix(source, f.open); ok && strings.HasSuffix(tex, f.end) {
			if tex = strings.TrimSpace(strings.TrimSuffix(tex, f.end)); tex != "" {
				c.formula(n, tex, f.display)
				return true
			}
		}
	}
	return false
}

// isFormulaImage reports whether an image is one of a formula, whose text is
// then TeX.
func isFormulaImage(n *html.Node) bool {
	if !tree.Is(n, atom.Img) {
		return false
	}
	for class := range tree.Classes(n) {
		switch class {
		case "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display", "tex", "latex", "math":
			alt := strings.TrimSpace(tree.AttrOr(n, "alt"))
			return alt != "" && !isProse(alt)
		}
	}
	return false
}
