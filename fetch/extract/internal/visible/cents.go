package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// centsSeparator returns what to put before a text that is the cents of an
// amount, in an element of its own right behind the number, as in
// "$229<sup>99</sup>": those who see the page tell them by their size. It is 0
// for any other text.
func (y *layer) centsSeparator(n *html.Node) byte {
	text := strings.TrimSpace(n.Data)
	if len(text) != 2 || !isDigits(text) || y.b.Len() == 0 || y.gap == '\n' || n.Parent == nil || n.Parent.Parent == nil {
		return 0
	}
	switch n.Parent.DataAtom {
	case atom.Sup:
	case atom.Span, atom.Small, atom.B, atom.I, atom.Em, atom.Strong:
		if y.gap != 0 {
			return 0
		}
	default:
		return 0
	}
	whole := y.amountAround(n.Parent.Parent)
	before := y.b.String()
	before = before[max(0, len(before)-maxNumber-1):]
	number := before[strings.LastIndexFunc(before, func(c rune) bool { return !strings.ContainsRune("0123456789.,", c) })+1:]
	if !isMoney(whole) || number == "" || len(number) > maxNumber || !isDigits(number[len(number)-1:]) {
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

func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c < '0' || c > '9' })
}
