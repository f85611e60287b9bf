package visible

import "golang.org/x/net/html"

// priceLevels is how many levels above an amount are asked for what it is.
const priceLevels = 3

// priceName returns what an amount of money is: "price", "old price", or ""
// for one that the names around it call something else, such as the cost of
// sending.
func (r *reader) priceName(i int) string {
	n := &r.nodes[i]
	if n.is(isStruck) {
		return "old price"
	}
	if n.is(isText) {
		i = n.up
	}
	for levels := 0; i >= 0 && levels < priceLevels && r.nodes[i].to-r.nodes[i].from <= maxMoney; i, levels = r.nodes[i].up, levels+1 {
		switch {
		case r.hasName(r.nodes[i].el, oldPrices):
			return "old price"
		case r.hasName(r.nodes[i].el, otherAmounts):
			return ""
		}
	}
	return "price"
}

// hasName reports whether one of the words of an element's classes or its id is
// in a set.
func (r *reader) hasName(n *html.Node, words map[string]bool) bool {
	for _, key := range [...]string{"class", "id"} {
		for k := range r.tokens.in(attr(n, key)) {
			for _, w := range k.words {
				if words[w] {
					return true
				}
			}
		}
	}
	return false
}

// oldPrices are words for a price that was, and otherAmounts for what is no
// price of a thing.
var (
	oldPrices    = setOf("old original was regular strike striked strikethrough crossed msrp rrp uvp before anterior antes previous oldprice")
	otherAmounts = setOf("shipping delivery versand livraison envio postage installment installments instalment monthly saving savings discount save subtotal total unit unitprice deposit coupon cashback credit")
)
