package visible

import "github.com/drover-go/drover/fetch/extract/internal/graph"

// A priceBlock is an entry of a price list that is a heading, perhaps a line
// that describes the thing, and its price, none of them in a box of their own.
type priceBlock struct {
	// name, text and price are lines; text is -1 where there is none.
	name, text, price int
}

// priceBlocks makes items of headings with prices under them: at least so many
// as a price list has, of one level and in a row.
func (r *reader) priceBlocks(m *menu) {
	for at := 0; at < len(r.lines); {
		run := r.blocksFrom(at)
		if len(run) < leastPriced {
			at++
			continue
		}
		r.addBlocks(run, m)
		at = run[len(run)-1].price + 1
	}
}

// blocksFrom returns the blocks that follow each other from a line on.
func (r *reader) blocksFrom(at int) []priceBlock {
	var run []priceBlock
	level := 0
	for at < len(r.lines) {
		r.Meter.Step(1)
		b, own, ok := r.blockAt(at)
		if !ok || len(run) > 0 && own != level {
			break
		}
		level = own
		run = append(run, b)
		at = b.price + 1
	}
	return run
}

// blockAt reads the block that a line begins, and the level of its heading.
func (r *reader) blockAt(at int) (b priceBlock, level int, ok bool) {
	l := &r.lines[at]
	first := &r.nodes[l.first]
	if first.part != 0 || first.is(inTable|isAside) || first.up < 0 || l.to-l.from > maxName {
		return b, 0, false
	}
	if level = r.headingLevel(first.up); level < 2 || level == underHeading {
		return b, 0, false
	}
	b = priceBlock{name: at, text: -1, price: at + 1}
	for ; b.price < len(r.lines) && b.price <= at+2; b.price++ {
		p := &r.lines[b.price]
		n := &r.nodes[p.first]
		if n.part != 0 || n.is(inTable) || n.up < 0 || r.headingLevel(n.up) > 0 || !r.areNear(l.first, p.first) {
			return b, 0, false
		}
		if s := r.text[p.from:p.to]; hasDigit(s) && isMoney(s) {
			return b, level, true
		}
		b.text = b.price
	}
	return b, 0, false
}

func (r *reader) addBlocks(run []priceBlock, m *menu) {
	first := r.nodes[r.lines[run[0].name].first].up
	h, name := r.headingBefore(first), r.nameAbove(first)
	for _, b := range run {
		if r.entities >= r.o.MaxEntities {
			return
		}
		i := r.lines[b.name].first
		e := &graph.Entity{Source: graph.Item, Element: r.elementOf(i)}
		v := r.thing(e, i)
		r.add(0, name, v)
		if h >= 0 {
			r.under[h] = append(r.under[h], v)
		}
		in := r.newPart(e, i, 0)
		p := r.lines[b.price]
		r.addPriced(in, pricedLine{r.textOf(i), r.text[p.from:p.to]}, i)
		if b.text >= 0 {
			d := r.lines[b.text]
			r.add(in, "description", r.textValue(r.text[d.from:d.to], 0, r.elementOf(d.first)))
		}
		m.add(in, h)
	}
}
