package markdown

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// Programs that make pages put things into them that serve those who look at
// the page, and nobody who reads its text: links to skip what is at the top,
// marks that link to the place they stand at, buttons that copy code.

// isFurniture reports whether an element is such a thing.
func (c *cleaner) isFurniture(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A:
		return c.isSkipLink(n) || c.isMark(n)
	case atom.Button:
		return isCopyButton(n, oneLine(c.shortText(n)))
	case atom.Span:
		return tree.HasClass(n, "mw-editsection")
	case 0:
		return n.Data == "clipboard-copy"
	}
	return false
}

// shortSize is how much of an element's text is looked at, and of how many
// nodes: of an element with more, it is not a word or two.
const shortSize = 64

// shortText returns the text below n if it is short, or else "…".
func (w *work) shortText(n *html.Node) string {
	var b strings.Builder
	nodes := 0
	for d := range w.Below(n) {
		if d.Type == html.TextNode && d.Parent.Namespace == "" {
			b.WriteString(d.Data[:min(len(d.Data), 4*shortSize)])
		}
		if nodes++; nodes > shortSize || b.Len() >= 4*shortSize {
			return "…"
		}
	}
	return b.String()
}

// skips is how the links begin that skip the head of a page.
var skips = []string{"skip to ", "jump to content", "jump to main", "jump to navigation", "zum inhalt", "zum hauptinhalt", "direkt zum inhalt",
	"aller au contenu", "passer au contenu", "saltar al contenido", "ir al contenido", "pular para o conteúdo", "vai al contenuto", "naar de inhoud", "ga naar inhoud"}

func (c *cleaner) isSkipLink(n *html.Node) bool {
	if !strings.HasPrefix(tree.AttrOr(n, "href"), "#") {
		return false
	}
	text := strings.ToLower(oneLine(c.shortText(n)))
	for _, s := range skips {
		if strings.HasPrefix(text, s) && len(text) < shortSize {
			return true
		}
	}
	return false
}

// isMark reports whether a link to a place on the page is the mark of a place:
// its text is a sign that stands for that, or none.
func (c *cleaner) isMark(n *html.Node) bool {
	if !strings.HasPrefix(tree.AttrOr(n, "href"), "#") || len(n.Attr) == 1 && n.FirstChild == nil {
		return false
	}
	switch oneLine(c.shortText(n)) {
	case "#", "¶", "🔗", "⚓", "":
		return !c.holds(n, atom.Img)
	}
	return false
}

// isCopyButton reports whether a button copies what stands beside it.
func isCopyButton(n *html.Node, text string) bool {
	label := strings.ToLower(cmp.Or(text, tree.AttrOr(n, "aria-label"), tree.AttrOr(n, "title")))
	switch label {
	case "copied", "copied!", "kopieren", "copier", "copiar", "copia", "kopiëren":
		return true
	}
	return label == "copy" || strings.HasPrefix(label, "copy ") && len(label) < 30
}

// isVoidLink reports whether a link shows nothing and is not one that somebody
// has written so.
func (c *cleaner) isVoidLink(n *html.Node, attrs []html.Attribute, had bool) bool {
	if c.hasContent(n) {
		return false
	}
	for i := range attrs {
		had = had || attrs[i].Key != "href" && attrs[i].Key != "title"
	}
	return had
}

// keptApart puts spaces between an element that has its own box on the screen,
// such as a button, and the elements right beside it.
func keptApart(n *html.Node) {
	hasText := func(n *html.Node) bool {
		return n != nil && n.Type == html.ElementNode && n.Data != "img" && !tree.Is(n, atom.Input, atom.Select)
	}
	if hasText(n.PrevSibling) {
		n.Parent.InsertBefore(tree.Text(" "), n)
	}
	if hasText(n.NextSibling) {
		n.Parent.InsertBefore(tree.Text(" "), n.NextSibling)
	}
}

// isAdmonition reports whether an element is a note that stands out of the
// text, as the programs that make documentation mark it.
func isAdmonition(n *html.Node) bool {
	if !tree.Is(n, atom.Div, atom.Aside, atom.Section) {
		return false
	}
	class := tree.AttrOr(n, "class")
	if !strings.Contains(class, "admonition") && !strings.Contains(class, "markdown-alert") {
		return false
	}
	for name := range strings.FieldsSeq(class) {
		switch name {
		case "admonition", "markdown-alert", "theme-admonition", "admonitionblock":
			return true
		}
	}
	return false
}

// admonition makes a note that stands out a quote, with its title in bold.
func (c *cleaner) admonition(n *html.Node) {
	if title := firstElement(n); tree.Is(title, atom.P, atom.Div, atom.Span) {
		class := tree.AttrOr(title, "class")
		if strings.Contains(class, "title") || strings.Contains(class, "eading") {
			tree.Rename(title, atom.Summary)
		}
	}
	tree.Rename(n, atom.Blockquote)
	n.Attr = nil
	c.blocks++
	c.container(n)
}
