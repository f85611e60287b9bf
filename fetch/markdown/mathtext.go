package markdown

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// sourceFormulas takes the formulas out of the texts among the children of n
// that a script of the page would draw: \(…\), \[…\] and environments of
// amsmath. A dollar is no sign of one, for it is one of money, too, unless what
// stands between two is TeX beyond doubt.
func (e *engine) sourceFormulas(n *html.Node) {
	if named(n, "code", "pre") {
		return
	}
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type == html.TextNode && (strings.Contains(c.Data, `\`) || strings.Contains(c.Data, "$")) {
			e.splitFormulas(c)
		}
		c = next
	}
}

// splitFormulas puts texts and formulas in the place of a text that holds some.
func (e *engine) splitFormulas(n *html.Node) {
	s := n.Data
	e.Read(len(s))
	var parts []*html.Node
	text := 0 // where the text not yet taken begins
	f := finder{s: s}
	for {
		m, ok := f.next()
		if !ok {
			break
		}
		if m.start > text {
			parts = append(parts, tree.Text(s[text:m.start]))
		}
		parts = append(parts, formula(m.tex, m.display))
		text = m.end
	}
	if parts == nil {
		return
	}
	e.formulas++
	if text < len(s) {
		parts = append(parts, tree.Text(s[text:]))
	}
	tree.Replace(n, parts...)
}

// A match is a formula in a text.
type match struct {
	start, end int
	tex        string
	display    bool
}

// A finder finds formulas in a text, in one pass.
type finder struct {
	s  string
	at int
	// ends holds where the next of each end is, len(s) for nowhere, so that
	// each stretch is searched once.
	ends map[string]int
}

func (f *finder) next() (match, bool) {
	for f.at < len(f.s) {
		i := strings.IndexAny(f.s[f.at:], `\$`)
		if i < 0 {
			break
		}
		start := f.at + i
		if m, ok := f.opened(start); ok {
			f.at = m.end
			return m, true
		}
		f.at = start + 1
		if f.s[start] == '\\' || strings.HasPrefix(f.s[start:], "$$") {
			f.at++ // what a backslash escapes opens nothing
		}
	}
	f.at = len(f.s)
	return match{}, false
}

// opened returns the formula that begins at start.
func (f *finder) opened(start int) (match, bool) {
	rest := f.s[start:]
	switch {
	case strings.HasPrefix(rest, `\(`):
		return f.between(start, 2, `\)`, false, notBlank)
	case strings.HasPrefix(rest, `\[`):
		return f.between(start, 2, `\]`, true, notBlank)
	case strings.HasPrefix(rest, `\begin{`):
		return f.environment(start)
	case strings.HasPrefix(rest, "$$"):
		return f.between(start, 2, "$$", true, isTeX)
	case rest[0] == '$':
		return f.between(start, 1, "$", false, isTeX)
	}
	return match{}, false
}

// maxFormula is how long the source of a formula may be, in bytes.
const maxFormula = 4096

// between returns the formula that begins at start and ends at the first end.
func (f *finder) between(start, skip int, end string, display bool, ok func(string) bool) (match, bool) {
	from := start + skip
	at := f.find(end, from)
	if at == len(f.s) || at-from > maxFormula {
		return match{}, false
	}
	tex := f.s[from:at]
	if strings.Contains(tex, f.s[start:from]) || !ok(tex) {
		return match{}, false
	}
	return match{start: start, end: at + len(end), tex: tex, display: display}, true
}

// find returns where the first end from a place on is, or the length of the
// text.
func (f *finder) find(end string, from int) int {
	if at, ok := f.ends[end]; ok && at >= from {
		return at
	}
	at := len(f.s)
	if i := strings.Index(f.s[from:], end); i >= 0 {
		at = from + i
	}
	if f.ends == nil {
		f.ends = map[string]int{}
	}
	f.ends[end] = at
	return at
}

// environments are those of amsmath that MathJax takes without delimiters.
var environments = map[string]bool{"equation": true, "align": true, "gather": true, "multline": true, "eqnarray": true, "alignat": true, "displaymath": true}

// environment returns \begin{…}…\end{…}, all of which is the formula.
func (f *finder) environment(start int) (match, bool) {
	name, _, _ := strings.Cut(f.s[start+len(`\begin{`):min(len(f.s), start+32)], "}")
	if !environments[strings.TrimSuffix(name, "*")] {
		return match{}, false
	}
	end := `\end{` + name + "}"
	m, ok := f.between(start, len(`\begin{`), end, true, notBlank)
	if ok {
		m.tex = f.s[start:m.end]
	}
	return m, ok
}

func notBlank(s string) bool { return strings.TrimSpace(s) != "" }

// isTeX reports whether what stands between two dollars can be nothing but a
// formula: spaces do not stand at its ends, and it has a command of TeX, or an
// index or exponent.
func isTeX(s string) bool {
	if s == "" || isSpaceByte(s[0]) || isSpaceByte(s[len(s)-1]) {
		return false
	}
	for i := 0; i+1 < len(s); i++ {
		switch next := s[i+1]; s[i] {
		case '\\':
			if isLetter(next) && i+2 < len(s) {
				return true
			}
		case '^', '_':
			if next == '{' || i == 1 && isLetter(s[0]) {
				return true
			}
		}
	}
	return false
}
