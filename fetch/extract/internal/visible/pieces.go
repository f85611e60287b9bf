package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/mention"
)

// centsSeparator returns what to put before a text that is the cents of an
// amount, in an element of its own right behind the number, as in
// "$229<sup>99</sup>": those who see the page tell them by their size. It is 0
// for any other text.
func (y *layer) centsSeparator(n *html.Node) byte {
	text := strings.TrimSpace(n.Data)
	if len(text) != 2 || !mention.IsDigits(text) || y.gap == '\n' || n.Parent == nil || n.Parent.Parent == nil {
		return 0
	}
	if !tree.Is(n.Parent, atom.Sup) && (y.gap != 0 || !tree.Is(n.Parent, atom.Span, atom.Small, atom.B, atom.I, atom.Em, atom.Strong)) {
		return 0
	}
	before := y.b.String()
	before = before[max(0, len(before)-maxNumber-1):]
	number := before[strings.LastIndexFunc(before, func(c rune) bool { return !strings.ContainsRune("0123456789.,", c) })+1:]
	if number == "" || len(number) > maxNumber || !mention.IsDigits(number[len(number)-1:]) || !mention.IsMoney(y.amountAround(n.Parent.Parent)) {
		return 0
	}
	if strings.Contains(number, ".") {
		return ','
	}
	return '.'
}

// maxNumber is the length of a number before cents, in bytes, and maxPieces of
// how many nodes an amount with them is made.
const (
	maxNumber = 9
	maxPieces = 12
)

// amountAround returns the text of an element that may be one amount, "" for
// one with too much in it.
func (y *layer) amountAround(n *html.Node) string {
	var b strings.Builder
	nodes := 0
	for d := range n.Descendants() {
		y.p.Meter.Step(1)
		if nodes++; nodes > maxPieces {
			return ""
		}
		if d.Type != html.TextNode {
			continue
		}
		if b.Len()+len(d.Data) > 4*maxMoney {
			return ""
		}
		b.WriteString(d.Data)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// isPriceBehindName reports whether an element is an amount of money right
// behind another element that ends in a word or a number, as in
// "<a>Paint 2</a><span>8.00 €</span>": style sheets hold the two apart, and in
// the text they would be one.
func (y *layer) isPriceBehindName(n *html.Node) bool {
	before := n.PrevSibling
	if before == nil || before.Type != html.ElementNode || !tree.Is(n, atom.Span, atom.B, atom.Strong, atom.Em, atom.I, atom.Small, atom.Ins, atom.Bdi, atom.A) {
		return false
	}
	c, _ := utf8.DecodeLastRuneInString(y.b.String())
	return (unicode.IsLetter(c) || unicode.IsDigit(c)) && mention.IsMoney(y.amountAround(n))
}

// maxApart is how many nodes apart the pieces of an amount stand.
const maxApart = 4

// amountAt returns the amount of money of which a text is the number and the
// text beside it, in an element of its own, the currency; "" where it is none,
// or where more digits stand beside it: cents in smaller letters.
func (r *reader) amountAt(i int) string {
	n := &r.nodes[i]
	number := r.text[n.from:n.to]
	if len(number) > maxMoney/2 || strings.Trim(number, "0123456789.,' \u00A0") != "" || !mention.HasDigit(number) {
		return ""
	}
	if whole, first := r.amountAbove(i); whole != "" {
		if !first {
			return ""
		}
		return whole
	}
	before := strings.TrimRight(r.text[r.lines[n.line].from:n.from], " .,")
	if next := r.textBeside(i, 1); next >= 0 {
		if !mention.HasDigit(before[max(0, len(before)-1):]) && mention.IsMoney(r.text[n.from:r.nodes[next].to]) {
			return r.text[n.from:r.nodes[next].to]
		}
		if mention.HasDigit(r.text[r.nodes[next].from : r.nodes[next].from+1]) {
			return ""
		}
	}
	if last := r.textBeside(i, -1); last >= 0 && mention.IsMoney(r.text[r.nodes[last].from:n.to]) {
		return r.text[r.nodes[last].from:n.to]
	}
	return ""
}

// amountAbove returns the amount of money that is all the text of an element around
// a part of its number, "" where there is none, and whether the number begins there.
func (r *reader) amountAbove(i int) (whole string, first bool) {
	n := &r.nodes[i]
	for up, levels := n.up, 0; up >= 0 && levels < priceLevels; up, levels = r.nodes[up].up, levels+1 {
		u := &r.nodes[up]
		if u.to-u.from > maxMoney || u.lineEnd-u.line != 1 {
			break // before its text is read, which is long for some
		}
		before, after := mention.HasDigit(r.text[u.from:n.from]), mention.HasDigit(r.text[n.to:u.to])
		if text := r.text[u.from:u.to]; (before || after) && mention.IsMoney(text) {
			whole, first = text, !before
		}
	}
	return whole, first
}

// textBeside returns the next text of the same line in a direction, or -1.
func (r *reader) textBeside(i, step int) int {
	for at, n := i+step, 0; at >= 0 && at < len(r.nodes) && n < maxApart; at, n = at+step, n+1 {
		if b := &r.nodes[at]; b.is(isText) {
			if b.line == r.nodes[i].line && b.is(isStruck) == r.nodes[i].is(isStruck) {
				return at
			}
			return -1
		}
	}
	return -1
}
