package tex

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// elements are the elements of MathML that are more than a row of what they
// hold.
var elements map[string]func(*writer, *html.Node)

func init() { // the functions refer back to the table
	elements = map[string]func(*writer, *html.Node){
		"mi": (*writer).identifier, "mn": (*writer).number, "mo": (*writer).operator,
		"mtext": (*writer).words, "ms": (*writer).quoted, "mspace": (*writer).space,
		"msup": (*writer).super, "msub": (*writer).sub, "msubsup": (*writer).subsuper, "mmultiscripts": (*writer).multiscripts,
		"mover": (*writer).over, "munder": (*writer).under, "munderover": (*writer).underover,
		"mfrac": (*writer).fraction, "msqrt": (*writer).root, "mroot": (*writer).rootOf,
		"mtable": (*writer).table, "mfenced": (*writer).fenced, "menclose": (*writer).enclosed,
		"mphantom":  func(w *writer, n *html.Node) { w.command(`\phantom`, n) },
		"semantics": func(w *writer, n *html.Node) { w.node(arguments(n, 1)[0]) }, "maction": func(w *writer, n *html.Node) { w.node(arguments(n, 1)[0]) },
		"annotation": func(*writer, *html.Node) {}, "annotation-xml": func(*writer, *html.Node) {}, "none": func(*writer, *html.Node) {},
	}
}

// arities are how many arguments elements need.
var arities = map[string]int{
	"msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "munder": 2, "munderover": 3, "mfrac": 2, "mroot": 2, "semantics": 1, "maction": 1,
}

// command writes a command whose argument is all that is in n.
func (w *writer) command(name string, n *html.Node) {
	w.put(name + "{")
	w.row(n)
	w.put("}")
}

func (w *writer) fraction(n *html.Node) {
	args := arguments(n, 2)
	if strings.TrimRight(tree.AttrOr(n, "linethickness"), "pxemt%") == "0" {
		w.put("{")
		w.group(args[0])
		w.put(`\atop`)
		w.group(args[1])
		w.put("}")
		return
	}
	w.put(`\frac`)
	w.group(args[0])
	w.group(args[1])
}

func (w *writer) root(n *html.Node) { w.command(`\sqrt`, n) }

func (w *writer) rootOf(n *html.Node) {
	args := arguments(n, 2)
	w.put(`\sqrt[`)
	w.inWord = false
	w.arg(args[1])
	w.put("]")
	w.group(args[0])
}

// space writes a space that is wide enough to be meant.
func (w *writer) space(n *html.Node) {
	if tree.AttrOr(n, "linebreak") == "newline" {
		w.put(`\\`)
		return
	}
	width, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(tree.AttrOr(n, "width")), "em"), 64)
	switch {
	case width >= 2:
		w.put(`\qquad`)
	case width >= 1:
		w.put(`\quad`)
	case width > 0.1:
		w.put(`\,`)
	}
}

// enclosed writes the enclosures that TeX has commands for.
func (w *writer) enclosed(n *html.Node) {
	for notation := range strings.FieldsSeq(tree.AttrOr(n, "notation")) {
		if name := enclosures[notation]; name != "" {
			w.command(name, n)
			return
		}
	}
	if _, given := tree.Attr(n, "notation"); !given {
		w.put(`\overline{\smash{)}`) // a long division, the default
		w.row(n)
		w.put("}")
		return
	}
	w.row(n)
}

var enclosures = map[string]string{
	"radical": `\sqrt`, "box": `\boxed`, "roundedbox": `\boxed`, "top": `\overline`, "bottom": `\underline`, "actuarial": `\overline`,
	"updiagonalstrike": `\cancel`, "downdiagonalstrike": `\bcancel`, "horizontalstrike": `\cancel`,
}

// fenced writes what stands between fences, with separators.
func (w *writer) fenced(n *html.Node) {
	args := children(n)
	open, end := attrOr(n, "open", "("), attrOr(n, "close", ")")
	if len(args) == 1 {
		if t := only(args[0]); is(t, "mtable") && matrices[open+end] != "" {
			w.matrix(t, matrices[open+end])
			return
		}
	}
	separators := []rune(strings.Join(strings.Fields(attrOr(n, "separators", ",")), ""))
	w.symbols(open)
	for i, c := range args {
		if i > 0 && len(separators) > 0 {
			w.symbols(string(separators[min(i, len(separators))-1]))
		}
		w.node(c)
	}
	w.symbols(end)
}

func attrOr(n *html.Node, key, other string) string {
	if v, ok := tree.Attr(n, key); ok {
		return strings.TrimSpace(v)
	}
	return other
}
