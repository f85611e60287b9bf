package visible

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/drover-go/drover/internal/lexicon"
)

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

// isRange reports whether what stands between two amounts makes a range of them.
func isRange(between string) bool {
	switch strings.ToLower(strings.Trim(between, " \u00A0")) {
	case "-", "–", "—", "to", "up to", "until", "bis", "bis zu", "à", "jusqu'à", "hasta", "a", "al", "fino a", "até", "tot", "до":
		return true
	}
	return false
}

// termsText is what stands behind a price and says how it came about or can be
// paid: "(25% off)", "or 4 payments of $3.75".
var termsText = lexicon.Pattern(`(?i)[\s,(–—-]*(?:\b(?:save|you save|sie sparen|-)?\s?\d{1,2}\s?%\s*(?:off|discount|rabatt|günstiger|de réduction|de remise|de descuento|di sconto|korting|de desconto)?\)?|\b(?:or|oder|ou|o)\s+(?:from\s+|pay\s+)?\d{1,2}\s?(?:x\b|×|(?:interest[- ]free|monthly|equal|weekly)|payments?|instal?lments?|raten|mensualités|cuotas|rate|parcelas|termijnen).*)$`)

// withoutTerms cuts that off.
func withoutTerms(s string) string {
	if strings.Contains(s, "%") || strings.Contains(s, " o") {
		if at := termsText().FindStringIndex(s); at != nil && at[0] > 0 {
			return s[:at[0]]
		}
	}
	return s
}

// tailText is what may stand behind an amount: per what it is, and what is in it.
var tailText = lexicon.Pattern(`(?i)^\.?(?:\s*(?:(?:/|per|pro|par|por|je|al|a)\s*(?:\d{1,4}\s*)?(?:kg|kilo|g|mg|l|lt|ltr|litre|liter|litro|ml|cl|m|m²|m2|oz|fl\.? ?oz|lb|stück|stk|unit|unité|unidad|pezzo|piece|pc|person|personne|persona|pessoa|pax|each|roll|tablet|dose|wash|100)\b\.?|/\s?(?:months?|mo|monat|mois|mes|mese|maand|mês|year|yr|jahr|año|anno|jaar)\b\.?|each|\(?(?:incl?\.?|inkl\.?|excl?\.?|ex\.?|exkl\.?|zzgl\.?|plus|\+)\s*(?:of\s+|\d+\s*%\s*)?(?:vat|tax|gst|mwst\.?|ust\.?|tva|iva|btw|moms|p&p|shipping|versand)\)?|\(?(?:ttc|ht)\)?|à vista|no pix|al contado|comptant)\)?)*`)

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
	if perUnit().MatchString(behind) {
		return otherAmount
	}
	return anyAmount
}

// perUnit is what stands behind the price of a part of what is sold.
var perUnit = lexicon.Pattern(`(?i)^\.?\s*(?:/|per|pro|par|por|je|al)\s*(?:\d{1,4}\s*)?(?:kg|kilo|g|mg|l|lt|ltr|litre|liter|litro|ml|cl|m|m²|m2|oz|fl\.? ?oz|lb|stück|stk|unit|unité|unidad|pezzo|piece|pc|roll|tablet|dose|wash|100)\b`)
