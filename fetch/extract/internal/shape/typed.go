package shape

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// prices are the concepts whose values are amounts that a thing costs.
var prices = []string{"price", "lowPrice", "highPrice", "originalPrice"}

// isTyped reports whether a value is that of a field of a form that its reader
// may type over: an amount in one is the bound of a search, or a bid, and no
// price.
func isTyped(n *html.Node) bool {
	if n == nil || n.DataAtom != atom.Input {
		return false
	}
	if _, fixed := tree.Attr(n, "readonly"); fixed {
		return false
	}
	kind, _ := tree.Attr(n, "type")
	return slices.Contains([]string{"", "text", "number", "range", "search", "tel"}, strings.ToLower(kind))
}
