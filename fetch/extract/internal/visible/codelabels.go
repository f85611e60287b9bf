package visible

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// codeLabel is a label of the number of a thing that is sold.
type codeLabel struct {
	text string // in lower case
	// bare says that it means that by itself; one that means other things too,
	// as "code" does, needs a sign behind it.
	bare bool
}

// labelledCode returns the label that a text begins with and what stands
// behind it. ok is false where there is none.
func labelledCode(s string) (label codeLabel, rest string, ok bool) {
	s = strings.TrimLeft(s, " (〈【[*•-")
	if s == "" || !codeLetters[s[0]] {
		return codeLabel{}, "", false
	}
	lower := strings.ToLower(cut(s, maxName))
	for _, l := range codeLabels[lower[0]] {
		if !strings.HasPrefix(lower, l.text) || len(lower) > len(s) {
			continue
		}
		rest := s[len(l.text):]
		next, _ := utf8.DecodeRuneInString(rest)
		if rest != "" && (unicode.IsLetter(next) && !unicode.Is(unicode.Lo, next) || unicode.IsDigit(next)) {
			continue
		}
		if !l.bare && !strings.ContainsAny(first(strings.TrimLeft(rest, " \u00A0")), ".:：#№") {
			continue
		}
		return l, strings.TrimLeft(rest, codeSigns), true
	}
	return codeLabel{}, "", false
}

// codeSigns are what stands between such a label and the number.
const codeSigns = " \u00A0.:：#№°º*)|>-–]"

func first(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

// codeLetters are the bytes that those labels begin with, in both cases.
var codeLetters = func() (t [256]bool) {
	for _, l := range slices.Concat(bareCodeLabels, signedCodeLabels) {
		c, _ := utf8.DecodeRuneInString(l)
		t[l[0]], t[string(unicode.ToUpper(c))[0]] = true, true
	}
	return t
}()

// codeLabels are those labels by their first byte, the longest first.
var codeLabels = func() (t [256][]codeLabel) {
	for _, l := range bareCodeLabels {
		t[l[0]] = append(t[l[0]], codeLabel{l, true})
	}
	for _, l := range signedCodeLabels {
		t[l[0]] = append(t[l[0]], codeLabel{l, false})
	}
	for _, list := range t {
		slices.SortStableFunc(list, func(a, b codeLabel) int { return len(b.text) - len(a.text) })
	}
	return t
}()

var bareCodeLabels = []string{
	"product code", "product number", "product no", "product id", "product ref", "product reference", "product sku", "item number", "item no", "item code", "item id", "item #",
	"article number", "article no", "article code", "catalog number", "catalogue number", "catalog no", "catalogue no", "stock code", "stock number", "stock no", "sku", "web code", "web id",
	"listing id", "listing number", "ad id", "ad number", "order number", "order code", "style number", "style code",
	"artikelnummer", "artikel-nummer", "artikel-nr", "artikelnr", "artikel nr", "artikel-id", "art.-nr", "art.nr", "art. nr", "art-nr", "artnr", "art nr", "art.no", "art. no", "bestellnummer", "bestell-nr", "bestellnr",
	"produktnummer", "produkt-nr", "produktnr", "produkt-id", "produktcode", "anzeigennummer", "anzeigen-nr", "anzeigen-id", "anzeige-id", "anzeige nr",
	"référence produit", "référence du produit", "référence article", "référence", "reference", "réf. produit", "code produit", "code article", "numéro d'article", "numéro de produit", "n° d'article", "n° article",
	"referencia del producto", "referencia", "código de producto", "código del producto", "código del artículo", "código de artículo", "cód. producto", "número de artículo", "número de producto", "id do produto", "id produto", "id producto", "id del producto", "id prodotto", "id produit",
	"código do produto", "cód. do produto", "código produto", "referência", "cod. produto", "codice prodotto", "codice articolo", "cod. prodotto", "cod. articolo", "cod. art", "numero articolo", "riferimento",
	"artikelcode", "productcode", "productnummer", "bestelnummer", "bestelcode", "varunummer", "varenummer", "varenr", "produktkod", "produktkode", "tuotenumero", "tuotekoodi", "tuotenro",
	"kod produktu", "numer produktu", "numer katalogowy", "nr katalogowy", "nr kat", "indeks", "kód produktu", "kód výrobku", "kód zboží", "kód tovaru", "objednací číslo", "objednacie číslo", "katalogové číslo", "číslo produktu",
	"cikkszám", "termékkód", "cod produs", "cod articol", "šifra izdelka", "šifra artikla", "šifra proizvoda", "šifra", "kataloški broj", "produkta kods", "preces kods", "prekės kodas", "tootekood",
	"артикул", "код товара", "код товару", "код продукта", "номер товара", "код на продукта", "шифра", "каталожен номер", "каталожный номер", "ürün kodu", "stok kodu", "ürün no", "ilan no", "κωδικός προϊόντος", "κωδικός",
	"商品編號", "商品编号", "商品號", "貨號", "货号", "商品番号", "品番", "商品コード", "상품번호", "상품코드", "제품번호", "מק\"ט", "מק״ט", "קוד מוצר", "رمز المنتج", "mã sản phẩm", "mã sp", "kode produk", "รหัสสินค้า",
}

var signedCodeLabels = []string{"ref", "réf", "art", "artikel", "article", "cod", "code", "cód", "código", "codice", "rif", "kód", "kod", "kods", "kood", "код", "арт", "id"}
