package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/internal/tree"
	tables "github.com/drover-go/drover/internal/grid"
)

// table writes a table of GitHub's flavour. Its head is one row, in which several
// of the page are joined; where the page gives none, the first row stands in,
// unless it is one of rows that have a head of their own at their left. Rows on
// top that are one cell over all columns are written above the table; above rows
// with heads of their own only the first one is, which is its title, and others,
// such as an image and the heading of a group, stay rows.
//
// A cell that spans rows is written in each of them, so that every row says
// what belongs to it. One that spans columns is written once, and in the head
// once for each column.
func (e *engine) table(ctx converter.Context, w converter.Writer, n *html.Node) {
	g := grid{size: e.size}
	var rows [][]cell
	var above [][]cell // rows on top of one cell over all columns
	caption := e.caption(ctx, w, n)
	for tr := range e.rowsOf(n) {
		cells := e.cells(ctx, tr)
		if len(cells) == 0 {
			continue
		}
		if len(rows) == 0 && len(cells) == 1 && cells[0].columns > 1 {
			above = append(above, cells)
			continue
		}
		if len(rows) == 0 {
			g.align = alignments(tr)
			if g.headless = hasRowHead(tr); g.headless {
				above, rows = splitTitle(above, caption)
			}
		}
		if g.heads == len(rows) && len(rows) < maxHeads && isHead(tr) {
			g.heads++
		}
		g.measure(cells)
		rows = append(rows, cells)
	}
	writeTitles(w, above)
	if len(rows) == 0 {
		return
	}
	_, _ = w.WriteString("\n\n")
	g.lay(rows)
	g.write(w)
	_, _ = w.WriteString("\n\n")
}

// maxHeads is how many rows can be the head of a table.
const maxHeads = 4

// splitTitle parts the rows above others into the title of the table, which one
// with a caption does without, and those that stay rows.
func splitTitle(above [][]cell, hasCaption bool) (titles, rows [][]cell) {
	if len(above) == 0 || hasCaption || bytes.HasPrefix(bytes.TrimPrefix(above[0][0].text, []byte("[")), []byte("![")) {
		return nil, above
	}
	return above[:1], above[1:]
}

// writeTitles writes what stands over all of a table above it.
func writeTitles(w converter.Writer, above [][]cell) {
	for _, row := range above {
		if t := row[0].text; len(t) > 0 {
			_, _ = w.WriteString("\n\n")
			_, _ = w.Write(t)
			_, _ = w.WriteString("\n\n")
		}
	}
}

// caption writes the caption of a table above it, and reports whether there is
// one.
func (e *engine) caption(ctx converter.Context, w converter.Writer, table *html.Node) (written bool) {
	for d := table.FirstChild; d != nil; d = d.NextSibling {
		if named(d, "caption") {
			text := joinLines(bytes.TrimSpace(e.inside(ctx, d)))
			_, _ = w.WriteString("\n\n")
			_, _ = w.Write(text)
			_, _ = w.WriteString("\n\n")
			written = written || len(text) > 0
		}
	}
	return written
}

// hasRowHead reports whether a row has a head at its left and only there, and
// so is not the head of the table.
func hasRowHead(tr *html.Node) bool {
	if tr.Parent.Data == "thead" {
		return false
	}
	head := firstElement(tr)
	if !tree.Is(head, atom.Th) {
		return false
	}
	for c := head.NextSibling; c != nil; c = c.NextSibling {
		if named(c, "th") {
			return false
		}
	}
	return head != lastElement(tr)
}

// A cell is what a cell of the page writes, and how far it reaches.
type cell struct {
	text          []byte
	end           int // of the text as it was written, among the row's
	columns, rows int
}

func (e *engine) cells(ctx converter.Context, tr *html.Node) []cell {
	var cells []cell
	var b bytes.Buffer // one for the row: cells are many and small
	for td := tr.FirstChild; td != nil; td = td.NextSibling {
		if named(td, "td", "th") {
			e.dollar = false
			e.children(ctx, &b, td)
			cells = append(cells, cell{end: b.Len(), columns: span(td, "colspan"), rows: span(td, "rowspan")})
		}
	}
	e.Read(b.Len())
	start := 0
	for i := range cells {
		c := &cells[i]
		c.text = cellText(b.Bytes()[start:c.end:c.end])
		start = c.end
	}
	return cells
}

// cellText makes content one line: line breaks become tags, and bars, which
// would end the cell, are escaped, even in code.
func cellText(content []byte) []byte {
	content = bytes.TrimSpace(content)
	if bytes.IndexByte(content, '\n') < 0 && bytes.IndexByte(content, '|') < 0 {
		return content
	}
	var out []byte
	for l := range bytes.SplitSeq(content, []byte("\n")) {
		l = bytes.TrimSpace(l)
		if len(l) == 0 {
			continue
		}
		if len(out) > 0 {
			out = append(out, "<br>"...)
		}
		out = append(out, l...)
	}
	return bytes.ReplaceAll(out, []byte("|"), []byte(`\|`))
}

// maxSpan is how many columns and rows a cell may span, as in browsers.
const maxSpan = 1000

func span(td *html.Node, key string) int { return tables.Span(tree.AttrOr(td, key)) }

