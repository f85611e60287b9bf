package markdown

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"golang.org/x/net/html"
)

// engines holds converters that are not in use. Each serves one conversion at
// a time: the engine takes a lock for nearly everything it looks up, and
// conversions in parallel would wait for one another.
var engines = sync.Pool{New: func() any { return newEngine() }}

// An engine is html-to-markdown with our renderers before its own. They write
// what the engine gets wrong, and what it takes more than linear time for:
//
//   - text: it escapes every "[" after a search for a "]", and copies and
//     sorts its list of rules for each character it may have to escape;
//   - lists, quotes, tables: it goes over all text once more at each level,
//     and pads every cell of a column to the longest one;
//   - code: it loses quotes' marks inside of code, and empty code;
//   - emphasis: it drops what is nested, and writes delimiters where CommonMark
//     does not read them as such;
//   - links: it encodes parentheses, which changes addresses.
//
// What stays the engine's is the normalisation of the tree (blocks where none
// can be, items outside of lists), the collapsing of white space, and the
// spacing of blocks.
type engine struct {
	conv *converter.Converter
	size *meter
	// What is around the node at hand.
	inLink, inStrike bool
	emphases         int
}

func newEngine() *engine {
	e := &engine{}
	e.conv = converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		e,
	))
	return e
}

func (e *engine) convert(doc *html.Node, size *meter) ([]byte, error) {
	e.size, e.inLink, e.inStrike, e.emphases = size, false, false, 0
	defer func() { e.size = nil }()
	return e.conv.ConvertNode(doc)
}

// Name makes the engine a plugin of the converter.
func (e *engine) Name() string { return "drover" }

// Init registers the renderers.
func (e *engine) Init(conv *converter.Converter) error {
	conv.Register.Renderer(e.render, converter.PriorityEarly)
	return nil
}

// render writes an element. Those below are written here, too, without asking
// the converter for the renderer of each: it would copy and sort its list.
func (e *engine) render(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	if n.Type == html.TextNode {
		e.text(w, n)
		return converter.RenderSuccess
	}
	switch n.Data {
	case "br":
		_, _ = w.WriteString("  \n")
	case "a":
		e.link(ctx, w, n)
	case "img":
		e.image(w, n)
	case "del", "strong", outerEm, innerEm, outerStrong, innerStrong:
		e.emphasis(ctx, w, n)
	case "code":
		e.code(w, n)
	case "pre":
		codeBlock(w, n)
	case "ul", "ol":
		e.list(ctx, w, n)
	case "blockquote":
		e.quote(ctx, w, n)
	case "h1", "h2", "h3", "h4", "h5", "h6":
		e.heading(ctx, w, n)
	case "table":
		e.table(ctx, w, n)
	case "hr", "#comment":
		return converter.RenderTryNext
	case "p", "div":
		_, _ = w.WriteString("\n\n")
		e.children(ctx, w, n)
		_, _ = w.WriteString("\n\n")
	default:
		e.children(ctx, w, n)
	}
	return converter.RenderSuccess
}

func (e *engine) children(ctx converter.Context, w converter.Writer, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if e.render(ctx, w, c) == converter.RenderTryNext {
			ctx.RenderNodes(ctx, w, c)
		}
	}
}

// inside returns what the children of n write.
func (e *engine) inside(ctx converter.Context, n *html.Node) []byte {
	var b bytes.Buffer
	e.children(ctx, &b, n)
	return b.Bytes()
}

// named reports whether n is an element of one of the names. The engine
// renames elements without their atoms, so after it names are what counts.
func named(n *html.Node, names ...string) bool {
	return n != nil && n.Type == html.ElementNode && slices.Contains(names, n.Data)
}

// onlyText returns the text below n.
func onlyText(n *html.Node) string {
	if c := n.FirstChild; c != nil && c == n.LastChild && c.Type == html.TextNode {
		return c.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// heading writes a heading, which is one line.
func (e *engine) heading(ctx converter.Context, w converter.Writer, n *html.Node) {
	content := bytes.Join(bytes.FieldsFunc(e.inside(ctx, n), isSpace), []byte(" "))
	if len(content) == 0 {
		return
	}
	_, _ = w.WriteString("\n\n" + "######"[:n.Data[1]-'0'] + " ")
	if content[len(content)-1] == '#' {
		// A last "#" would be taken for the end of the heading.
		content = append(content[:len(content)-1], '\\', '#')
	}
	_, _ = w.Write(content)
	_, _ = w.WriteString("\n\n")
}

// quote writes a quote: every line of it gets a mark.
func (e *engine) quote(ctx converter.Context, w converter.Writer, n *html.Node) {
	content := bytes.Trim(e.inside(ctx, n), " \n")
	if len(content) == 0 {
		return
	}
	_, _ = w.WriteString("\n\n> ")
	e.indent(w, content, "> ")
	_, _ = w.WriteString("\n\n")
}

// indent writes lines with a prefix before each but the first. Of several
// empty lines one is left, except in code, whose line breaks have a mark of
// their own. Spaces at the end of a line stay where they break the line.
func (e *engine) indent(w converter.Writer, content []byte, prefix string) {
	bare := strings.TrimRight(prefix, " ")
	first, empty, broken := true, false, false
	for l := range bytes.SplitSeq(content, []byte("\n")) {
		text := bytes.TrimRight(l, " ")
		if len(text) == 0 {
			empty = true
			continue
		}
		switch {
		case first:
		case empty:
			_, _ = w.WriteString("\n" + bare + "\n" + prefix)
		case broken:
			_, _ = w.WriteString("  \n" + prefix)
		default:
			_, _ = w.WriteString("\n" + prefix)
		}
		e.indentCode(w, text, prefix, bare)
		first, empty, broken = false, false, len(l) >= len(text)+2
	}
}

// indentCode writes a line in which marks stand for the line breaks of code.
func (e *engine) indentCode(w converter.Writer, text []byte, prefix, bare string) {
	e.size.take(len(prefix))
	for {
		before, after, found := bytes.Cut(text, newlineMark)
		_, _ = w.Write(before)
		if !found {
			return
		}
		_, _ = w.Write(newlineMark)
		if len(after) == 0 || bytes.HasPrefix(after, newlineMark) {
			_, _ = w.WriteString(bare)
		} else {
			_, _ = w.WriteString(prefix)
		}
		e.size.take(len(prefix))
		text = after
	}
}

var newlineMark = []byte(string(markNewline))
