package visible

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// An entry is one of a price list without items: a line with a name and a price,
// or a name in a heading or a term with its price below, perhaps behind a line
// that describes it.
type entry struct {
	pricedLine
	node int // that the name stands in
	text int // the line that describes it, or -1
	next int // the line behind it
	form int // what the name stands in: those of one list are alike
}

// The forms of names beside the levels of headings.
const (
	inLine = -1 - iota
	inTerm
)

// leastPriced is how many entries a price list has at least.
const leastPriced = 3

// priceLists gives the items of price lists their names and prices, and makes
// items of the entries of lists that have none.
func (r *reader) priceLists() {
	var dishes []dish
	list, above := -1, -1
	for p := 1; p < len(r.parts); p++ {
		i := r.parts[p].node
		if !r.nodes[i].is(isMember) {
			continue
		}
		if priced, ok := r.pricedAt(i); ok {
			r.addPriced(p, priced, i)
			if up := r.nodes[i].up; up != list || up < 0 {
				list, above = up, r.headingBefore(max(up, 0))
			}
			dishes = append(dishes, dish{p, above})
		}
	}
	for at := 0; at < len(r.lines); {
		run := r.entriesFrom(at)
		if len(run) < leastPriced {
			at++
			continue
		}
		dishes = r.addEntries(run, dishes)
		at = run[len(run)-1].next
	}
	r.menu(dishes)
}

// entriesFrom returns the entries of one list that follow each other from a line on.
func (r *reader) entriesFrom(at int) (run []entry) {
	for at < len(r.lines) {
		r.Meter.Step(1)
		e, ok := r.entryAt(at)
		if !ok || len(run) > 0 && (e.form != run[0].form || !r.areNear(run[len(run)-1].node, e.node) || r.nodes[e.node].part != r.nodes[run[0].node].part) {
			break
		}
		run = append(run, e)
		at = e.next
	}
	return run
}

func (r *reader) entryAt(at int) (e entry, ok bool) {
	l := &r.lines[at]
	n := &r.nodes[l.first]
	if n.is(inTable|isAside) || n.up < 0 || l.to-l.from > maxPriced {
		return e, false
	}
	if priced, ok := pricedText(r.text[l.from:l.to]); ok {
		return entry{priced, l.first, -1, at + 1, inLine}, true
	}
	form := r.headingLevel(n.up)
	if r.nodes[n.up].named(atom.Dt) {
		form = inTerm
	} else if form < 2 || form == underHeading {
		return e, false
	}
	e = entry{node: n.up, text: -1, form: form}
	for e.next = at + 2; e.next <= min(at+3, len(r.lines)); e.next++ {
		k := e.next - 1
		p := &r.lines[k]
		first := &r.nodes[p.first]
		if first.part != n.part || first.is(inTable) || first.up < 0 || r.headingLevel(first.up) > 0 || !r.areNear(l.first, p.first) {
			break
		}
		if s := r.text[p.from:p.to]; hasDigit(s) && mention.IsMoney(s) {
			e.pricedLine, ok = newPriced(r.text[l.from:l.to], s)
			return e, ok
		}
		e.text = k
	}
	return e, false
}

func (r *reader) addEntries(run []entry, dishes []dish) []dish {
	h := r.headingBefore(run[0].node)
	name := r.nameBelow(h)
	for _, priced := range run {
		if r.entities >= r.o.MaxEntities {
			break
		}
		i := priced.node
		e := &graph.Entity{Source: graph.Item, Element: r.elementOf(i)}
		v := r.thing(e, i)
		r.add(r.nodes[i].part, name, v)
		if h >= 0 && r.nodes[i].part == 0 {
			r.under[h] = append(r.under[h], v)
		}
		in := r.newPart(e, i, r.nodes[i].part)
		r.addPriced(in, priced.pricedLine, i)
		if d := priced.text; d >= 0 {
			r.add(in, "description", r.textValue(r.text[r.lines[d].from:r.lines[d].to], 0, r.elementOf(r.lines[d].first)))
		}
		dishes = append(dishes, dish{in, h})
	}
	return dishes
}

func (r *reader) addPriced(part int, priced pricedLine, i int) {
	r.add(part, "name", r.textValue(priced.name, 0, r.elementOf(i)))
	r.add(part, "title", r.textValue(priced.name, 0, r.elementOf(i)))
	r.add(part, "price", r.textValue(priced.price, 0, r.elementOf(i)))
}

// nameBelow returns the name of a list under a heading: what it says, or "items".
func (r *reader) nameBelow(h int) string {
	if h >= 0 {
		if name := nameOf(r.textOf(h)); name != "" {
			return name
		}
	}
	return "items"
}

// A dish is an item of a price list, and the heading that it stands under or -1.
type dish struct{ part, heading int }

// menu gives the page the items of all its price lists, each with its heading,
// where they stand under several of one level.
func (r *reader) menu(dishes []dish) {
	dishes = slices.DeleteFunc(dishes, func(d dish) bool { return d.heading < 0 || r.parts[d.part].around != 0 })
	headings := map[int]bool{}
	for _, d := range dishes {
		headings[d.heading] = true
		if r.headingLevel(d.heading) != r.headingLevel(dishes[0].heading) {
			return
		}
	}
	if len(headings) < 2 {
		return
	}
	for _, d := range dishes {
		p := &r.parts[d.part]
		r.add(0, "items", r.thing(p.entity, p.node))
		if !r.has(d.part, "category") {
			r.add(d.part, "category", r.value(d.heading, graph.Section))
		}
	}
}

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
