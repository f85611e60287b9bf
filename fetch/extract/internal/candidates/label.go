package candidates

import (
	"iter"
	"slices"
	"sort"
	"strings"
	"unicode"

	"golang.org/x/net/html/atom"
)

// A label is a line that says what is below it.
type label struct {
	from, to int
	said     sense
	heading  bool // as markup says
	// last are the labels up to it that said ingredients, instructions and
	// something else, or -1.
	last [3]int
}

// The lengths of labels, in words: of any line whose words say what it is, of
// one that is marked, and of those whose words are heard at all.
const (
	maxPlainLabel  = 4
	maxMarkedLabel = 9
	maxLabelBytes  = 200
)

// label finds the labels of the page among its lines.
func (p *Page) label() {
	heads, bolds := map[int]int{}, map[int]int{} // where marked texts begin and end
	for i := range p.nodes {
		switch n := &p.nodes[i]; {
		case n.size() == 0 || n.size() > maxLabelBytes:
		case n.is(atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Legend, atom.Summary, atom.Caption, atom.Th):
			heads[n.from] = n.to
		case n.is(atom.B, atom.Strong, atom.U, atom.Button, atom.Dt):
			bolds[n.from] = max(bolds[n.from], n.to)
		}
	}
	from := 0
	for line := range strings.Lines(p.text) {
		p.meter.Read(len(line))
		if to := from + len(strings.TrimSuffix(line, "\n")); to-from <= maxLabelBytes {
			p.addLabel(from, to, heads[from] >= to, bolds[from] >= to-2)
		}
		from += len(line)
	}
	p.recipe = (wordsOfName(p.title)|wordsOfName(p.url))&ofRecipe != 0
}

func (p *Page) addLabel(from, to int, heading, bold bool) {
	text := p.text[from:to]
	words, said := wordsOfText(text)
	lists := said & (ofIngredients | ofInstructions)
	if words == 0 || !heading && (words > maxMarkedLabel || !bold && !strings.HasSuffix(text, ":")) && (words > maxPlainLabel || lists == 0) {
		return
	}
	l := label{from: from, to: to, said: lists | said&ofOther, heading: heading, last: [3]int{-1, -1, -1}}
	if words > maxMarkedLabel {
		l.said = 0
	}
	at := len(p.labels)
	if at > 0 {
		l.last = p.labels[at-1].last
	}
	for i := range l.last {
		if l.said>>i&1 != 0 {
			l.last[i] = at
		}
	}
	p.labels = append(p.labels, l)
}

// wordsOfText counts the words of a text and returns what they say.
func wordsOfText(text string) (n int, said sense) {
	known := spoken()
	for word := range words(text) {
		n++
		said |= known[word]
	}
	if n > 0 && text[0] > 0x7F { // written without spaces
		for word, s := range known {
			if word[0] >= 0xE3 && s&(ofIngredients|ofInstructions) != 0 && strings.Contains(text, word) {
				said |= s
			}
		}
	}
	return n, said
}

// words yields the words of a text that have letters, in lower case.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, isNoLetter) {
			if word = strings.TrimLeft(word, "-"); word != "" && !yield(strings.ToLower(word)) {
				return
			}
		}
	}
}

func isNoLetter(c rune) bool { return !unicode.IsLetter(c) && !unicode.Is(unicode.Mn, c) && c != '-' }

// labelBefore returns the last label that ends before a place, or -1.
func (p *Page) labelBefore(at int) int {
	return sort.Search(len(p.labels), func(i int) bool { return p.labels[i].to > at }) - 1
}

// labelEnd returns where the label ends that begins at a place, or -1.
func (p *Page) labelEnd(at int) int {
	i, ok := slices.BinarySearchFunc(p.labels, at, func(l label, at int) int { return l.from - at })
	if !ok {
		return -1
	}
	return p.labels[i].to
}

// Amount parts an item into how much of it there is, in which unit, and the rest. What it
// does not begin with is "".
func Amount(item string) (amount, unit, rest string) {
	end := strings.IndexFunc(item, func(r rune) bool { return !isFigure(r) && !strings.ContainsRune(" /.,-–⁄", r) })
	if end <= 0 {
		return "", "", item
	}
	amount = strings.TrimRight(item[:end], " .,-–")
	rest = strings.TrimSpace(item[end:])
	word := rest
	if at := strings.IndexFunc(rest, isSpace); at >= 0 {
		word = rest[:at]
	}
	if spoken()[strings.TrimSuffix(strings.ToLower(word), ".")]&ofUnit != 0 && len(word) < len(rest) {
		unit, rest = word, strings.TrimSpace(rest[len(word):])
	}
	return amount, unit, rest
}
