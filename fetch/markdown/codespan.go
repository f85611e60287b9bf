package markdown

import (
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// code writes code within a line: between tags where backticks would be read
// together with those of the code before, and where a bracket in the code could
// close the one of a link at the start of a line, which makes a definition.
func (e *engine) code(w converter.Writer, n *html.Node) {
	text := e.textOf(n)
	prev, _ := e.adjacent(n, backward)
	if named(prev, "code") || e.inLink && strings.Contains(text, "]:") {
		_, _ = w.WriteString("<code>" + e.escapeText(strings.ReplaceAll(text, "\n", " ")) + "</code>")
		return
	}
	codeSpan(w, text)
}

// codeSpan writes code within a line. Where it begins or ends with a backtick,
// a space on each side keeps that apart from the fence; where it begins and ends
// with a space, a reader takes one of each away. Nothing but spaces stays as it
// is (CommonMark 0.31, 6.1).
func codeSpan(w converter.Writer, code string) {
	code = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, code)
	if code == "" {
		return
	}
	first, last := code[0], code[len(code)-1]
	if first == '`' || last == '`' || first == ' ' && last == ' ' && strings.Trim(code, " ") != "" {
		code = " " + code + " "
	}
	fence := strings.Repeat("`", longestRun(code, '`')+1)
	_, _ = w.WriteString(fence + code + fence)
}

// codeBlock writes code between fences that are longer than any run of
// backticks in it.
func (e *engine) codeBlock(w converter.Writer, n *html.Node) {
	code := e.textOf(n)
	fence := strings.Repeat("`", max(longestRun(code, '`')+1, 3))
	_, _ = w.WriteString("\n\n" + fence + tree.AttrOr(n, "lang") + "\n")
	if code != "" {
		_, _ = w.WriteString(strings.ReplaceAll(code, "\n", string(markNewline)))
		_ = w.WriteByte('\n')
	}
	_, _ = w.WriteString(fence + "\n\n")
}

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}
