package names

import (
	"slices"
	"strings"
)

// amountOf are words for what something costs, in descriptions.
var amountOf = setOf("price prices cost amount preis prix precio prezzo")

// otherPrice returns the concept of a description of a price that is not the
// one to pay, or "": "the price before the discount", "price without VAT".
func otherPrice(words []string) string {
	if !slices.ContainsFunc(words, func(w string) bool { return amountOf[w] }) {
		return ""
	}
	for i, w := range words {
		after, next := afterwards(words, i), ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case netWords[w] && (taxes[after] || taxes[next]), w == "net" && amountOf[next]:
			return "netPrice"
		case (w == "before" || w == "without") && discounts[after]:
			return "originalPrice"
		case oldWords[w], strings.HasPrefix(w, "strikethrough"), beforePrice[w] && (amountOf[next] || next == "retail" && w != "old" || next == "list" || next == "selling"):
			return "originalPrice"
		}
	}
	return ""
}

// afterwards returns the word behind another, fillers left out, or "".
func afterwards(words []string, i int) string {
	for _, w := range words[i+1:] {
		if !fillers[w] && !besidePrice[w] {
			return w
		}
	}
	return ""
}

var (
	netWords    = setOf("without before excluding excl ex exclusive less ohne sans sin senza")
	taxes       = setOf("vat tax taxes gst mwst tva iva btw steuer")
	discounts   = setOf("discount discounts sale reduction reductions rebate offer promotion markdown deduction")
	oldWords    = setOf("undiscounted crossed struck msrp rrp uvp")
	beforePrice = setOf("old original former previous recommended suggested list regular was usual")
	besidePrice = setOf("any its this all applied")
)
