package markdown

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// codeSpan leaves a code element nothing but its text. A link that is all of
// its content comes to stand around it. An element of several lines is a block
// that lacks its pre element.
func (c *cleaner) codeSpan(n *html.Node) {
	switch only := onlyChild(n); {
	case tree.Is(only, atom.A) && !c.inLink:
		n.RemoveChild(only)
		tree.MoveChildren(n, only)
		tree.Replace(n, only)
		only.AppendChild(n)
		c.link(only)
		return
	case tree.Is(only, atom.Pre), !c.inLink && c.em+c.strong+c.dels+c.raises+c.headings == 0 && c.holds(n, atom.Br):
		c.blocks++
		c.codeBlock(n)
		return
	}
	text := c.spanText(n)
	if strings.Trim(text, " ") == "" {
		tree.Replace(n, tree.Text(text))
		return
	}
	tree.Rename(n, atom.Code)
	n.Attr = nil
	emptied(n, text)
}

// spanText returns the text of n with white space as a browser shows it.
func (w *work) spanText(n *html.Node) string {
	text := cleanText(w.visibleText(n))
	if !strings.ContainsAny(text, "\n\t") && !strings.Contains(text, "  ") {
		return text
	}
	fields := strings.FieldsFunc(text, isSpace)
	text = strings.Join(fields, " ")
	return text
}

// visibleText returns the text below n without that of invisible elements.
func (w *work) visibleText(n *html.Node) string {
	if only := n.FirstChild; only != nil && only == n.LastChild && only.Type == html.TextNode {
		return only.Data
	}
	return w.codeText(n)
}

// onlyChild returns the one child of n, or nil if there are none or several.
func onlyChild(n *html.Node) *html.Node {
	if n.FirstChild != nil && n.FirstChild == n.LastChild {
		return n.FirstChild
	}
	return nil
}

// codeBlock leaves a pre element its text, without line numbers, and its
// language in the attribute "lang". In a cell it becomes lines of code.
func (c *cleaner) codeBlock(n *html.Node) {
	lang := language(n)
	text := c.blockText(n)
	tree.Rename(n, atom.Pre)
	n.Attr = nil
	if c.cell > 0 {
		c.codeLines(n, text)
		return
	}
	if lang != "" {
		tree.SetAttr(n, "lang", lang)
	}
	emptied(n, text)
}

// blockText returns the text of a pre element.
func (w *work) blockText(n *html.Node) string {
	text := strings.ReplaceAll(w.codeText(n), "\r\n", "\n")
	return strings.TrimSuffix(cleanCode(text), "\n")
}

// cleanCode is [cleanText] for text whose white space counts.
func cleanCode(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\r' {
			return '\n'
		}
		return cleanRune(r)
	}, s)
}

// codeLines makes n the lines of a code block for a cell of a table.
func (w *work) codeLines(n *html.Node, text string) {
	tree.Clear(n)
	for l := range strings.SplitSeq(text, "\n") {
		if strings.TrimSpace(l) == "" {
			continue
		}
		code := tree.Element(atom.Code)
		code.AppendChild(tree.Text(strings.TrimRight(l, " \t")))
		if n.FirstChild != nil {
			n.AppendChild(tree.Element(atom.Br))
		}
		n.AppendChild(code)
	}
	line(n)
}

// codeText returns the text of code: every block is lines of its own, and
// neither numbers of lines nor what is invisible is there.
func (w *work) codeText(n *html.Node) string {
	t := codeText{work: w}
	t.read(n)
	return t.b.String()
}

type codeText struct {
	*work
	b strings.Builder
}

func (t *codeText) read(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		t.Step(1)
		switch {
		case c.Type == html.TextNode:
			t.work.Read(len(c.Data))
			t.b.WriteString(c.Data)
		case c.Type != html.ElementNode || t.isGutter(c) || t.isInvisible(c) || tree.Is(c, atom.Script, atom.Button):
		case c.DataAtom == atom.Br:
			t.b.WriteByte('\n')
		case tree.IsBlock(c):
			t.newLine()
			t.read(c)
			t.newLine()
		default:
			t.read(c)
		}
	}
}

// newLine ends the line, unless one has just begun.
func (t *codeText) newLine() {
	if s := t.b.String(); s != "" && s[len(s)-1] != '\n' {
		t.b.WriteByte('\n')
	}
}

// isGutter reports whether an element holds the number of a line of code.
func (w *work) isGutter(n *html.Node) bool {
	if tree.Is(n, atom.Pre, atom.Code) && w.isColumn(n) {
		return true
	}
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "class":
			for class := range strings.FieldsSeq(n.Attr[i].Val) {
				if gutterClasses[strings.ToLower(class)] {
					return true
				}
			}
		case "data-line-number", "data-linenumber":
			return w.isNumberOnly(n)
		}
	}
	return false
}

