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
	mention.PricedLine
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
	if n.is(inTable|isAside) || n.up < 0 || l.to-l.from > maxClassed {
		return e, false
	}
	if priced, ok := mention.PriceLine(r.text[l.from:l.to]); ok {
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
		if s := r.text[p.from:p.to]; mention.HasDigit(s) && mention.IsMoney(s) {
			e.PricedLine, ok = mention.Priced(r.text[l.from:l.to], s)
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
		r.addPriced(in, priced.PricedLine, i)
		if d := priced.text; d >= 0 {
			r.add(in, "description", r.textValue(r.text[r.lines[d].from:r.lines[d].to], 0, r.elementOf(r.lines[d].first)))
		}
		dishes = append(dishes, dish{in, h})
	}
	return dishes
}

func (r *reader) addPriced(part int, priced mention.PricedLine, i int) {
	r.add(part, "name", r.textValue(priced.Name, 0, r.elementOf(i)))
	r.add(part, "title", r.textValue(priced.Name, 0, r.elementOf(i)))
	r.add(part, "price", r.textValue(priced.Price, 0, r.elementOf(i)))
}

// nameBelow returns the name of a list under a heading: what it says, or "items".
func (r *reader) nameBelow(h int) string {
	if h >= 0 {
		if name := mention.Label(r.textOf(h)); name != "" {
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

// pricedAt reads the line of a node as one of a price list, also where the
// amount stands in an element of its own.
func (r *reader) pricedAt(i int) (mention.PricedLine, bool) {
	n := &r.nodes[i]
	if n.lineEnd-n.line != 1 || n.to-n.from > maxClassed || n.is(inTable) {
		return mention.PricedLine{}, false
	}
	if p, ok := mention.PriceLine(r.text[n.from:n.to]); ok {
		return p, true
	}
	last := r.lines[n.line].last
	for steps := 0; steps < 2 && i < last && last < n.end; steps++ {
		price := r.text[r.nodes[last].from:n.to]
		if mention.HasDigit(price) && mention.IsMoney(price) {
			return mention.Priced(strings.TrimRight(r.text[n.from:r.nodes[last].from], mention.Leaders), price)
		}
		if last = r.textBeside(last, -1); last < 0 {
			break
		}
	}
	return mention.PricedLine{}, false
}
