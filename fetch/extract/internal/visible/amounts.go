package visible

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// amount is one of the amounts of money in a line, with the words before it,
// which say what it is, in lower case.
type amount struct {
	text, said string
	kind       amountKind
}

// numberText is a number as prices are written.
var numberText = regexp.MustCompile(`\d{1,3}(?:[ \x{A0}\x{202F}.,’']\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?`)

// maxAmounts is how many amounts a line has at most, and maxAmountLine how long
// it is, in bytes.
const (
	maxAmounts    = 4
	maxAmountLine = 140
)

// amountsIn returns the amounts of a line that has nothing else in it than
// these and words that say what each is: "Was $20 Now $15", "UVP: 20 € 15 €",
// "Price: $15.00 ($1.50 / kg)"; nil for any other line.
func amountsIn(s string) []amount {
	if len(s) > maxAmountLine || !mayBeAmounts(s) {
		return nil
	}
	places := numberText.FindAllStringIndex(s, maxAmounts+3)
	if len(places) == 0 || len(places) > maxAmounts+2 {
		return nil
	}
	var all []amount
	end := 0
	for k, at := range places {
		if at[0] < end { // the number of a unit: "/ 100 ml"
			continue
		}
		limit := len(s)
		if k+1 < len(places) {
			limit = places[k+1][0]
		}
		from, to := withCurrency(s, end, at, limit)
		if from < 0 {
			return nil
		}
		a := amount{text: s[from:to], said: strings.ToLower(strings.Trim(s[end:from], " \u00A0:,;.(|–—-·/"))}
		behind := tailText.FindString(s[to:])
		end = to + len(behind)
		a.kind = kindSaid(a.said, behind)
		if a.kind == unknownAmount {
			return nil
		}
		all = append(all, a)
	}
	if strings.Trim(s[end:], " \u00A0).*") != "" || len(all) > maxAmounts {
		return nil
	}
	return all
}

// mayBeAmounts reports whether a text may have nothing in it but amounts and
// words for them: it has a currency, and it opens with one, a digit, or such words.
func mayBeAmounts(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	if unicode.IsLetter(c) {
		word, _, _ := strings.Cut(strings.ToLower(cut(s, maxMoney)), " ")
		word = strings.Trim(word, ":,.")
		if at := strings.IndexFunc(word, unicode.IsDigit); at >= 0 {
			word = word[:at]
		}
		if !amountOpeners[word] && !isCurrency(word) {
			return false
		}
	}
	for word := range strings.FieldsFuncSeq(s, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.Is(unicode.Sc, c) }) {
		if len(word) < 8 && isCurrency(strings.ToLower(word)) {
			return true
		}
	}
	return false
}

// amountOpeners are the first words of what is said before amounts.
var amountOpeners = func() map[string]bool {
	m := map[string]bool{}
	for words := range saidAmounts {
		first, _, _ := strings.Cut(words, " ")
		m[strings.Trim(first, ":,.")] = true
	}
	return m
}()

// withCurrency returns where the number with its currency begins and ends, or
// -1 where there is none beside it.
func withCurrency(s string, floor int, at []int, limit int) (from, to int) {
	before := strings.TrimRight(s[floor:at[0]], " \u00A0")
	word := before[strings.LastIndexAny(before, " \u00A0(:|")+1:]
	if word != "" && len(word) < 6 && isCurrency(strings.ToLower(word)) {
		return floor + len(before) - len(word), at[1]
	}
	if c, size := utf8.DecodeLastRuneInString(before); size > 0 && unicode.Is(unicode.Sc, c) {
		return floor + len(before) - size, at[1]
	}
	gap := s[at[1]:limit]
	after := strings.TrimLeft(gap, " \u00A0")
	end := strings.IndexAny(after, " \u00A0/(),;|")
	if end < 0 {
		end = len(after)
	}
	word = strings.TrimRight(after[:end], ".")
	if word != "" && len(word) < 8 && isCurrency(strings.ToLower(word)) {
		return at[0], at[1] + len(gap) - len(after) + len(word)
	}
	return -1, -1
}

