package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// isPriceBehindName reports whether an element is an amount of money right
// behind another element that ends in a word or a number, as in
// "<a>Paint 2</a><span>8.00 €</span>": style sheets hold the two apart, and in
// the text they would be one.
func (y *layer) isPriceBehindName(n *html.Node) bool {
	before := n.PrevSibling
	if before == nil || before.Type != html.ElementNode || y.b.Len() == 0 {
		return false
	}
	switch n.DataAtom {
	case atom.Span, atom.B, atom.Strong, atom.Em, atom.I, atom.Small, atom.Ins, atom.Bdi, atom.A:
	default:
		return false
	}
	text := y.b.String()
	if c, _ := utf8.DecodeLastRuneInString(text); !unicode.IsLetter(c) && !unicode.IsDigit(c) {
		return false
	}
	return isMoney(y.amountAround(n)) && hasName(y.amountAround(before))
}

// hasName reports whether a text has a word that is no currency.
func hasName(s string) bool {
	for word := range strings.FieldsSeq(strings.ToLower(s)) {
		word = strings.Trim(word, ".,:-()")
		if utf8.RuneCountInString(word) > 2 && !isCurrency(word) && !is("beside money", word) && strings.ContainsFunc(word, unicode.IsLetter) {
			return true
		}
	}
	return false
}
