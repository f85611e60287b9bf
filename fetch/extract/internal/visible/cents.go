package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
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
	whole := tree.TextOf(n.Parent.Parent)
	if y.p.Meter.Read(len(whole)); len(whole) > 4*maxMoney {
		return 0
	}
	whole = strings.Join(strings.Fields(whole), " ")
	before := y.b.String()
	number := before[strings.LastIndexFunc(before, func(c rune) bool { return !strings.ContainsRune("0123456789.,", c) })+1:]
	if !isMoney(whole) || number == "" || len(number) > 9 || !isDigits(number[len(number)-1:]) {
		return 0
	}
	if strings.Contains(number, ".") {
		return ','
	}
	return '.'
}

func isDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(c rune) bool { return c < '0' || c > '9' })
}