// tailText is what may stand behind an amount: per what it is, and what is in it.
var tailText = regexp.MustCompile(`(?i)^\.?(?:\s*(?:(?:/|per|pro|par|por|je|al|a)\s*(?:\d{1,4}\s*)?(?:kg|kilo|g|mg|l|lt|ltr|litre|liter|litro|ml|cl|m|m²|m2|oz|fl\.? ?oz|lb|stück|stk|unit|unité|unidad|pezzo|piece|pc|person|personne|persona|pessoa|pax|each|roll|tablet|dose|wash|100)\b\.?|each|\(?(?:incl?\.?|inkl\.?|excl?\.?|ex\.?|exkl\.?|zzgl\.?|plus|\+)\s*(?:of\s+|\d+\s*%\s*)?(?:vat|tax|gst|mwst\.?|ust\.?|tva|iva|btw|moms|p&p|shipping|versand)\)?|\(?(?:ttc|ht)\)?)\)?)*`)

// saidAmounts say what the words before an amount make of it.
var saidAmounts = func() map[string]amountKind {
	m := map[string]amountKind{}
	for kind, list := range map[amountKind]string{
		anyAmount: `|now|now only|only|our price|price|prices from|sale price|sale|on sale|special price|special offer|today|from|price from|starting at|starts at|starting from|offer price|deal price|current price|member price|you pay
|jetzt|nur|jetzt nur|nur noch|preis|unser preis|aktionspreis|angebotspreis|sonderpreis|ab|preis ab|prix|prix soldé|prix promo|notre prix|maintenant|dès|à partir de|ahora|precio|precio de oferta|precio oferta|nuestro precio|oferta|desde
|ora|adesso|prezzo|prezzo scontato|il nostro prezzo|a partire da|da|nu|voor|nu voor|prijs|onze prijs|actieprijs|vanaf|agora|por|preço|preço promocional|a partir de`,
		oldAmount: `was|before|rrp|msrp|srp|m.s.r.p|r.r.p|list price|list|original price|originally|original|old price|was price|previous price|previously|compare at|compare at price|instead of|retail price|reg|regular price|regular|normal price
|statt|uvp|statt uvp|bisher|bisheriger preis|vorher|ehemals|ehem. uvp|alter preis|ursprünglich|ursprünglicher preis|regulärer preis|normalpreis|unverbindliche preisempfehlung|prix conseillé|prix public|prix barré|au lieu de|avant|ancien prix|prix habituel|prix normal
|antes|precio anterior|precio original|precio habitual|precio normal|pvpr|prezzo di listino|prezzo originale|prezzo consigliato|prezzo regolare|invece di|anziché|prima|adviesprijs|oude prijs|normale prijs|van|was|de|preço original|preço normal|preço de tabela`,
		otherAmount: `save|you save|saving|savings|you saved|discount|off|shipping|delivery|postage|plus shipping|+ shipping|deposit|unit price|price per unit|per unit|grundpreis|stückpreis|prix unitaire|prix au kilo|sie sparen|du sparst|ersparnis|versand|versandkosten|zzgl. versand
|économisez|vous économisez|livraison|ahorra|ahorras|envío|risparmi|risparmia|spedizione|bespaar|je bespaart|verzendkosten|economize|frete|vat|tax|incl. vat|inc. vat|incl vat|inc vat|ex vat|ex. vat|excl. vat`,
	} {
		for words := range strings.SplitSeq(list, "|") {
			m[strings.TrimSpace(words)] = kind
		}
	}
	return m
}()

// kindSaid returns what the words around an amount make of it.
func kindSaid(before, behind string) amountKind {
	if kind, ok := saidAmounts[before]; !ok || kind != anyAmount {
		if !ok {
			return unknownAmount
		}
		return kind
	}
	if perUnit.MatchString(behind) {
		return otherAmount
	}
	return anyAmount
}

// perUnit is what stands behind the price of a part of what is sold.
var perUnit = regexp.MustCompile(`(?i)^\.?\s*(?:/|per|pro|par|por|je|al)\s*(?:\d{1,4}\s*)?(?:kg|kilo|g|mg|l|lt|ltr|litre|liter|litro|ml|cl|m|m²|m2|oz|fl\.? ?oz|lb|stück|stk|unit|unité|unidad|pezzo|piece|pc|roll|tablet|dose|wash|100)\b`)