// isColumn reports whether all that is in n are the numbers of lines.
func (w *work) isColumn(n *html.Node) bool {
	if only := onlyChild(n); tree.Is(only, atom.Code) {
		n = only
	}
	numbers := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.Step(1)
		switch {
		case tree.IsBlank(c):
		case tree.Is(c, atom.Pre, atom.Code) || c.Type != html.ElementNode || !w.isGutter(c):
			return false
		default:
			numbers++
		}
	}
	return numbers > 0
}

// numberSize is how many bytes of text the number of a line may be.
const numberSize = 64

// isNumberOnly reports whether digits and white space are all that is below n.
// It looks at no more than a number has, for such elements may nest.
func (w *work) isNumberOnly(n *html.Node) bool {
	size, nodes := 0, 0
	for d := range w.Below(n) {
		if d.Type == html.TextNode {
			size += len(d.Data)
		}
		if nodes++; size > numberSize || nodes > numberSize || d.Type == html.TextNode && hasLetters(d.Data) {
			return false
		}
	}
	return true
}

func hasLetters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r > ' ' && (r < '0' || r > '9') })
}

// gutterClasses are the names that highlighters give to line numbers.
var gutterClasses = map[string]bool{
	"gutter": true, "lineno": true, "linenos": true, "lineno-col": true, "linenodiv": true, "line-number": true,
	"line-numbers-rows": true, "linenumber": true, "line-numbers-row": true, "lnt": true, "ln": true, "hljs-ln-numbers": true,
	"hljs-ln-line-number": true, "blob-num": true, "rouge-gutter": true, "react-syntax-highlighter-line-number": true,
	"code-line-number": true, "linenumbers": true, "gl": true, "crayon-nums": true, "syntaxhighlighter-line-number": true,
}

// language returns the language of a code block, as the classes of the block,
// of the code in it, or of the elements right around it name it.
func language(pre *html.Node) string {
	places := []*html.Node{pre, firstElement(pre), pre.Parent}
	if pre.Parent != nil {
		places = append(places, pre.Parent.Parent)
	}
	for i, n := range places {
		if n == nil || n.Type != html.ElementNode {
			continue
		}
		if lang := languageOf(n, i < 2); lang != "" {
			return lang
		}
	}
	return ""
}

func firstElement(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
}

// classPrefixes come before the name of a language.
var classPrefixes = []string{"language-", "lang-", "highlight-source-", "highlight-text-", "highlight-", "brush:", "sourcecode-"}

// languageOf reads the attributes of one element. Where loose is set, a class
// that is a word in the company of "hljs" and the like is a language, too.
func languageOf(n *html.Node, loose bool) string {
	for _, key := range []string{"data-lang", "data-language", "data-code-lang"} {
		if lang := languageName(tree.AttrOr(n, key)); lang != "" {
			return lang
		}
	}
	class := strings.ReplaceAll(tree.AttrOr(n, "class"), "brush: ", "brush:")
	highlighted, word := false, ""
	for name := range strings.FieldsSeq(class) {
		for _, prefix := range classPrefixes {
			if rest, ok := strings.CutPrefix(name, prefix); ok {
				if lang := languageName(rest); lang != "" {
					return lang
				}
			}
		}
		switch name {
		case "hljs", "sourceCode", "prettyprint", "highlight", "shiki":
			highlighted = true
		default:
			word = cmp.Or(word, name)
		}
	}
	if loose && highlighted && knownLanguages[word] {
		return word
	}
	return ""
}

// languageName returns s if it can stand behind a fence, without what some
// highlighters append, and "" for names that say there is no language.
func languageName(s string) string {
	s, _, _ = strings.Cut(strings.TrimRight(s, ";,"), ";")
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "none", "nohighlight", "default", "highlight", "auto", "undefined", "source":
		return ""
	}
	if len(s) > 40 || strings.ContainsAny(s, "` \t\n\r\"'<>{}") {
		return ""
	}
	return s
}

// knownLanguages are those that highlighters name with a bare class.
var knownLanguages = map[string]bool{
	"bash": true, "c": true, "cpp": true, "csharp": true, "css": true, "diff": true, "dockerfile": true, "elixir": true,
	"erlang": true, "go": true, "graphql": true, "haskell": true, "html": true, "ini": true, "java": true, "javascript": true,
	"js": true, "json": true, "jsx": true, "kotlin": true, "lua": true, "makefile": true, "markdown": true, "nginx": true,
	"objectivec": true, "perl": true, "php": true, "powershell": true, "python": true, "r": true, "ruby": true, "rust": true,
	"scala": true, "scss": true, "shell": true, "sh": true, "sql": true, "swift": true, "toml": true, "ts": true, "tsx": true,
	"typescript": true, "xml": true, "yaml": true, "yml": true,
}
