package visible

import (
	"strings"

	"golang.org/x/net/html"
)

// codeNameOf returns the one of an element's names that calls it the number of
// a thing, or "": "product-code", "articleNumber", "sku".
func (r *reader) codeNameOf(n *html.Node) string {
	for i := range n.Attr {
		if !namesElement(n.Attr[i].Key) {
			continue
		}
		for s := range strings.FieldsSeq(cut(n.Attr[i].Val, maxNames)) {
			if r.tokens.of(s).code {
				return s
			}
		}
	}
	return ""
}

// namesElement reports whether the value of an attribute is what its makers
// call the element: for styles, scripts or tests.
func namesElement(key string) bool {
	switch key {
	case "class", "id":
		return true
	}
	return strings.HasPrefix(key, "data-test") || strings.HasPrefix(key, "data-qa") || strings.HasPrefix(key, "data-auto")
}

// isCodeName reports whether the words of a name call something the number of a
// thing.
func isCodeName(words []string) bool {
	thing, number := false, false
	for _, w := range words {
		switch {
		case notCodes[w]:
			return false
		case codeAlone[w]:
			return true
		}
		thing, number = thing || codeThings[w], number || codeNumbers[w]
	}
	return thing && number || len(words) > 1 && codeThings[words[0]] && words[len(words)-1] == "article"
}

var (
	codeThings  = setOf("product item article prod goods offer catalog element detail listing ad")
	codeNumbers = setOf("code number nr num no ref reference id identifier adno articul artikul")
	codeAlone   = setOf("sku productcode articlenumber articlenr articleno itemnumber itemno productnumber productid artikelnummer artnr adno vendorcode")
	notCodes    = setOf("related review reviews rating ratings image images photo count qty quantity price prices wishlist compare label list phone date")
)
