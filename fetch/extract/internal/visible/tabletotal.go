package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// totals are what the rows of sums begin with.
var totals = setOf("total totals subtotal sum summe gesamt gesamtsumme insgesamt zwischensumme somme suma totale totaal itogo итого 合計")

// nearEnd is how many rows before the end one can be a sum.
const nearEnd = 3

// isTotal reports whether a row is the sum of others and none of them: the
// first word in it says so, and it stands first or near the end.
func (r *reader) isTotal(g *grid, at int) bool {
	if at < len(g.rows)-nearEnd && at != g.head || len(g.rows)-g.head < 2 {
		return false
	}
	for _, c := range g.rows[at] {
		if n := &r.nodes[c.node]; n.from < n.to {
			return isTotalLabel(r.textOf(c.node))
		}
	}
	return false
}

func isTotalLabel(s string) bool {
	s = strings.ToLower(strings.TrimRight(s, ": "))
	first, rest, _ := strings.Cut(s, " ")
	switch first {
	case "grand", "overall", "sub":
		first, rest, _ = strings.Cut(rest, " ")
	}
	return totals[strings.Trim(first, ":,-")] && (rest == "" || strings.HasPrefix(rest, "(") || sumWords[rest])
}

// sumWords are what can follow: "Total fat" is no sum.
var sumWords = setOf("amount price cost costs due value sum general général générale betrag preis incl. excl. (ttc) ttc ht")

// total gives the page what a row says that has one label and one value: a sum
// is no item.
func (r *reader) total(row []cell, part int) {
	label, value, last := -1, -1, -1
	for _, c := range row {
		if n := &r.nodes[c.node]; n.from == n.to || c.node == last {
			continue
		}
		last = c.node
		switch {
		case label < 0:
			label = c.node
		case value < 0:
			value = c.node
		default:
			return
		}
	}
	if value < 0 {
		return
	}
	name := nameOf(r.textOf(label))
	if isTotalLabel(name) || kindOfCell(r.textOf(value)) == moneyCell {
		r.addSum(part, name, value)
	}
}

func (r *reader) addSum(part int, name string, i int) {
	v := r.value(i, graph.Table)
	v.Text = withoutNotes(v.Text)
	r.add(part, name, v)
}
