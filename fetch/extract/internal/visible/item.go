package visible

import (
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/internal/mention"
)

// mayRepeat reports whether an element is one of those that items are made of.
func (r *reader) mayRepeat(i int) bool {
	n := &r.nodes[i]
	lines := n.lineEnd - n.line
	switch n.el.DataAtom {
	case atom.P: // an entry of a list: its first line is a link
		a := r.firstLink(i)
		return a >= 0 && lines > 1 && r.nodes[a].from == n.from && r.nodes[a].to == r.lines[n.line].to
	case atom.Ul, atom.Ol:
		return n.is(hasImage | hasHeading | hasLink)
	case atom.A, atom.Span:
		return lines > 1 || n.is(hasHeading)
	}
	return !is("no item", n.el.Data) && !n.is(inTable) && (n.up < 0 || !r.nodes[n.up].named(atom.Dl))
}

// areItems reports whether elements that are alike can be items. They are none
// where they are the columns of the page, of which one holds its title or most of
// its text; parts of it that have ids of their own; or sections that tell of one
// thing and have little in common. Two that are no items by their name have most
// in common.
func (r *reader) areItems(members []int) bool {
	most := len(r.text) / 2
	ids, same, unlike, sections := map[string]bool{}, 0, 0, 0
	for k, m := range members {
		n := &r.nodes[m]
		if m < r.titleNode && r.titleNode < n.end || len(members) < 4 && n.to-n.from > most && most > 400 {
			return false
		}
		if n.named(atom.Section) && n.is(hasHeading) {
			sections++
		}
		id := attr(n.el, "id")
		if end := strings.IndexFunc(id, func(c rune) bool { return !unicode.IsLetter(c) }); end >= 0 {
			id = id[:end]
		}
		if id != "" {
			ids[id] = true
		}
		if k == 0 {
			continue
		}
		switch common := r.overlap(members[k-1], m); {
		case common >= 60:
			same++
		case common < 50:
			unlike++
		}
	}
	switch count := len(members); {
	case count < 2,
		len(ids) > 1 && 3*len(ids) >= 2*count && 2*same < count,
		sections == count && 2*unlike >= count-1,
		r.haveOwnLabels(members):
		return false
	case count > 2:
		return true
	}
	return same > 0 || r.nodes[members[0]].named(atom.Li, atom.Article, atom.Details)
}

// maxOwnLines is how many lines of a section are looked at for labels.
const maxOwnLines = 16

// haveOwnLabels reports whether elements that are no items by their looks have
// values with labels, of which no two are the same.
func (r *reader) haveOwnLabels(members []int) bool {
	seen, labelled := map[string]bool{}, 0
	for _, m := range members {
		n, before := &r.nodes[m], len(seen)
		if !n.is(hasHeading) || n.is(hasImage|hasLink|hasTable) || n.named(atom.Li, atom.Article, atom.Details) {
			return false
		}
		for at := n.line; at < min(n.lineEnd, n.line+maxOwnLines); at++ {
			r.Meter.Step(1)
			name, value := mention.SplitLabel(r.lineText(at))
			if name == "" || len(value) > maxName {
				continue
			}
			if name = strings.ToLower(name); seen[name] || mention.IsMoney(value) {
				return false
			}
			seen[name] = true
		}
		if len(seen) > before {
			labelled++
		}
	}
	return labelled > 1 && 3*labelled >= 2*len(members)
}

// isSection reports whether an element is a heading with a list of texts: a part
// of what is above it, such as the ingredients of a sauce, and no item.
func (r *reader) isSection(i int) bool {
	n := &r.nodes[i]
	if !n.is(hasHeading) || n.is(hasLink) || n.lineEnd-n.line < 3 {
		return false
	}
	heads := 0
	for c := i + 1; c < n.end; c++ {
		r.Meter.Step(1)
		switch t := &r.nodes[c]; {
		case t.named(atom.Ul, atom.Ol):
			if c+1 < t.end && !r.nodes[c+1].is(isText) && r.isRich(c+1) {
				return false
			}
			c = t.end - 1
		case t.named(atom.Table):
			c = t.end - 1
		case t.level > 0 && heads == 0:
			c = t.end - 1
			heads++
		case t.level > 0, t.is(isText):
			return false
		}
	}
	return heads == 1
}

// isRich reports whether an element holds more than a text: a heading, an
// image, a link, a price, or lines of several kinds.
func (r *reader) isRich(i int) bool {
	n := &r.nodes[i]
	if n.from == n.to {
		return false
	}
	if n.is(hasImage|hasHeading) || n.lineEnd-n.line > 1 && (n.is(hasLink) || n.kin&(n.kin-1) != 0 || r.isPair(i) || r.hasClassed(i)) {
		return true
	}
	if _, priced := r.pricedAt(i); priced {
		return true
	}
	link := r.firstLink(i)
	if link < 0 || n.is(isAside) {
		return false
	}
	l := &r.nodes[link] // not one in a sentence, which is long and begins with other words
	return l.from <= n.from+4 || n.to-n.from <= 4*(l.to-l.from)
}

// hasClassed reports whether an element holds a text in bold or the like whose
// class names it, and other elements beside.
func (r *reader) hasClassed(i int) bool {
	return r.nodes[i].kin != 0 && r.firstIn(i+1, i, func(n *node) bool { return isFormatting(n.el) && r.tokens.noun(n.el) != "" }) >= 0
}

// firstLink returns the first link with words in node i, or i itself, or -1.
func (r *reader) firstLink(i int) int {
	if !r.nodes[i].is(hasLink) {
		return -1
	}
	return r.firstIn(i, i, func(n *node) bool { return n.named(atom.A) })
}

// firstIn returns the first element with words in node i that is one of a kind,
// looked for from another node on, or -1.
func (r *reader) firstIn(from, i int, is func(*node) bool) int {
	for c, n := range r.near(i) {
		if c >= from && n.from < n.to && is(n) {
			return c
		}
	}
	return -1
}
