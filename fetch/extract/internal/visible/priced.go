package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// A pricedLine is a line of a price list: "Margherita … 8.50".
type pricedLine struct {
	name, price string
}

// maxPriced is the length of a line of a price list, in bytes.
const maxPriced = 200

// priceWords is of how many words an amount is at most: "from 12.50 EUR".
const priceWords = 3

// pricedText reads a line of a price list: a name, and at its end an amount of
// money, or a number behind dots.
func pricedText(s string) (pricedLine, bool) {
	if len(s) > maxPriced || !hasDigit(s) {
		return pricedLine{}, false
	}
	at := len(s)
	for range priceWords {
		at = strings.LastIndexByte(s[:at], ' ')
		if at <= 0 {
			return pricedLine{}, false
		}
		price := s[at+1:]
		if !hasDigit(price) {
			continue
		}
		name := strings.TrimRight(s[:at], leaders)
		if isMoney(price) || isLed(s[len(name):at+1], price) {
			return newPriced(name, price)
		}
	}
	return pricedLine{}, false
}

// leaders are what leads from a name to its price.
const leaders = " .…·-–—_|:"

// isLed reports whether a number without a currency is a price for what leads to
// it: dots, or a dash before an amount with cents.
func isLed(lead, number string) bool {
	if len(number) > maxMoney || strings.Trim(number, "0123456789.,") != "" || !hasDigit(number[:1]) {
		return false
	}
	if strings.Contains(lead, "…") || strings.Contains(lead, "...") || strings.Contains(lead, ". .") || strings.Contains(lead, "___") {
		return true
	}
	i := len(number) - 3
	return strings.ContainsAny(lead, "-–—") && i > 0 && (number[i] == '.' || number[i] == ',')
}

func newPriced(name, price string) (pricedLine, bool) {
	name = strings.TrimSpace(strings.TrimLeft(name, "•·*-–— "))
	if !isThingName(name) {
		return pricedLine{}, false
	}
	return pricedLine{name, price}, true
}

// isThingName reports whether a text before an amount may be the name of what
// costs it: no label of the amount, no sentence that leads to it.
func isThingName(name string) bool {
	if nameOf(name) == "" || strings.HasSuffix(name, ",") {
		return false
	}
	lower := strings.ToLower(name)
	last := lower[strings.LastIndexByte(lower, ' ')+1:]
	first, _, _ := strings.Cut(lower, " ")
	return !amountLabels[first] && !amountLabels[last] && !leadIns[last] && !isTotalLabel(lower)
}

// amountLabels are words that say what an amount is, and leadIns those in front
// of an amount in a sentence.
var (
	amountLabels = setOf("price was now old new save saving savings you shipping delivery postage tax vat fee fees deposit discount total subtotal rrp msrp uvp list regular sale cost costs amount preis statt jetzt versand versandkosten " +
		"mwst steuer rabatt prix livraison remise precio envío envio iva descuento prezzo spedizione sconto prijs verzending korting balance salary budget from only tickets ticket admission entry rent")
	leadIns = setOf("for from only of over to at about than is are be costs cost paid under up by with and or just für ab nur von pour de por da per voor vanaf approximately around approx. ca.")
)

// pricedAt reads the line of a node as one of a price list, also where the
// amount stands in an element of its own.
func (r *reader) pricedAt(i int) (pricedLine, bool) {
	n := &r.nodes[i]
	if n.lineEnd-n.line != 1 || n.to-n.from > maxPriced || n.is(inTable) {
		return pricedLine{}, false
	}
	if p, ok := pricedText(r.text[n.from:n.to]); ok {
		return p, true
	}
	last := r.lines[n.line].last
	for steps := 0; steps < 2 && i < last && last < n.end; steps++ {
		price := r.text[r.nodes[last].from:n.to]
		if hasDigit(price) && isMoney(price) {
			return newPriced(strings.TrimRight(r.text[n.from:r.nodes[last].from], leaders), price)
		}
		if last = r.textBeside(last, -1); last < 0 {
			break
		}
	}
	return pricedLine{}, false
}

// leastPriced is how many lines a price list without items has at least.
const leastPriced = 3

// priceLists gives the items of price lists their names and prices, and makes
// items of the lines of lists that have none.
func (r *reader) priceLists() {
	for p := 1; p < len(r.parts); p++ {
		if i := r.parts[p].node; r.nodes[i].is(isMember) {
			if priced, ok := r.pricedAt(i); ok {
				r.addPriced(p, priced, i)
			}
		}
	}
	for at := 0; at < len(r.lines); {
		run := r.pricedRun(at)
		if len(run) >= leastPriced {
			r.addRun(at, run)
		}
		at += max(1, len(run))
	}
}

// pricedRun returns what the lines from one on say as long as they are of one
// price list.
func (r *reader) pricedRun(at int) []pricedLine {
	var run []pricedLine
	for ; at+len(run) < len(r.lines); r.Meter.Step(1) {
		l := &r.lines[at+len(run)]
		first := &r.nodes[l.first]
		if first.is(inTable|isAside) || first.part != r.nodes[r.lines[at].first].part || len(run) > 0 && !r.areNear(r.lines[at+len(run)-1].first, l.first) {
			break
		}
		p, ok := pricedText(r.text[l.from:l.to])
		if !ok {
			break
		}
		run = append(run, p)
	}
	return run
}

func (r *reader) addRun(at int, run []pricedLine) {
	name := r.nameAbove(r.lines[at].first)
	for k, priced := range run {
		if r.entities >= r.o.MaxEntities {
			return
		}
		i := r.lines[at+k].first
		e := &graph.Entity{Source: graph.Item, Element: r.elementOf(i)}
		r.add(r.nodes[i].part, name, r.thing(e, i))
		r.addPriced(r.newPart(e, i, r.nodes[i].part), priced, i)
	}
}

func (r *reader) addPriced(part int, priced pricedLine, i int) {
	r.add(part, "name", r.textValue(priced.name, 0, r.elementOf(i)))
	r.add(part, "title", r.textValue(priced.name, 0, r.elementOf(i)))
	r.add(part, "price", r.textValue(priced.price, 0, r.elementOf(i)))
}

// nameAbove returns the name of a list that begins about node i: the heading
// above, or "items".
func (r *reader) nameAbove(i int) string {
	if h := r.headingBefore(i); h >= 0 {
		if name := nameOf(r.textOf(h)); name != "" {
			return name
		}
	}
	return "items"
}

// pricedTerm is a term of a definition list whose definition is its price.
type pricedTerm struct {
	pricedLine
	term, price int
}

// priceTerms makes items of the terms of a list if most are things with a price.
func (r *reader) priceTerms(d *definition) {
	if len(d.priced) < 2 || 3*len(d.priced) < 2*d.count {
		return
	}
	name := r.nameAbove(d.list)
	for _, t := range d.priced {
		if r.entities >= r.o.MaxEntities {
			return
		}
		e := &graph.Entity{Source: graph.Item, Element: r.elementOf(t.term)}
		r.add(r.nodes[d.list].part, name, r.thing(e, t.term))
		r.addPriced(r.newPart(e, t.term, r.nodes[d.list].part), t.pricedLine, t.term)
	}
}