// A grid is a table whose cells have their place.
type grid struct {
	rows     [][][]byte
	align    []string
	headless bool
	heads    int // rows on top that are the head
	size     *meter
	// width is the number of columns. A row of one cell does not count: one
	// that spans all of the table often says a hundred.
	width int
	// hanging holds, for each column, the cell that reaches down into it.
	hanging []cell
	cells   int // cells of the page
	filled  int // cells that are there because another spans them
}

func (g *grid) measure(cells []cell) {
	columns := 0
	for _, c := range cells {
		columns += c.columns
	}
	if len(cells) > 1 {
		g.width = max(g.width, min(columns, max(maxSpan, len(cells))))
	}
}

func (g *grid) lay(rows [][]cell) {
	if g.headless {
		g.rows = append(g.rows, nil)
	}
	for i, cells := range rows {
		g.add(cells, i == 0 && !g.headless || i < g.heads)
	}
	if g.heads > 1 && g.heads < len(g.rows) {
		g.joinHeads()
	}
}

// joinHeads makes several rows of a head one: "2023" above "Revenue" becomes
// "2023 Revenue". What spans rows is written once.
func (g *grid) joinHeads() {
	var head [][]byte
	last := [][]byte{}
	for _, row := range g.rows[:g.heads] {
		for col, text := range row {
			for len(head) <= col {
				head, last = append(head, nil), append(last, nil)
			}
			if len(text) == 0 || bytes.Equal(text, last[col]) {
				continue
			}
			last[col] = text
			if len(head[col]) > 0 {
				text = slices.Concat(head[col], []byte(" "), text)
			}
			g.size.take(len(text))
			head[col] = text
		}
	}
	g.rows = append([][][]byte{head}, g.rows[g.heads:]...)
}

// add places the cells of a row around those that hang down into it.
func (g *grid) add(cells []cell, head bool) {
	var row [][]byte
	for _, c := range cells {
		row = g.drop(row)
		g.cells++
		row = g.place(row, c.text, c.rows)
		for range min(c.columns, g.room(len(row)-1)) - 1 {
			g.filled++
			if head {
				row = g.place(row, c.text, c.rows)
			} else {
				row = g.place(row, nil, c.rows)
			}
		}
	}
	g.rows = append(g.rows, g.drop(row))
}

// drop continues the row with what hangs down into it.
func (g *grid) drop(row [][]byte) [][]byte {
	for len(row) < len(g.hanging) && g.hanging[len(row)].rows > 0 {
		c := &g.hanging[len(row)]
		c.rows--
		g.filled++
		g.size.take(len(c.text))
		row = append(row, c.text)
	}
	return row
}

func (g *grid) place(row [][]byte, text []byte, rows int) [][]byte {
	for len(g.hanging) <= len(row) {
		g.hanging = append(g.hanging, cell{})
	}
	if g.tooMany() {
		rows = 1
	}
	g.hanging[len(row)] = cell{text: text, rows: rows - 1}
	g.size.take(len(text))
	return append(row, text)
}

// room returns how many columns there are for a cell at column n.
func (g *grid) room(n int) int {
	if g.tooMany() {
		return 1
	}
	return max(g.width-n, 1)
}

// tooMany reports whether so many places are spanned that spans are no longer
// followed.
func (g *grid) tooMany() bool { return g.filled > 4*g.cells+maxSpan }

func alignments(tr *html.Node) []string {
	var align []string
	for td := tr.FirstChild; td != nil; td = td.NextSibling {
		if !named(td, "td", "th") {
			continue
		}
		value := strings.ToLower(tree.AttrOr(td, "align"))
		if _, style, ok := strings.Cut(tree.AttrOr(td, "style"), "text-align"); ok {
			style, _, _ = strings.Cut(strings.TrimLeft(style, ": "), ";")
			value = strings.TrimSpace(strings.ToLower(style))
		}
		align = append(align, value)
		for range min(span(td, "colspan"), 100) - 1 {
			if len(align) < maxSpan { // beyond, spans are not followed, see tooMany
				align = append(align, value)
			}
		}
	}
	return align
}

// maxPadding is how many cells a row may lack and be filled up. The head must
// be as wide as the table; other rows may be shorter.
const maxPadding = 16

// rules are the cells of the line under the head.
var rules = map[string]string{"left": ":--", "center": ":-:", "right": "--:"}

func (g *grid) write(w converter.Writer) {
	width := 0
	for _, row := range g.rows {
		width = max(width, len(row))
	}
	for i, row := range g.rows {
		if missing := width - len(row); i == 0 || missing <= maxPadding {
			row = append(row, make([][]byte, missing)...)
		}
		for _, text := range row {
			_, _ = w.WriteString("| ")
			_, _ = w.Write(text)
			_ = w.WriteByte(' ')
		}
		_, _ = w.WriteString("|\n")
		if i == 0 {
			g.rule(w, width)
		}
	}
}

// rule writes the line between the head and the body of the table.
func (g *grid) rule(w converter.Writer, width int) {
	for i := range width {
		rule := "---"
		if i < len(g.align) && rules[g.align[i]] != "" {
			rule = rules[g.align[i]]
		}
		_, _ = w.WriteString("| " + rule + " ")
	}
	_, _ = w.WriteString("|\n")
}
