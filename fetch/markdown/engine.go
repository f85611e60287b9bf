package markdown

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// engines holds converters that are not in use. Each serves one conversion at
// a time: the engine takes a lock for nearly everything it looks up, and
// conversions in parallel would wait for one another.
var engines = sync.Pool{New: func() any { return newEngine() }}

// An engine is html-to-markdown's converter with our rules in the place of its
// plugins "base" and "commonmark". Theirs take more than linear time for some
// pages, and none of their passes can be broken off; and they write some things
// that are read as others:
//
//   - text: they escape every "[" after a search for a "]", and copy and
//     sort their list of rules for each character they may have to escape;
//   - lists, quotes, tables: they go over all text once more at each level,
//     and pad every cell of a column to the longest one;
//   - code: they lose quotes' marks inside of code, and empty code;
//   - emphasis: they drop what is nested, and write delimiters where CommonMark
//     does not read them as such;
//   - links: they encode parentheses, which changes addresses.
//
// The collapsing of white space is the engine's own.
type engine struct {
	*work
	conv *converter.Converter
	size *meter
	// What is around the node at hand.
	inLink, inStrike bool
	emphases         int
	// formulas is how many the page has. dollar says that one stands before,
	// in the same block, with which a formula could begin.
	formulas int
	dollar   bool
}

func newEngine() *engine {
	e := &engine{}
	e.conv = converter.NewConverter(converter.WithPlugins(e))
	return e
}

// convert returns the markdown of a tree that has been cleaned. An engine that
// was broken off is not used again.
func (e *engine) convert(w *work, doc *html.Node, size *meter, formulas int) ([]byte, error) {
	e.work, e.size, e.inLink, e.inStrike, e.emphases = w, size, false, false, 0
	e.formulas, e.dollar = formulas, false
	md, err := e.conv.ConvertNode(doc)
	e.work, e.size = nil, nil
	return md, err
}

// Name makes the engine a plugin of the converter.
func (e *engine) Name() string { return "drover" }

// Init registers what is done before, while and after markdown is written.
func (e *engine) Init(conv *converter.Converter) error {
	conv.Register.PreRenderer(func(_ converter.Context, doc *html.Node) { e.normalise(doc) }, converter.PriorityStandard)
	conv.Register.PreRenderer(func(_ converter.Context, doc *html.Node) { e.collapse(doc) }, converter.PriorityLate)
	conv.Register.Renderer(e.render, converter.PriorityStandard)
	conv.Register.PostRenderer(func(_ converter.Context, md []byte) []byte { return tidy(md) }, converter.PriorityStandard)
	return nil
}

// render writes a node and all that is below it.
func (e *engine) render(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	e.Step(1)
	if n.Type == html.TextNode {
		e.text(w, n)
		return converter.RenderSuccess
	}
	switch n.Data {
	case "br":
		_, _ = w.WriteString("  \n")
	case "hr":
		_, _ = w.WriteString("\n\n* * *\n\n")
	case "a":
		e.link(ctx, w, n)
	case "img":
		e.image(w, n)
	case "del", "strong", outerEm, innerEm, outerStrong, innerStrong:
		e.emphasis(ctx, w, n)
	case "code":
		e.code(w, n)
	case "pre":
		e.codeBlock(w, n)
	case "ul", "ol":
		e.list(ctx, w, n)
	case "blockquote":
		e.quote(ctx, w, n)
	case noteRef:
		_, _ = w.WriteString("[^" + tree.AttrOr(n, noteLabel) + "]")
	case "h1", "h2", "h3", "h4", "h5", "h6":
		e.heading(ctx, w, n)
	case "table":
		e.table(ctx, w, n)
	case "p", "div":
		e.dollar = false
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
		e.render(ctx, w, c)
	}
}

// inside returns what the children of n write.
func (e *engine) inside(ctx converter.Context, n *html.Node) []byte {
	var b bytes.Buffer
	e.children(ctx, &b, n)
	e.Read(b.Len()) // what is around n copies it
	return b.Bytes()
}

// named reports whether n is an element of one of the names. Emphasis has
// names of its own, without atoms, so after cleaning names are what counts.
func named(n *html.Node, names ...string) bool {
	return n != nil && n.Type == html.ElementNode && slices.Contains(names, n.Data)
}

// heading writes a heading, which is one line.
func (e *engine) heading(ctx converter.Context, w converter.Writer, n *html.Node) {
	e.dollar = false
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
	if label := tree.AttrOr(n, noteLabel); label != "" {
		_, _ = w.WriteString("\n\n[^" + label + "]: ")
		e.indent(w, content, "    ")
	} else {
		_, _ = w.WriteString("\n\n> ")
		e.indent(w, content, "> ")
	}
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
