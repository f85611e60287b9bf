package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxState is the length of a text that says whether something can be bought,
// in bytes.
const maxState = 60

// availability returns InStock or OutOfStock, the words of schema.org, for a
// text that says so, else "".
func availability(s string) string {
	if len(s) < 4 || len(s) > maxState || s[0] < 0x80 && !stateLetters[s[0]|0x20] && !strings.ContainsRune(" .!:*-(", rune(s[0])) {
		return ""
	}
	s = withoutAdverb(strings.ToLower(strings.Trim(s, " .!:*✓✔●•-–()")))
	if s == "" {
		return ""
	}
	for _, w := range statesByByte[s[0]] {
		if startsWith(s, w.words) {
			return w.state
		}
	}
	return ""
}

// stateWords are words for whether a thing can be had.
type stateWords struct{ words, state string }

// statesByByte are those words by their first byte, those for what cannot be
// had first.
var statesByByte = func() (t [256][]stateWords) {
	for _, s := range outOfStock {
		t[s[0]] = append(t[s[0]], stateWords{s, "OutOfStock"})
	}
	for _, s := range inStock {
		t[s[0]] = append(t[s[0]], stateWords{s, "InStock"})
	}
	return t
}()

// withoutAdverb cuts off what says that a state is one of now.
func withoutAdverb(s string) string {
	for _, w := range [...]string{"sorry, ", "leider ", "désolé, ", "this item is ", "this product is ", "dieser artikel ist ", "ce produit est ", "cet article est ", "este producto está ", "este produto está "} {
		s = strings.TrimPrefix(s, w)
	}
	for _, w := range stateAdverbs {
		if rest, ok := strings.CutPrefix(s, w); ok && strings.HasPrefix(rest, " ") {
			return rest[1:]
		}
	}
	return s
}

var stateAdverbs = []string{"currently", "temporarily", "now", "actuellement", "temporairement", "momentanément", "derzeit", "momentan", "zurzeit", "zur zeit", "aktuell", "vorübergehend", "attualmente", "temporaneamente", "momentaneamente",
	"actualmente", "temporalmente", "atualmente", "temporariamente", "tijdelijk", "momenteel", "tällä hetkellä", "obecnie", "chwilowo", "momentálně", "momentálne", "aktuálně", "aktuálne", "trenutno", "временно", "сейчас", "tillfälligt", "midlertidig"}

// startsWith reports whether s begins with the words and little more follows.
func startsWith(s, words string) bool {
	rest, ok := strings.CutPrefix(s, words)
	if !ok || len(rest) > 30 {
		return false
	}
	c, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLetter(c) || unicode.Is(unicode.Lo, c)
}

// stateLetters are the bytes that those texts begin with, in lower case: most
// other texts do not.
var stateLetters = func() (t [256]bool) {
	for _, list := range [...][]string{outOfStock, inStock, stateAdverbs, {"sorry", "this", "leider", "dieser", "este", "désolé"}} {
		for _, s := range list {
			t[s[0]] = true
		}
	}
	return t
}()

var outOfStock = []string{"out of stock", "sold out", "currently unavailable", "not available", "unavailable", "no longer available", "notify me when", "not in stock", "no stock", "discontinued",
	"nicht lieferbar", "nicht auf lager", "nicht verfügbar", "ausverkauft", "vergriffen", "rupture de stock", "en rupture", "épuisé", "indisponible",
	"agotado", "sin stock", "no disponible", "esaurito", "non disponibile", "uitverkocht", "niet op voorraad", "esgotado", "indisponível",
	"нет в наличии", "распродано", "wyprzedane", "niedostępny", "brak w magazynie", "vyprodáno", "není skladem", "slutsåld", "udsolgt", "utsolgt",
	"loppuunmyyty", "売り切れ", "在庫なし", "品切れ", "缺货", "售罄", "품절", "tükendi", "elfogyott", "stoc epuizat", "nu este în stoc", "niet leverbaar", "niet beschikbaar", "non disponible", "plus disponible", "fuera de stock", "sem estoque", "fora de estoque", "product is sold", "product unavailable", "item unavailable", "this listing has ended", "this listing was ended", "bidding has ended", "bidding ended", "auction ended", "this auction has ended", "no longer for sale", "out-of-stock",
	"produit indisponible", "produit épuisé", "article épuisé", "article indisponible", "cette annonce est terminée", "producto agotado", "producto no disponible", "artículo agotado", "produto indisponível", "produto esgotado", "avise-me quando chegar", "prodotto non disponibile", "prodotto esaurito", "non più disponibile",
	"artikel ausverkauft", "artikel nicht verfügbar", "auktion beendet", "dieses angebot wurde beendet", "товар распродан", "товара нет в наличии", "vypredané", "nie je skladom", "nedostupné", "rozprzedane", "brak towaru", "ei ole varastossa", "slut i lager", "ikke på lager", "ni na zalogi", "nema na stanju", "nincs raktáron", "nincs készleten", "немає в наявності", "товар закончился", "нет на складе", "εξαντλημένο", "μη διαθέσιμο", "stokta yok", "אזל", "לא במלאי", "המוצר אינו במלאי", "نفد", "غير متوفر", "補貨中", "已售完", "完售", "在庫切れ", "일시품절", "hết hàng", "stok habis", "สินค้าหมด"}

var inStock = []string{"in stock", "add to cart", "add to basket", "add to bag", "add to trolley", "buy now", "available now", "ready to ship", "available in stock",
	"auf lager", "sofort lieferbar", "lieferbar", "vorrätig", "in den warenkorb", "en stock", "ajouter au panier", "añadir al carrito", "agregar al carrito",
	"añadir a la cesta", "comprar ahora", "disponibile", "aggiungi al carrello", "acquista ora", "op voorraad", "in winkelwagen", "in winkelmand",
	"em estoque", "adicionar ao carrinho", "comprar agora", "в наличии", "в корзину", "добавить в корзину", "do koszyka", "dodaj do koszyka",
	"w magazynie", "skladem", "do košíku", "přidat do košíku", "i lager", "lägg i varukorg", "på lager", "læg i kurv", "legg i handlekurv", "varastossa",
	"lisää ostoskoriin", "在庫あり", "カートに入れる", "加入购物车", "加入購物車", "立即购买", "장바구니", "sepete ekle", "kosárba", "adaugă în coș", "raktáron", "na stanju", "na zalogi"}
