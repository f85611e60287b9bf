package tex

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// identifier writes a name: one letter, the name of a function, or several
// letters that are one name.
func (w *writer) identifier(n *html.Node) {
	s := squeezed(textOf(n))
	style := variant(n)
	switch {
	case functions[s] != "":
		w.put(functions[s])
	case style != "" && isLatin(s):
		w.put(style + "{" + s + "}")
	case utf8.RuneCountInString(s) > 1 && isLatin(s):
		w.put(`\mathrm{` + s + "}")
	case utf8.RuneCountInString(s) > 1 && strings.Contains(s, " "):
		w.text(s)
	default:
		w.symbols(s)
	}
}

// variant returns the command of the alphabet that a token is set in, "" for
// the usual one.
func variant(n *html.Node) string { return variants[tree.AttrOr(n, "mathvariant")] }

var variants = map[string]string{
	"normal": `\mathrm`, "bold": `\mathbf`, "bold-italic": `\boldsymbol`, "double-struck": `\mathbb`, "script": `\mathcal`, "bold-script": `\mathcal`,
	"fraktur": `\mathfrak`, "bold-fraktur": `\mathfrak`, "sans-serif": `\mathsf`, "bold-sans-serif": `\mathsf`, "monospace": `\mathtt`,
}

// isLatin reports whether s is letters and digits of ASCII, from a letter on.
func isLatin(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func (w *writer) number(n *html.Node) {
	s := squeezed(textOf(n))
	if style := variant(n); style != "" && style != `\mathrm` && s != "" && strings.Trim(s, "0123456789") == "" {
		w.put(style + "{" + s + "}")
		return
	}
	w.symbols(s)
}

// operator writes an operator; one that is a word is a function or set upright.
func (w *writer) operator(n *html.Node) {
	s := squeezed(textOf(n))
	switch {
	case functions[s] != "":
		w.put(functions[s])
	case len(s) > 1 && isLatin(s):
		w.put(`\operatorname{` + s + "}")
	default:
		w.symbols(s)
	}
}

// functions are the names that TeX sets upright.
var functions = func() map[string]string {
	m := map[string]string{"lim sup": `\limsup`, "lim inf": `\liminf`}
	for _, name := range strings.Fields(`sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log ln lg exp lim limsup liminf
		max min sup inf det dim ker gcd arg deg hom Pr`) {
		m[name] = `\` + name
	}
	return m
}()

// words writes text as it is.
func (w *writer) words(n *html.Node) {
	s := textOf(n)
	if strings.TrimFunc(s, unicode.IsSpace) == "" {
		if s != "" {
			w.put(`\ `)
		}
		return
	}
	w.text(s)
}

func (w *writer) quoted(n *html.Node) {
	w.text(attrOr(n, "lquote", `"`) + squeezed(textOf(n)) + attrOr(n, "rquote", `"`))
}

// text writes words upright. White space at the ends counts there.
func (w *writer) text(s string) {
	s = strings.ReplaceAll(s, "\u00a0", " ")
	inner := squeezed(s)
	if strings.HasPrefix(s, " ") {
		inner = " " + inner
	}
	if strings.HasSuffix(s, " ") {
		inner += " "
	}
	w.put(`\text{`)
	for _, r := range inner {
		if esc, ok := escapes[r]; ok {
			w.b.WriteString(esc)
			continue
		}
		w.b.WriteRune(r)
	}
	w.Read(len(inner))
	w.put("}")
}

// escapes are the characters that mean something in TeX, as text.
var escapes = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '%': `\%`, '#': `\#`, '&': `\&`, '_': `\_`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`,
}

// mathEscapes are those that are written otherwise in a formula.
var mathEscapes = map[rune]string{'\\': `\backslash`, '^': `\hat{}`, '~': `\sim`}

func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }

// symbols writes characters of a formula one by one, as commands where TeX has
// one.
func (w *writer) symbols(s string) {
	for _, r := range s {
		switch command, ok := commands[r]; {
		case ok:
			w.put(command)
		case escapes[r] != "":
			w.put(cmp.Or(mathEscapes[r], escapes[r]))
		case unicode.IsSpace(r) || unicode.Is(unicode.Cf, r):
		case r >= 0x1D400 && r <= 0x1D7FF:
			w.put(styled(r))
		default:
			w.put(string(r))
		}
	}
}
