package visible

import (
	"strings"

	"github.com/drover-go/drover/internal/mention"
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
		if mention.IsMoney(price) || isLed(s[len(name):at+1], price) {
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
	return !is("amount label", first) && !is("amount label", last) && !is("lead in", last) && !isTotalLabel(lower)
}

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
		if hasDigit(price) && mention.IsMoney(price) {
			return newPriced(strings.TrimRight(r.text[n.from:r.nodes[last].from], leaders), price)
		}
		if last = r.textBeside(last, -1); last < 0 {
			break
		}
	}
	return pricedLine{}, false
}
