package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// cellValue adds the text of a cell without marks of notes, and the label of an
// image in one without. What stands between line breaks stays on lines of its
// own, and a link leads to where its words are written to.
func (r *reader) cellValue(part int, name string, i int) {
	v := r.unstruckValue(i, graph.Table)
	if n := &r.nodes[i]; n.lineEnd-n.line > 1 && n.to-n.from <= min(maxLabelled, shortLine*(n.lineEnd-n.line)) && !n.is(hasStruck) {
		v.Text = r.text[n.from:n.to]
	}
	v.Text = withoutNotes(v.Text)
	if a := r.firstLink(i); a >= 0 && !strings.ContainsAny(v.Text, "@0123456789") {
		switch scheme, rest, _ := strings.Cut(strings.TrimSpace(attr(r.nodes[a].el, "href")), ":"); strings.ToLower(scheme) {
		case "mailto", "tel":
			v.Shown = v.Text
			v.Text, _, _ = strings.Cut(rest, "?")
		case "http", "https":
			if site, ok := r.address(attr(r.nodes[a].el, "href"), v.Text, graph.Table, a); ok && strings.Contains(v.Text, ".") && !strings.Contains(v.Text, " ") {
				r.add(part, name, site)
			}
		}
	}
	if v.Text == "" {
		v.Text = r.altIn(i)
	}
	if strings.Trim(v.Text, "-–—−") != "" {
		r.add(part, name, v)
	}
}

// shortLine is the length of a line that is one of a list.
const shortLine = 60

// altIn returns what the first image or labelled element in a node says.
func (r *reader) altIn(i int) string {
	for c := i; c < r.nodes[i].end && c < i+maxLook; c++ {
		if n := &r.nodes[c]; !n.is(isText) {
			if alt := oneLine(strings.TrimSpace(attr(n.el, "alt") + attr(n.el, "aria-label"))); alt != "" {
				return cut(alt, 4*maxName)
			}
		}
	}
	return ""
}

// cellLinks adds the first link of a row and its first image.
func (r *reader) cellLinks(part, tr int) {
	if a := r.firstLink(tr); a >= 0 {
		if v, ok := r.address(attr(r.nodes[a].el, "href"), r.textOf(a), 0, a); ok {
			r.add(part, "url", v)
		}
	}
	for c := tr; c < r.nodes[tr].end && c < tr+maxLook; c++ {
		r.Meter.Step(1)
		if r.nodes[c].named(atom.Img) {
			if v, ok := r.imageValue(c); ok && !r.has(part, "image") {
				v.Source = 0
				r.add(part, "image", v)
			}
			return
		}
	}
}

// isBold reports whether all words of a cell are in bold, or its class says
// that it is a header.
func (r *reader) isBold(i int) bool {
	if r.nodes[r.unwrapped(i)].named(atom.B, atom.Strong) || r.nodes[i].named(atom.Th) {
		return true
	}
	class := strings.ToLower(cut(attr(r.nodes[i].el, "class"), maxNames))
	return strings.Contains(class, "head") || strings.Contains(class, "label")
}

// Of a table that is read by its columns: how many it has at most, and of how
// many rows.
const (
	maxTurned     = 24
	maxTurnedRows = 200
)

// turned returns the table with its columns as rows.
func (g *grid) turned() *grid {
	t := &grid{table: g.table, caption: -1, title: -1, columns: min(len(g.rows), maxTurnedRows), head: 1, isTurned: true}
	for col := range min(g.columns, maxTurned) {
		turned := make([]cell, t.columns)
		for at, row := range g.rows[:t.columns] {
			if turned[at] = row[0]; col < len(row) {
				turned[at] = row[col]
			}
		}
		t.rows = append(t.rows, turned)
	}
	return t
}

// turns reports whether the columns of a table are the things and its rows what
// is said of them: its first column holds labels, each another, which stand below
// nothing or a word such as "Feature", or no row names the columns.
func (r *reader) turns(g *grid) bool {
	corner := r.headName(g.rows[0][0].node)
	if g.columns < 3 || g.columns > maxTurned || len(g.rows) > maxTurnedRows || g.head > 1 ||
		g.head == 1 && corner != "" && !isOneOf("table corners", corner) {
		return false
	}
	seen, known := map[string]bool{}, 0
	for _, row := range g.rows[g.head:] {
		name := r.headName(row[0].node)
		if name == "" || seen[name] || countWords(name) > 5 || hasDigit(name[:1]) {
			return false
		}
		seen[name] = true
		if isOneOf("column heads", name) {
			known++
		}
	}
	return g.head == 1 || g.side || known > 1
}
