package tex

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/internal/tree"
)

func (w *writer) super(n *html.Node) {
	args := arguments(n, 2)
	w.base(args[0])
	w.raise(args[1])
}

func (w *writer) sub(n *html.Node) {
	args := arguments(n, 2)
	w.base(args[0])
	w.lower(args[1])
}

func (w *writer) subsuper(n *html.Node) {
	args := arguments(n, 3)
	w.base(args[0])
	w.lower(args[1])
	w.raise(args[2])
}

// base writes what scripts are put to.
func (w *writer) base(n *html.Node) {
	if isAtom(n) {
		w.node(n)
		return
	}
	w.group(n)
}

// isAtom reports whether scripts after n belong to all of it.
func isAtom(n *html.Node) bool {
	n = only(n)
	if is(n, "mi", "mo", "mfenced", "msqrt", "mtable") {
		return true
	}
	if is(n, "mn") {
		return true
	}
	if is(n, "mover", "munder") {
		return isBrace(n)
	}
	if !is(n, "mrow") {
		return false
	}
	args := children(n)
	return len(args) > 1 && fence(args[0]) == "(" && fence(args[len(args)-1]) == ")"
}

// fence returns the text of an operator.
func fence(n *html.Node) string {
	if !is(n, "mo") {
		return ""
	}
	return strings.TrimSpace(textOf(n))
}

func (w *writer) lower(n *html.Node) {
	if isEmpty(n) {
		return
	}
	w.put("_")
	w.arg(n)
}

// raise writes an exponent; primes are written as such.
func (w *writer) raise(n *html.Node) {
	if isEmpty(n) {
		return
	}
	if t := tokenOf(n); t != nil {
		if p := primes(strings.TrimSpace(textOf(t))); p != "" {
			w.put(p)
			return
		}
	}
	w.put("^")
	w.arg(n)
}

// isEmpty reports whether n stands for no script.
func isEmpty(n *html.Node) bool {
	n = only(n)
	return n == nil || is(n, "none") || n.Type == html.ElementNode && transparent[n.Data] && n.FirstChild == nil
}

func primes(s string) string {
	switch s {
	case "′", "'":
		return "'"
	case "″", "''":
		return "''"
	case "‴":
		return "'''"
	}
	return ""
}

// multiscripts writes scripts after the base and, behind mprescripts, before.
func (w *writer) multiscripts(n *html.Node) {
	args := children(n)
	if len(args) == 0 {
		return
	}
	at := len(args)
	for i, c := range args {
		if is(c, "mprescripts") {
			at = i
			break
		}
	}
	if at < len(args) {
		w.put("{}")
		w.pairs(args[at+1:])
	}
	w.base(args[0])
	if at > 0 {
		w.pairs(args[1:at])
	}
}

// pairs writes scripts that come as one below and one above.
func (w *writer) pairs(scripts []*html.Node) {
	for i := 0; i < len(scripts); i += 2 {
		if i > 0 {
			w.put("{}")
		}
		w.lower(scripts[i])
		if i+1 < len(scripts) {
			w.raise(scripts[i+1])
		}
	}
}

func (w *writer) over(n *html.Node) {
	args := arguments(n, 2)
	switch mark := markOver(args[1], args[0]); {
	case mark != "":
		w.put(mark)
		w.group(args[0])
	case takesLimits(args[0]):
		w.base(args[0])
		w.raise(args[1])
	default:
		w.put(`\overset`)
		w.group(args[1])
		w.group(args[0])
	}
}

func (w *writer) under(n *html.Node) {
	args := arguments(n, 2)
	switch mark := marksUnder[markText(args[1])]; {
	case mark != "":
		w.put(mark)
		w.group(args[0])
	case takesLimits(args[0]):
		w.base(args[0])
		w.lower(args[1])
	default:
		w.put(`\underset`)
		w.group(args[1])
		w.group(args[0])
	}
}

func (w *writer) underover(n *html.Node) {
	args := arguments(n, 3)
	if takesLimits(args[0]) {
		w.base(args[0])
		w.lower(args[1])
		w.raise(args[2])
		return
	}
	w.put(`\overset`)
	w.group(args[2])
	w.put(`{\underset`)
	w.group(args[1])
	w.group(args[0])
	w.put("}")
}

// takesLimits reports whether what is below and above n is written as scripts.
func takesLimits(n *html.Node) bool {
	if isBrace(n) {
		return true
	}
	t := tokenOf(n)
	if t == nil {
		return false
	}
	s := strings.TrimSpace(textOf(t))
	return limits[s] || strings.EqualFold(tree.AttrOr(t, "movablelimits"), "true")
}

// isBrace reports whether n is something with a brace over or under it, to
// which a label is put.
func isBrace(n *html.Node) bool {
	n = only(n)
	if !is(n, "mover", "munder") {
		return false
	}
	mark := markText(arguments(n, 2)[1])
	return mark == "⏞" || mark == "⏟"
}

// markText returns the text of an operator that is a mark over or under.
func markText(n *html.Node) string {
	if t := tokenOf(n); is(t, "mo") {
		return strings.TrimSpace(textOf(t))
	}
	return ""
}

// markOver returns the command for a mark over a base: wide over several.
func markOver(mark, base *html.Node) string {
	m := marksOver[markText(mark)]
	if t := tokenOf(base); t != nil && len([]rune(strings.TrimSpace(textOf(t)))) == 1 {
		return m[0]
	}
	return m[1]
}

// marksOver are commands for a mark over one letter, and over more.
var marksOver = map[string][2]string{
	"^": {`\hat`, `\widehat`}, "ˆ": {`\hat`, `\widehat`}, "\u0302": {`\hat`, `\widehat`},
	"~": {`\tilde`, `\widetilde`}, "˜": {`\tilde`, `\widetilde`}, "\u0303": {`\tilde`, `\widetilde`},
	"¯": {`\bar`, `\overline`}, "‾": {`\bar`, `\overline`}, "\u0304": {`\bar`, `\overline`}, "\u0305": {`\bar`, `\overline`}, "_": {`\bar`, `\overline`},
	"→": {`\vec`, `\overrightarrow`}, "⃗": {`\vec`, `\overrightarrow`}, "←": {`\overleftarrow`, `\overleftarrow`}, "↔": {`\overleftrightarrow`, `\overleftrightarrow`},
	"˙": {`\dot`, `\dot`}, ".": {`\dot`, `\dot`}, "\u0307": {`\dot`, `\dot`}, "¨": {`\ddot`, `\ddot`}, "\u0308": {`\ddot`, `\ddot`},
	"⏞": {`\overbrace`, `\overbrace`}, "˘": {`\breve`, `\breve`}, "ˇ": {`\check`, `\check`}, "´": {`\acute`, `\acute`}, "`": {`\grave`, `\grave`},
	"˚": {`\mathring`, `\mathring`},
}

var marksUnder = map[string]string{
	"_": `\underline`, "¯": `\underline`, "̲": `\underline`, "‾": `\underline`, "⏟": `\underbrace`, "→": `\underrightarrow`, "←": `\underleftarrow`,
}

// limits are the operators whose limits stand below and above them.
var limits = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields("∑ ∏ ∐ ∫ ∬ ∭ ∮ ⋂ ⋃ ⋀ ⋁ ⨁ ⨂ ⨀ ⨄ ⨆ ∩ ∪ lim max min sup inf det gcd Pr liminf limsup argmax argmin") {
		m[s] = true
	}
	m["lim sup"], m["lim inf"] = true, true
	return m
}()
