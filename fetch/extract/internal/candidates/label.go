package candidates

import (
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
	for from := 0; from < len(p.text); {
		to := len(p.text)
		if i := strings.IndexByte(p.text[from:], '\n'); i >= 0 {
			to = from + i
		}
		p.meter.Read(to - from)
		if to-from <= maxLabelBytes {
			p.addLabel(from, to, heads[from] >= to, bolds[from] >= to-2)
		}
		from = to + 1
	}
	p.recipe = namesOfText(p.title)&ofRecipe != 0 || wordsOfName(cut(p.url, maxNames))&ofRecipe != 0
}

func namesOfText(text string) sense { return wordsOfName(cut(text, maxNames)) }

func (p *Page) addLabel(from, to int, heading, bold bool) {
	text := p.text[from:to]
	words, said := wordsOfText(text)
	said &= ofIngredients | ofInstructions | ofOther
	colon := strings.HasSuffix(text, ":")
	switch {
	case words == 0:
	case heading, words <= maxMarkedLabel && (bold || colon), words <= maxPlainLabel && said&(ofIngredients|ofInstructions) != 0:
		if words > maxMarkedLabel {
			said = 0
		}
		p.labels = append(p.labels, label{from, to, said, heading})
	}
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
func words(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			begin := strings.IndexFunc(text, isLetter)
			if begin < 0 {
				return
			}
			text = text[begin:]
			end := strings.IndexFunc(text, isNoLetter)
			if end < 0 {
				end = len(text)
			}
			if !yield(strings.ToLower(text[:end])) {
				return
			}
			text = text[end:]
		}
	}
}

func isLetter(c rune) bool   { return unicode.IsLetter(c) || unicode.Is(unicode.Mn, c) }
func isNoLetter(c rune) bool { return !isLetter(c) && c != '-' }

// labelBefore returns the last label that ends before a place, or -1.
func (p *Page) labelBefore(at int) int {
	return sort.Search(len(p.labels), func(i int) bool { return p.labels[i].to > at }) - 1
}

// labelAt returns the label that begins at a place, or -1.
func (p *Page) labelAt(at int) int {
	i := sort.Search(len(p.labels), func(i int) bool { return p.labels[i].from >= at })
	if i < len(p.labels) && p.labels[i].from == at {
		return i
	}
	return -1
}
