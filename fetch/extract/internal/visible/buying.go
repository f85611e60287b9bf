package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
)

// buying looks for what a thing can be bought with: a page that has a button
// for its own thing sells it. Buttons of items belong to these, and buttons
// beside the main part to nothing here.
func (r *reader) buying() {
	for i := range r.nodes {
		r.pass(i)
		n := &r.nodes[i]
		if n.part != 0 || n.is(isText|isAside) || r.isForeign(i) || !isButton(n.el) || r.isOffAt(i) {
			continue
		}
		if said := r.buttonText(i); isOrder(said) || orders(n.el) && !isOtherList(said) {
			r.addAvailability(i, "InStock", said)
		}
	}
}

// isButton reports whether an element is one, or looks like one.
func isButton(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Button, atom.Form:
		return true
	case atom.Input:
		switch strings.ToLower(attr(n, "type")) {
		case "submit", "button", "image":
			return true
		}
		return false
	case atom.A, atom.Div, atom.Span:
		if attr(n, "role") == "button" {
			return true
		}
		class := attr(n, "class") + " " + attr(n, "id")
		return len(class) < 4*maxToken && (containsFold(class, "btn") || containsFold(class, "button") || containsFold(class, "cart") || containsFold(class, "buy"))
	}
	return false
}

// isOffAt reports whether a node is a button that does nothing now, or stands
// in one.
func (r *reader) isOffAt(i int) bool {
	for levels := 0; i >= 0 && levels < nearHeading; i, levels = r.nodes[i].up, levels+1 {
		if n := &r.nodes[i]; !n.is(isText) && (levels == 0 || n.named(atom.Button, atom.A)) && isOff(n.el) {
			return true
		}
	}
	return false
}

func isOff(n *html.Node) bool {
	_, off := tree.Attr(n, "disabled")
	return off || attr(n, "aria-disabled") == "true" || containsFold(attr(n, "class"), "disabled")
}

// buttonText is what a button says, in lower case; "" for much text.
func (r *reader) buttonText(i int) string {
	n := &r.nodes[i]
	said := ""
	switch {
	case n.named(atom.Form):
	case n.from < n.to && n.to-n.from <= maxState:
		said = r.text[n.from:n.to]
	default:
		for _, key := range [...]string{"value", "aria-label", "title", "alt"} {
			if v := attr(n.el, key); v != "" && len(v) <= maxState {
				said = v
				break
			}
		}
	}
	return strings.ToLower(oneLine(strings.TrimSpace(said)))
}

// isOrder reports whether a button says that it buys.
func isOrder(said string) bool {
	if said == "" || isOtherList(said) {
		return false
	}
	for _, w := range orderWords {
		if strings.HasPrefix(said, w) {
			return true
		}
	}
	return false
}

// orders reports whether the names of a button, which are English wherever the
// page is read, say that it buys.
func orders(n *html.Node) bool {
	for _, key := range [...]string{"id", "name", "class", "data-action", "data-testid"} {
		v := attr(n, key)
		if v == "" || len(v) > 4*maxToken {
			continue
		}
		v = joined.Replace(strings.ToLower(v))
		for _, w := range orderNames {
			if strings.Contains(v, w) {
				return true
			}
		}
	}
	return false
}

// joined writes the words of a name as one.
var joined = strings.NewReplacer("-", "", "_", "", ".", "")

// Buys reports whether an element, which says so much, is a button that buys.
func Buys(n *html.Node, said string) bool {
	return (n.DataAtom == atom.Button || n.DataAtom == atom.Input) && len(said) <= maxState && isButton(n) && !isOff(n) && isOrder(strings.ToLower(strings.TrimSpace(said)))
}

// isOtherList reports whether something is put elsewhere than into a basket.
func isOtherList(said string) bool {
	for _, w := range otherLists {
		if strings.Contains(said, w) {
			return true
		}
	}
	return false
}

var orderNames = []string{"addtocart", "addtobasket", "addtobag", "addtotrolley", "buynow", "buybutton", "btnbuy", "btncart", "addcart", "cartadd", "addproduct", "ordernow"}

var orderWords = []string{"buy", "order now", "order online", "add to cart", "add to b", "add to trolley", "book now", "reserve", "get tickets", "place bid", "bid now",
	"kaufen", "jetzt kaufen", "jetzt bestellen", "bestellen", "in den", "sofort-kauf", "acheter", "j'achète", "j’achète", "commander", "ajouter au", "ajouter dans",
	"comprar", "añadir", "agregar", "adicionar", "acquista", "aggiungi", "compra", "kopen", "koop", "bestel", "in winkel", "in mijn winkel", "köp", "lägg i", "kjøp", "legg i", "køb", "læg i",
	"osta", "lisää ostos", "kup ", "kup teraz", "kupuję", "kupi", "dodaj", "v košarico", "koupit", "do košíku", "do košíka", "vložit", "vložiť", "přidat do", "pridať do", "kúpiť",
	"купить", "в корзину", "добавить в корз", "заказать", "до кошика", "купити", "satın al", "sepete", "kosárba", "vásárlás", "cumpăr", "adaugă în", "pirkt", "į krepšelį", "ostukorvi",
	"αγορά", "προσθήκη", "購買", "直接購買", "立即購", "加入購物車", "放入購物車", "立即购买", "加入购物车", "購入", "カートに", "買い物かご", "今すぐ", "구매", "바로구매", "장바구니",
	"הוסף לסל", "הוספה לסל", "קנה", "أضف إلى", "اشتر", "mua ngay", "thêm vào giỏ", "beli", "tambah ke", "ซื้อ"}

var otherLists = []string{"wish", "favor", "favour", "merkzettel", "merkliste", "wunsch", "vergleich", "compare", "compar", "envies", "souhaits", "liste", "lista", "desejos", "deseos",
	"desideri", "preferiti", "verlang", "избран", "сравн", "ulubion", "oblíben", "watch", "review", "comment", "alert", "guide", "gift card", "credits"}

// containsFold reports whether s has the word, which is in lower case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
