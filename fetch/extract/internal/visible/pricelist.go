package visible

import "github.com/drover-go/drover/fetch/extract/internal/graph"

// leastPriced is how many lines a price list without items has at least.
const leastPriced = 3

// priceLists gives the items of price lists their names and prices, and makes
// items of the lines of lists that have none.
func (r *reader) priceLists() {
	m := menu{reader: r}
	for p := 1; p < len(r.parts); p++ {
		if i := r.parts[p].node; r.nodes[i].is(isMember) {
			if priced, ok := r.pricedAt(i); ok {
				r.addPriced(p, priced, i)
				m.add(p, r.parts[p].above)
			}
		}
	}
	for at := 0; at < len(r.lines); {
		run := r.pricedRun(at)
		if len(run) >= leastPriced {
			r.addRun(at, run, &m)
		}
		at += max(1, len(run))
	}
	r.priceBlocks(&m)
	m.write()
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

func (r *reader) addRun(at int, run []pricedLine, m *menu) {
	h := r.headingBefore(r.lines[at].first)
	name := r.nameAbove(r.lines[at].first)
	for k, priced := range run {
		if r.entities >= r.o.MaxEntities {
			return
		}
		i := r.lines[at+k].first
		e := &graph.Entity{Source: graph.Item, Element: r.elementOf(i)}
		v := r.thing(e, i)
		r.add(r.nodes[i].part, name, v)
		if h >= 0 && r.nodes[i].part == 0 {
			r.under[h] = append(r.under[h], v)
		}
		in := r.newPart(e, i, r.nodes[i].part)
		r.addPriced(in, priced, i)
		m.add(in, h)
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
