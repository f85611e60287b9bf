package blocks

import "golang.org/x/net/html/atom"

// Together returns how likely blocks are content where those of one table or
// one listing of code are judged as one: half a table says less than none.
func (p *Page) Together(likely []float32) []float32 {
	out := append([]float32(nil), likely...)
	for _, e := range p.units() {
		el := &p.elems[e]
		yes, all := 0.0, 0.0
		for i := el.from; i < el.to; i++ {
			words := float64(p.Blocks[i].Words) + 0.5
			yes += words * float64(likely[i])
			all += words
		}
		for i := el.from; i < el.to; i++ {
			out[i] = float32(yes / all)
		}
	}
	p.step(len(likely) + len(p.elems))
	return out
}

// units returns the elements whose blocks belong together: listings of code, and
// tables that neither hold tables nor, without a head, most of the page's words,
// as those do that a page is laid out with.
func (p *Page) units() (units []int32) {
	all := p.between(0, len(p.Blocks)).words
	tables := p.tables()
	end := int32(0)
	for i := range p.elems {
		e := &p.elems[i]
		if e.from < end || e.to-e.from < 2 {
			continue
		}
		t := tables[int32(i)]
		isTable := t != nil && !t.holdsTable && (t.hasHead || 2*p.within(int32(i)).words < all)
		if isTable || e.node.DataAtom == atom.Pre {
			units = append(units, int32(i))
			end = e.to
		}
	}
	return units
}

// tableFacts tell a table of data from one that a page is laid out with.
type tableFacts struct{ holdsTable, hasHead bool }

func (p *Page) tables() map[int32]*tableFacts {
	tables := map[int32]*tableFacts{}
	around := make([]int32, len(p.elems)) // the innermost table, -1 for none
	for i := range p.elems {
		e := &p.elems[i]
		around[i] = -1
		if e.parent >= 0 {
			around[i] = around[e.parent]
		}
		outer := tables[around[i]]
		switch e.node.DataAtom {
		case atom.Table:
			if outer != nil {
				outer.holdsTable = true
			}
			around[i] = int32(i)
			tables[int32(i)] = &tableFacts{}
		case atom.Th:
			if outer != nil {
				outer.hasHead = true
			}
		}
	}
	return tables
}
