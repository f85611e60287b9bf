package visible

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// stock reads longer texts in elements whose names say that they tell whether
// the page's thing can be had: "Only 2 left in stock."
func (r *reader) stock() {
	sells := slices.ContainsFunc(r.parts[0].entity.Get("availability"), func(v graph.Value) bool { return v.Text == "InStock" || availability(v.Text) == "InStock" })
	for i := range r.nodes {
		r.pass(i)
		n := &r.nodes[i]
		if n.part != 0 || n.is(isText|isAside|isStruck) || r.isForeign(i) || n.from == n.to || n.to-n.from > maxStockText || len(n.el.Attr) == 0 || !r.namesStock(n.el) {
			continue
		}
		text := r.textOf(i)
		state := stateIn(strings.ToLower(text))
		if state == "" {
			continue
		}
		r.addAvailability(i, state, text)
		if state == "OutOfStock" && !sells && !r.has(0, graph.ShownStock) {
			v := r.textValue(state, graph.Class, n.el)
			v.Shown = text
			r.add(0, graph.ShownStock, v)
		}
	}
}

// maxStockText is the length of such a text, in bytes.
const maxStockText = 400

func (r *reader) namesStock(n *html.Node) bool {
	for _, key := range [...]string{"id", "class", "data-testid"} {
		for k := range r.tokens.in(attr(n, key)) {
			if k.stock {
				return true
			}
		}
	}
	return false
}

func stockWord(w string) bool { return stockWords[w] }

var stockWords = setOf("availability stock instock outofstock soldout disponibilite disponibilidad disponibilita verfuegbarkeit verfugbarkeit lieferbarkeit beschikbaarheid dostupnost dostepnosc nalichie")

// stateIn returns the first state that a text in lower case speaks of; that
// something cannot be had counts before that it can.
func stateIn(s string) string {
	for _, w := range phrasesOf()["out of stock"] {
		if hasPhrase(s, w) {
			return "OutOfStock"
		}
	}
	for _, w := range noSale {
		if hasPhrase(s, w) {
			return "OutOfStock"
		}
	}
	for _, w := range phrasesOf()["in stock"] {
		if hasPhrase(s, w) {
			return "InStock"
		}
	}
	return ""
}

// noSale are what longer texts have for a thing that cannot be had.
var noSale = []string{"cannot be ordered", "cannot be purchased", "can't be ordered", "nicht bestellbar", "nicht mehr verfügbar", "nicht mehr lieferbar", "n'est plus disponible", "ne peut être commandé",
	"no se puede comprar", "ya no está disponible", "non è acquistabile", "non è disponibile", "kan niet worden besteld", "nie można kupić", "nelze koupit", "nelze objednat", "nie je možné produkt kúpiť", "nie je možné kúpiť", "нельзя купить", "нельзя заказать"}

// hasPhrase reports whether words stand in a text as a whole.
func hasPhrase(s, words string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], words)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(words)
		before, _ := utf8.DecodeLastRuneInString(s[:start])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if !isLetterOfWord(before) && !isLetterOfWord(after) {
			return true
		}
		at = end
	}
}

// isLetterOfWord leaves out letters of scripts that put no space between words.
func isLetterOfWord(c rune) bool {
	return c != utf8.RuneError && unicode.IsLetter(c) && !unicode.Is(unicode.Lo, c)
}
