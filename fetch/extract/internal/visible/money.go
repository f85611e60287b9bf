package visible

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

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
	if said := r.saidBefore(i); said != "" && saidAmounts[said] == oldAmount && (!regularWords[said] || r.isBeforeSale(i) || r.isBeforeIns(i)) {
		return "old price"
	}
	if r.isBeforeIns(i) {
		return "old price"
	}
	if n.is(isText) {
		i = n.up
	}
	for levels := 0; i >= 0 && levels < priceLevels && r.nodes[i].to-r.nodes[i].from <= maxMoney; i, levels = r.nodes[i].up, levels+1 {
		switch r.amountName(r.nodes[i].el) {
		case oldAmount:
			return "old price"
		case otherAmount:
			return ""
		}
	}
	return "price"
}

// isBeforeIns reports whether the text behind another one, in its line, was put
// in its place: "$20 <ins>$15</ins>".
func (r *reader) isBeforeIns(i int) bool {
	next := r.nodes[i].end
	for ; next < len(r.nodes) && next < r.nodes[i].end+maxApart; next++ {
		if n := &r.nodes[next]; n.is(isText) {
			return false
		} else if n.named(atom.Ins) {
			return n.line == r.nodes[i].line && isMoney(r.textOf(next)) && isMoney(r.textOf(i))
		}
	}
	return false
}

// amountNamed returns the name of a text that a class has called so: "old" in
// front if it is crossed out, and "" for an amount that the names around it
// call something else.
func (r *reader) amountNamed(i int, name string) string {
	switch {
	case r.nodes[i].is(isStruck):
		return "old " + name
	case name == "price" && r.priceName(i) == "":
		return ""
	}
	return name
}

// isOtherPrice reports whether an amount is hardly the price of the page's own
// thing: it stands before the title, or on a button, a label or a choice.
func (r *reader) isOtherPrice(i int) bool {
	if r.titleNode >= 0 && i < r.titleNode {
		return true
	}
	for levels := 0; i >= 0 && levels < 2*priceLevels; i, levels = r.nodes[i].up, levels+1 {
		if r.nodes[i].named(atom.Button, atom.Label, atom.Option) {
			return true
		}
	}
	return false
}

// amountKind is what the name of an element says of the money in it.
type amountKind uint8

const (
	anyAmount amountKind = iota
	oldAmount
	otherAmount
	// highAmount is the end of a range that the amount before it begins.
	highAmount
	// unknownAmount is one of which words say what nobody knows.
	unknownAmount
)

func (r *reader) amountName(n *html.Node) amountKind {
	for _, key := range [...]string{"class", "id"} {
		for k := range r.tokens.in(attr(n, key)) {
			if k.amount != anyAmount {
				return k.amount
			}
		}
	}
	return anyAmount
}

func amountOf(words []string) amountKind {
	for _, w := range words {
		switch {
		case oldPrices[w]:
			return oldAmount
		case otherAmounts[w]:
			return otherAmount
		}
	}
	return anyAmount
}

// oldPrices are words for a price that was, and otherAmounts for what is no
// price of a thing.
var (
	oldPrices    = setOf("old original was regular strike striked strikethrough crossed msrp rrp uvp before anterior antes previous oldprice")
	otherAmounts = setOf("shipping delivery versand livraison envio postage installment installments instalment monthly saving savings discount save subtotal total unit unitprice deposit coupon cashback credit")
)
