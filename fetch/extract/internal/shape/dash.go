package shape

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// dashes fills what is yes or no in the rows of a table with no where a dash
// stands in a column that has check marks.
func (l *list) dashes() {
	o := l.itemSchema()
	if o == nil || l.v.prefix != nil {
		return
	}
	columns := l.markColumns()
	if len(columns) == 0 {
		return
	}
	for _, m := range slices.Concat(l.complete, l.held) {
		if m.entity == nil || m.entity.Source != graph.Table {
			continue
		}
		for _, p := range l.sh.view(o).props {
			if column, marked := columns[p.name]; marked && m.node.member(p.name) == nil {
				l.sh.dashed(p, m, column)
			}
		}
	}
}

// dashed fills a property of a row if its cell holds a dash.
func (sh *shaper) dashed(p *prop, m made, column int) {
	cells := cellsOf(m.entity.Element)
	sh.m.Step(1 + len(cells))
	if column >= len(cells) || !isDash(cells[column]) {
		return
	}
	cell := graph.Value{Kind: graph.Text, Text: page.Collapse(textIn(cells[column])), Element: cells[column]}
	if n := leaf(false, found{m.entity, p.name, cell}); sh.passes(p.sub, n) {
		m.node.insert(p.name, n)
	}
}

// markColumns returns, by the name of a property, the column of a table whose
// cells are check marks.
func (l *list) markColumns() map[string]int {
	columns := map[string]int{}
	for _, n := range l.node.items[:min(len(l.node.items), maxKin)] {
		for _, m := range n.members {
			is, ok := m.node.value.(bool)
			if !ok || !is || !strings.ContainsAny(m.node.from.value.Text, "✓✔☑✅●") || m.node.from.value.Element == nil {
				continue
			}
			l.sh.m.Step(8)
			cell := m.node.from.value.Element
			if i := slices.Index(cellsOf(cell.Parent), cell); i >= 0 {
				columns[m.name] = i
			}
		}
	}
	return columns
}

// cellsOf returns the cells of a row, none of one with a cell over several
// columns.
func cellsOf(row *html.Node) []*html.Node {
	if row == nil || row.DataAtom != atom.Tr {
		return nil
	}
	var all []*html.Node
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if _, spans := tree.Attr(c, "colspan"); spans {
			return nil
		}
		if tree.Is(c, atom.Td, atom.Th) {
			all = append(all, c)
		}
	}
	return all
}

func isDash(n *html.Node) bool {
	switch strings.TrimSpace(textIn(n)) {
	case "-", "–", "—", "−":
		return true
	}
	return false
}

// textIn returns the text of a small element.
func textIn(n *html.Node) string {
	var b strings.Builder
	seen := 0
	for d := range n.Descendants() {
		if seen++; seen > maxTimeNodes {
			break
		}
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
