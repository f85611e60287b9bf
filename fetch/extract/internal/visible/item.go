package visible

import (
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"
)

// mayRepeat reports whether an element is one of those that items are made of.
func (r *reader) mayRepeat(i int) bool {
	n := &r.nodes[i]
	switch n.el.DataAtom {
	case atom.P:
		return r.isEntry(i)
	case atom.Dl, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Td, atom.Th, atom.Option, atom.Dt, atom.Dd,
		atom.Br, atom.Hr, atom.Img, atom.Picture, atom.Tbody, atom.Thead, atom.Table, atom.Button, atom.Input, atom.Label, atom.Pre, atom.Select, atom.Fieldset, atom.Legend:
		return false
	case atom.Ul, atom.Ol:
		return n.is(hasImage | hasHeading | hasLink)
	case atom.A, atom.Span:
		return n.lineEnd-n.line > 1 || n.is(hasHeading)
	}
	return !isFormatting(n.el) && !n.is(inTable) && (n.up < 0 || !r.nodes[n.up].named(atom.Dl))
}

// isEntry reports whether a paragraph is an entry of a list: lines of which the
// first is a link.
func (r *reader) isEntry(i int) bool {
	n := &r.nodes[i]
	if n.lineEnd-n.line < 2 || n.lineEnd-n.line > 6 || n.is(inTable) {
		return false
	}
	a, l := r.firstLink(i), r.lines[n.line]
	return a >= 0 && r.nodes[a].from == l.from && r.nodes[a].to == l.to
}

// areItems reports whether elements that are alike can be items: not the
// columns of the page, of which one holds its title or most of its text.
func (r *reader) areItems(members []int) bool {
	most := len(r.text) / 2
	for _, m := range members {
		n := &r.nodes[m]
		if m < r.titleNode && r.titleNode < n.end || len(members) < 4 && n.to-n.from > most && most > 400 {
			return false
		}
	}
	if r.areOwnSections(members) {
		return false
	}
	if len(members) > 2 {
		return true
	}
	first := &r.nodes[members[0]]
	return first.named(atom.Li, atom.Article, atom.Details) || r.overlap(members[0], members[1]) >= 60
}

// haveNames reports whether the elements are different parts of the page and
// no items: most have an id of their own that begins with another word, and in
// few is the same as in the one before.
func (r *reader) haveNames(members []int) bool {
	seen, same := map[string]bool{}, 0
	for i, m := range members {
		if id := firstWord(attr(r.nodes[m].el, "id")); id != "" {
			seen[id] = true
		}
		if i > 0 && r.overlap(members[i-1], m) >= 60 {
			same++
		}
	}
	return len(seen) > 1 && 3*len(seen) >= 2*len(members) && 2*same < len(members)
}

// firstWord returns the letters that a name begins with.
func firstWord(name string) string {
	if end := strings.IndexFunc(name, func(c rune) bool { return !unicode.IsLetter(c) }); end >= 0 {
		return name[:end]
	}
	return name
}

// isSection reports whether an element is a heading with a list of texts: a part
// of what is above it, such as the ingredients of a sauce, and no item.
func (r *reader) isSection(i int) bool {
	n := &r.nodes[i]
	if !n.is(hasHeading) || n.is(hasLink|hasTable) || n.lineEnd-n.line < 3 {
		return false
	}
	texts := 0
	for c := i + 1; c < n.end; c++ {
		r.Meter.Step(1)
		switch t := &r.nodes[c]; {
		case t.named(atom.Ul, atom.Ol):
			if c+1 < t.end && !r.nodes[c+1].is(isText) && r.isRich(c+1) {
				return false
			}
			c = t.end - 1
		case t.level > 0:
			if c = t.end - 1; texts > 0 {
				return false
			}
			texts++
		case t.is(isText):
			return false
		}
	}
	return texts == 1
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
	return n.is(hasLink) && (!n.is(isAside) && !r.inProse(i))
}

// hasClassed reports whether an element holds a text in bold or the like whose
// class names it, and other elements beside.
func (r *reader) hasClassed(i int) bool {
	if r.nodes[i].kin == 0 {
		return false
	}
	for c := i + 1; c < r.nodes[i].end && c < i+maxLook; c++ {
		r.Meter.Step(1)
		if n := &r.nodes[c]; !n.is(isText) && n.from < n.to && isFormatting(n.el) && r.tokens.noun(n.el) != "" {
			return true
		}
	}
	return false
}

// inProse reports whether a line is a sentence in which a link stands: it
// begins with other words, and is long.
func (r *reader) inProse(i int) bool {
	n := &r.nodes[i]
	link := r.firstLink(i)
	return link < 0 || r.nodes[link].from > n.from+4 && n.to-n.from > 4*(r.nodes[link].to-r.nodes[link].from)
}

// firstLink returns the first link with words in node i, or i itself, or -1.
func (r *reader) firstLink(i int) int {
	for c := i; c < r.nodes[i].end && c < i+maxLook; c++ {
		r.Meter.Step(1)
		if n := &r.nodes[c]; n.named(atom.A) && n.from < n.to {
			return c
		}
	}
	return -1
}

// maxLook is how many nodes are looked through for one of a kind.
const maxLook = 64
