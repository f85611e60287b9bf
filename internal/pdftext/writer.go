package pdftext

import (
	"math"
	"strings"
)

// piece is a text and where it stands: from where to where, and how high it is.
type piece struct {
	text                   string
	x, y, toX, toY, height float64
}

// writer puts pieces in lines, in the order in which they are drawn.
type writer struct {
	b     strings.Builder
	last  piece
	any   bool
	limit int
}

func (w *writer) full() bool { return w.b.Len() >= w.limit }

// add writes a piece: in a new line where it does not stand behind the last one, and
// with a space where there is a gap.
func (w *writer) add(p piece) {
	if p.text == "" || w.full() {
		return
	}
	if w.any {
		w.b.WriteString(w.between(p))
	}
	w.b.WriteString(p.text)
	w.last, w.any = p, true
}

func (w *writer) between(p piece) string {
	l := w.last
	height := max(l.height, p.height, 0.1)
	along, across := p.x-l.toX, p.y-l.toY
	if math.Abs(l.toY-l.y) > math.Abs(l.toX-l.x) { // written upwards or downwards
		along, across = across, along
	}
	switch {
	case math.IsNaN(along) || math.IsNaN(across):
		return " "
	case math.Abs(across) > height*1.8:
		return "\n\n"[:1+blank(across, height)]
	case math.Abs(across) > height*0.6, along < -height*2:
		return "\n"
	case along > height*0.15 && !strings.HasSuffix(l.text, " ") && !strings.HasPrefix(p.text, " "):
		return " "
	}
	return ""
}

// blank is 1 where there is room for an empty line.
func blank(across, height float64) int {
	if math.Abs(across) > height*2.6 {
		return 1
	}
	return 0
}

// text is what was written, without the spaces at the ends of lines.
func (w *writer) text() string {
	lines := strings.Split(strings.ToValidUTF8(w.b.String(), "\uFFFD"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
