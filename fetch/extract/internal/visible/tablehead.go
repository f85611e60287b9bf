package visible

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// maxHead is how many rows can name the columns.
const maxHead = 4

// findHeaders finds the rows and the column that name the others.
func (r *reader) findHeaders(g *grid) {
	for g.head < len(g.rows) && g.head < maxHead && !r.isBanner(g, g.rows[g.head]) && r.isHeadRow(g, g.head) {
		g.head++
	}
	if g.head == len(g.rows) {
		g.head = 0
	}
	if g.head == 0 && g.columns > 2 && len(g.rows) > 2 && r.looksLikeHead(g) {
		g.head = 1
	}
	if g.columns == 2 && g.head == 0 && len(g.rows) > 2 && r.looksLikeHead(g) && !r.isLabelColumn(g) {
		g.head = 1
	}
	g.side = r.hasHeadColumn(g)
}

// dropTitle takes the rows on top that are one cell over all columns out of a
// table: its title, or an image.
func (r *reader) dropTitle(g *grid) {
	for len(g.rows) > 1 && r.isBanner(g, g.rows[0]) {
		if n := &r.nodes[g.rows[0][0].node]; g.title < 0 && n.from < n.to {
			g.title = g.rows[0][0].node
		}
		g.rows = g.rows[1:]
	}
}

// isBanner reports whether a row is one cell over all columns, or one without
// others in bold: a title between rows, which names no value.
func (r *reader) isBanner(g *grid, row []cell) bool {
	first := row[0].node
	for _, c := range row[1:] {
		if n := &r.nodes[c.node]; c.node != first && (n.from < n.to || n.is(hasImage)) {
			return false
		}
	}
	last := row[len(row)-1].node
	switch {
	case row[0].again && last == first && len(row) < g.columns:
		return false
	case len(row) == 1:
		return g.columns > 1 && !row[0].again
	case last == first:
		return true
	}
	n := &r.nodes[first]
	return n.from < n.to && !row[0].again && (g.columns > 2 || n.named(atom.Th)) && r.isBold(first) && attr(n.el, "scope") != "row"
}

// isHeadRow reports whether a row has none but header cells, or stands in the
// head of the table.
func (r *reader) isHeadRow(g *grid, at int) bool {
	heads, others := 0, 0
	for _, c := range g.rows[at] {
		r.Meter.Step(1)
		switch n := &r.nodes[c.node]; {
		case n.named(atom.Th):
			if attr(n.el, "scope") == "row" {
				return false
			}
			heads++
		case n.from < n.to && !c.again:
			others++
		}
	}
	if others == 0 && heads > 0 {
		return heads > 1 || at > 0 || len(g.rows[at]) == 1
	}
	tr := r.nodes[g.rows[at][0].node].up
	return tr >= 0 && r.nodes[tr].up >= 0 && r.nodes[r.nodes[tr].up].named(atom.Thead)
}

// looksLikeHead reports whether the first row names the columns without
// saying so: short texts without numbers in bold or over columns of numbers.
func (r *reader) looksLikeHead(g *grid) bool {
	bold, numbers, known := 0, false, 0
	if tr := r.nodes[g.rows[0][0].node].up; tr >= 0 && r.saysHead(tr) && !r.saysHead(r.nodes[g.rows[1][0].node].up) {
		return true
	}
	for col, c := range g.rows[0] {
		n := &r.nodes[c.node]
		text := r.text[n.from:n.to]
		if n.to-n.from > maxName || col > 0 && (text == "" || hasDigit(text)) {
			return false
		}
		if r.isBold(c.node) {
			bold++
		}
		if headWords[strings.ToLower(nameOf(text))] {
			known++
		}
		if col < len(g.rows[1]) {
			below := &r.nodes[g.rows[1][col].node]
			numbers = numbers || !hasDigit(text) && hasDigit(r.text[below.from:below.to])
		}
	}
	return 2*bold > len(g.rows[0]) && !r.isBoldRow(g, 1) || numbers || known > 1 && 2*known >= len(g.rows[0])
}

// headWords are words that are heads of columns and hardly anything else.
var headWords = setOf("name title date time price place location city country company position role type category status description author email e-mail phone telephone team venue " +
	"artist album year genre department quantity amount size colour color rating model product item rank language address website comment notes format result salary " +
	"titel datum preis ort stadt land firma art typ beschreibung autor telefon telefonnummer größe farbe menge anzahl sprache adresse bemerkung nom prix lieu ville pays statut " +
	"auteur téléphone taille couleur langue nombre precio fecha lugar ciudad estado autor nome prezzo luogo città paese stato autore naam prijs plaats")

// saysHead reports whether a row says that it is a head, by its class.
func (r *reader) saysHead(tr int) bool {
	return strings.Contains(strings.ToLower(cut(attr(r.nodes[tr].el, "class"), maxNames)), "head")
}

func (r *reader) isBoldRow(g *grid, at int) bool {
	bold := 0
	for _, c := range g.rows[at] {
		if r.isBold(c.node) {
			bold++
		}
	}
	return 2*bold > len(g.rows[at])
}

// hasHeadColumn reports whether the first cells of the rows name them.
func (r *reader) hasHeadColumn(g *grid) bool {
	heads := 0
	for _, row := range g.rows[g.head:] {
		if n := &r.nodes[row[0].node]; n.named(atom.Th) || attr(n.el, "scope") == "row" {
			heads++
		}
	}
	return heads > 0 && 2*heads >= len(g.rows)-g.head
}
