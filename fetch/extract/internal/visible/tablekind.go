package visible

import (
	"golang.org/x/net/html/atom"
)

// isData reports whether a table holds data and does not lay out the page.
func (r *reader) isData(g *grid) bool {
	n := &r.nodes[g.table]
	heads, cells, long, rich, empty := 0, 0, 0, 0, 0
	for _, row := range g.rows {
		for _, c := range row {
			r.Meter.Step(1)
			if c.again {
				continue
			}
			cells++
			switch n := &r.nodes[c.node]; {
			case n.named(atom.Th) && n.from < n.to:
				heads++
			case n.from == n.to:
				empty++
			case n.lineEnd-n.line > 6 || n.to-n.from > 400:
				long++
			}
			if r.nodes[c.node].is(hasTable) {
				rich++
			}
		}
	}
	switch {
	case r.holdsTitle(g.table) || n.to-n.from > len(r.text)/2 && rich > 0:
		return false
	case heads > 0 || g.caption >= 0:
		return rich*4 <= cells
	case rich > 0 || len(g.rows) < 2:
		return false
	}
	return 5*long <= cells && 2*empty <= cells && r.isEven(g)
}

func (r *reader) holdsTitle(i int) bool { return i < r.titleNode && r.titleNode < r.nodes[i].end }

// isEven reports whether most rows have as many cells as the widest.
func (r *reader) isEven(g *grid) bool {
	even := 0
	for _, row := range g.rows {
		if len(row) == g.columns {
			even++
		}
	}
	return 3*even >= 2*len(g.rows)
}
