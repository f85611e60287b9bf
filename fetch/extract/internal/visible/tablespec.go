package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// specification reads a table of labels and values. Those below a row over all
// columns are also a thing with its name: the dimensions.
func (r *reader) specification(g *grid) {
	s := speller{reader: r, part: r.nodes[g.table].part, under: -1}
	if g.title >= 0 {
		s.section(g.title)
	}
	for _, row := range append(g.rows[:len(g.rows):len(g.rows)], g.feet...) {
		if r.isBanner(g, row) {
			s.section(row[0].node)
			continue
		}
		for col := 0; col+1 < len(row); col += 2 {
			if row[col].node != row[col+1].node {
				s.pair(row[col].node, row[col+1].node)
			}
		}
	}
}

// speller is where the reading of a table of labels stands.
type speller struct {
	*reader
	part int
	// under is the part of the section at hand, or -1.
	under int
	last  string // the last label
}

func (s *speller) section(i int) {
	name := s.headName(i)
	if name == "" || s.entities >= s.o.MaxEntities {
		s.under = -1
		return
	}
	e := &graph.Entity{Source: graph.Table, Element: s.nodes[i].el}
	s.add(s.part, name, graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element, Aside: s.nodes[i].is(isAside)})
	s.under = s.newPart(e, i, s.part)
}

func (s *speller) pair(label, value int) {
	name := nameOf(withoutNotes(s.textOf(label)))
	if s.nodes[label].from == s.nodes[label].to {
		name = s.last // another value of the label above
	}
	s.last = name
	if s.under >= 0 {
		s.cellValue(s.under, name, value)
	}
	if items := s.listIn(value); len(items) > 1 {
		s.addItems(s.part, name, items, graph.Table)
		return
	}
	s.cellValue(s.part, name, value)
	s.cellAddress(s.part, name, value)
}

// cellAddress adds the address of a link that shows an address: that of a
// website.
func (r *reader) cellAddress(part int, name string, i int) {
	a := r.firstLink(i)
	if a < 0 || strings.ContainsAny(r.textOf(i), " @") || !strings.Contains(r.textOf(i), ".") {
		return
	}
	if v, ok := r.address(attr(r.nodes[a].el, "href"), r.textOf(a), graph.Table, a); ok {
		r.add(part, name, v)
	}
}

// isLabelColumn reports whether the first of two columns holds labels: short
// texts, each another, in bold or with a colon, or without a number.
func (r *reader) isLabelColumn(g *grid) bool {
	good, total := 0, 0
	for _, row := range g.rows {
		if len(row) < 2 {
			continue
		}
		total++
		name := nameOf(r.textOf(row[0].node))
		if name != "" && countWords(name) <= 5 && (r.isBold(row[0].node) || !hasDigit(name)) {
			good++
		}
	}
	return total > 0 && 4*good >= 3*total
}

// isDouble reports whether a table of four columns has labels in the first and
// third.
func (r *reader) isDouble(g *grid) bool {
	good, total := 0, 0
	for _, row := range g.rows {
		for col := 0; col+1 < len(row); col += 2 {
			n := &r.nodes[row[col].node]
			if n.from == n.to {
				continue
			}
			total++
			if n.named(atom.Th) || r.isBold(row[col].node) || r.text[n.to-1] == ':' {
				good++
			}
		}
	}
	return total > 1 && 4*good >= 3*total
}
