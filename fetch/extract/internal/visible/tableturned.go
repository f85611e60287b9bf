package visible

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// Of a table that is read by its columns: how many it has at most, and of how
// many rows.
const (
	maxTurned     = 24
	maxTurnedRows = 200
)

// turned reads a table whose first column names the rows, and whose columns
// are the entities: a comparison.
func (r *reader) turned(g *grid, name string) {
	part := r.nodes[g.table].part
	labels := r.rowLabels(g)
	naming := r.namesColumns(g, labels)
	for col := 1; col < g.columns && r.entities < r.o.MaxEntities; col++ {
		e := &graph.Entity{Source: graph.Table, Element: r.nodes[g.table].el}
		in := r.newPart(e, g.table, part)
		for at, row := range g.rows {
			if col < len(row) && row[0].node != row[col].node {
				r.cellValue(in, labels[at], row[col].node)
			}
		}
		if naming && col < len(g.rows[0]) {
			r.cellValue(in, "name", g.rows[0][col].node)
		}
		if len(e.Fields) > 0 {
			r.add(part, name, graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element, Aside: r.nodes[g.table].is(isAside)})
		}
	}
}

// rowLabels returns what the first column calls each row. An empty corner
// stands above the names of the things.
func (r *reader) rowLabels(g *grid) []string {
	labels := make([]string, len(g.rows))
	for at, row := range g.rows {
		labels[at] = r.headName(row[0].node)
		if at == 0 && (labels[at] == "" || cornerWords[strings.ToLower(labels[at])]) {
			labels[at] = "name"
		}
	}
	return labels
}

// namesColumns reports whether the first row says what the columns are, under
// another label than a name.
func (r *reader) namesColumns(g *grid, labels []string) bool {
	if slices.ContainsFunc(labels, func(l string) bool { return namesRows[strings.ToLower(l)] }) {
		return false
	}
	for _, c := range g.rows[0][1:] {
		if kindOfCell(r.textOf(c.node)) != wordCell {
			return false
		}
	}
	return true
}

// cornerWords are heads of a column of labels: the other columns are things.
var cornerWords = setOf("feature features property properties spec specs specification specifications attribute attributes characteristic merkmal merkmale eigenschaft eigenschaften caractéristique característica caratteristica kenmerk compare comparison")

// mayTurn reports whether a table with a head can also be read by its columns:
// its first column holds labels, each another.
func (r *reader) mayTurn(g *grid) bool {
	if g.columns < 3 || g.columns > maxTurned || len(g.rows) > maxTurnedRows || len(g.rows)-g.head < 2 || g.head > 1 {
		return false
	}
	seen := map[string]bool{}
	for _, row := range g.rows[1:] {
		name := r.headName(row[0].node)
		if len(row) < 2 || name == "" || seen[name] || countWords(name) > 5 || hasDigit(name[:1]) {
			return false
		}
		seen[name] = true
	}
	return true
}

// isEitherWay reports whether the columns of a table of records may be things,
// too: the cells of its rows are alike, and those of its columns are not.
func (r *reader) isEitherWay(g *grid) bool {
	if !r.mayTurn(g) {
		return false
	}
	byRow, byColumn := r.evenness(g)
	return byRow > byColumn || g.side && byRow == byColumn
}

// isComparison reports whether the columns of a table with a head are the
// things and its rows what is said of them: nothing, or a word such as
// "Feature", stands in the corner, and the cells of a row are alike where those
// of a column are not.
func (r *reader) isComparison(g *grid) bool {
	if g.head == 0 || !r.mayTurn(g) {
		return false
	}
	corner := strings.ToLower(r.headName(g.rows[0][0].node))
	if corner != "" && !cornerWords[corner] {
		return false
	}
	byRow, byColumn := r.evenness(g)
	return byRow > byColumn || cornerWords[corner] && byRow == byColumn
}

// evenness returns how many in a hundred of the rows, and of the columns, have
// cells of one kind.
func (r *reader) evenness(g *grid) (byRow, byColumn int) {
	body := g.rows[g.head:]
	kinds := make([]uint8, g.columns)
	for _, row := range body {
		var all uint8
		for col, c := range row[1:] {
			kind := uint8(1) << kindOfCell(r.textOf(c.node))
			all |= kind
			kinds[col+1] |= kind
		}
		if isOneKind(all) {
			byRow++
		}
	}
	for _, kind := range kinds[1:] {
		if isOneKind(kind) {
			byColumn++
		}
	}
	return 100 * byRow / len(body), 100 * byColumn / (g.columns - 1)
}

func isOneKind(kinds uint8) bool {
	kinds &^= 1 << emptyCell
	return kinds&(kinds-1) == 0
}
