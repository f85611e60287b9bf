package visible

import (
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// cellValue adds the text of a cell, and the label of an image in one without.
func (r *reader) cellValue(part int, name string, i int) {
	v := r.cellText(i)
	if strings.ContainsFunc(v.Text, func(c rune) bool { return unicode.Is(unicode.Sc, c) }) {
		v = r.unstruckValue(i, graph.Table)
	}
	if v.Text == "" {
		v.Text = r.altIn(i)
	}
	if strings.Trim(v.Text, "-–—−") == "" {
		return // nothing
	}
	r.add(part, name, v)
}

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
	in := &r.nodes[r.unwrapped(i)]
	if in.named(atom.B, atom.Strong) || r.nodes[i].named(atom.Th) {
		return true
	}
	class := strings.ToLower(cut(attr(r.nodes[i].el, "class"), maxNames))
	return strings.Contains(class, "head") || strings.Contains(class, "label")
}

// cellText returns the text of a cell without marks of notes. The items of a
// list in it, and what stands between line breaks, stay on lines of their own.
func (r *reader) cellText(i int) graph.Value {
	v := r.value(i, graph.Table)
	if n := &r.nodes[i]; n.lineEnd-n.line > 1 && n.to-n.from <= maxLabelled && r.areShort(n.line, n.lineEnd) {
		v.Text = r.text[n.from:n.to]
	}
	v.Text = withoutNotes(v.Text)
	if contact := r.contactIn(i); contact != "" && !strings.ContainsAny(v.Text, "@0123456789") {
		v.Text, v.Shown = contact, v.Text
	}
	return v
}

// contactIn returns the address for mail, or the number, that the link of a
// cell leads to, or "".
func (r *reader) contactIn(i int) string {
	a := r.firstLink(i)
	if a < 0 {
		return ""
	}
	scheme, rest, _ := strings.Cut(strings.TrimSpace(attr(r.nodes[a].el, "href")), ":")
	switch strings.ToLower(scheme) {
	case "mailto", "tel":
		rest, _, _ = strings.Cut(rest, "?")
		return rest
	}
	return ""
}

// shortLine is the length of a line that is one of a list.
const shortLine = 60

func (r *reader) areShort(from, to int) bool {
	for _, l := range r.lines[from:to] {
		if l.to-l.from > shortLine {
			return false
		}
	}
	return true
}

// cellKind is what the text of a cell looks like.
type cellKind uint8

const (
	emptyCell cellKind = iota
	wordCell
	numberCell
	moneyCell
	signCell // yes or no
)

func kindOfCell(s string) cellKind {
	s = strings.TrimSpace(withoutNotes(s))
	switch {
	case !hasWords(s) && len(s) > 0 && strings.ContainsAny(s, "✓✔✗✘✕×"), signs[strings.ToLower(s)]:
		return signCell
	case !hasWords(s):
		return emptyCell
	case !hasDigit(s):
		return wordCell
	case isMoney(s):
		return moneyCell
	case strings.ContainsAny(s[:1], "0123456789+-~<>.") || strings.HasPrefix(s, "−") || strings.HasPrefix(s, "≈"):
		return numberCell
	}
	return wordCell
}

var signs = setOf("yes no ja nein oui non sí si nee sim não true false")