// opensOld reports whether an amount opens with words for a price that was.
func opensOld(s string) bool {
	all := amountsIn(s)
	return len(all) == 1 && all[0].kind == oldAmount
}

// amounts adds the price and the old price of a line with several amounts, or
// with words around the one.
func (r *reader) amounts(s string, i int) bool {
	all := amountsIn(s)
	price, old := -1, -1
	for k := range all {
		switch all[k].kind {
		case anyAmount:
			if price >= 0 {
				return true // which of the two is not said
			}
			price = k
		case oldAmount:
			if old < 0 {
				old = k
			}
		}
	}
	if price < 0 && old >= 0 && regularWords[all[old].said] && !r.isBeforeSale(i) {
		price, old = old, -1
	}
	if price >= 0 && r.priceName(i) != "" {
		r.addAmount(i, "price", all[price].text)
	}
	if old >= 0 {
		r.addAmount(i, "old price", all[old].text)
	}
	return len(all) > 0
}

// regularWords are those for a price that is the old one beside a lower one, and
// the price where there is none.
var regularWords = setOf("regular reg list")

func init() {
	for _, s := range [...]string{"regular price", "normal price", "list price", "normalpreis", "regulärer preis", "prix habituel", "prix normal", "precio habitual", "precio normal", "prezzo regolare", "normale prijs", "preço normal", "retail price"} {
		regularWords[s] = true
	}
}

// isBeforeSale reports whether behind an amount, in its line or in the next two,
// words stand for the price of a sale.
func (r *reader) isBeforeSale(i int) bool {
	n := &r.nodes[i]
	at := n.line
	if saysSale(r.text[min(n.to, r.lines[at].to):r.lines[at].to]) {
		return true
	}
	for at++; at < len(r.lines) && at <= n.line+2 && r.areNear(i, r.lines[at].first); at++ {
		if l := &r.lines[at]; saysSale(r.text[l.from:l.to]) {
			return true
		}
	}
	return false
}

// saysSale reports whether a text begins with words for a price of now.
func saysSale(s string) bool {
	words := strings.ToLower(cut(s, maxMoney))
	if at := strings.IndexFunc(words, func(c rune) bool { return unicode.IsDigit(c) || unicode.Is(unicode.Sc, c) }); at >= 0 {
		words = words[:at]
	}
	words = strings.Trim(words, " \u00A0:,;.()|–—-·/")
	kind, ok := saidAmounts[words]
	return ok && words != "" && kind == anyAmount
}

func (r *reader) addAmount(i int, name, text string) {
	n := &r.nodes[i]
	if n.part != 0 && r.has(n.part, name) || len(r.parts[n.part].entity.Get(name)) >= maxOfAKind {
		return
	}
	v := r.textValue(text, graph.Class, r.elementOf(i))
	v.Aside = n.is(isAside)
	if name == "price" && n.part == 0 && r.isOtherPrice(i) {
		r.addLate(name, v)
		return
	}
	r.add(n.part, name, v)
}

// saidBefore returns what stands before a text in its line, or, where it opens
// the line, the short line before it, in lower case.
func (r *reader) saidBefore(i int) string {
	n := &r.nodes[i]
	l := &r.lines[n.line]
	said := r.text[l.from:max(l.from, n.from)]
	if strings.TrimSpace(said) == "" && n.line > 0 && r.areNear(r.lines[n.line-1].first, l.first) {
		before := &r.lines[n.line-1]
		said = r.text[before.from:before.to]
	}
	if len(said) > 2*maxAmountLine {
		return ""
	}
	if at := strings.LastIndexAny(said, "0123456789"); at >= 0 {
		_, size := utf8.DecodeRuneInString(said[at:])
		said = said[at+size:]
		for _, c := range said {
			if isCurrency(string(c)) {
				said = strings.TrimPrefix(said, string(c))
			}
			break
		}
	}
	return strings.ToLower(strings.Trim(said, " \u00A0:,;.()|–—-·/"))
}
