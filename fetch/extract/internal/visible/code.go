package visible

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
)

// shownCode is a number of the page's thing as a reader sees it.
type shownCode struct {
	node int
	text string
	// label is what it stands behind, or the name of the element; rank says how
	// surely that means such a number, 0 the surest.
	label string
	rank  int
}

// maxOfALabel is how many different numbers one label may have: where there
// are more, the page shows several things. Of a label within items there may
// be one only: parts of the description are items too, and so are other things.
const maxOfALabel = 3

// maxShownCodes is how many such numbers are looked at.
const maxShownCodes = 200

// codes looks for the number that the page shows of its own thing: behind a
// label, or in an element that a name calls so.
func (r *reader) codes() {
	var found []shownCode
	for i := range r.nodes {
		r.pass(i)
		n := &r.nodes[i]
		if len(found) >= maxShownCodes {
			break
		}
		inTitle := i > r.titleNode && r.titleNode >= 0 && i < r.nodes[r.titleNode].end
		if n.from >= n.to || n.is(isStruck) || (n.is(isAside) || r.isForeign(i)) && !inTitle {
			continue
		}
		if c := r.codeAt(i); c.text != "" {
			if n.part != 0 {
				c.rank += rankInItem
			}
			found = append(found, c)
		}
	}
	slices.SortStableFunc(found, func(a, b shownCode) int { return a.rank - b.rank })
	for _, c := range found {
		if r.severalCodes(found, c) {
			continue
		}
		from := graph.Label
		if c.rank%rankInItem == rankNamed {
			from = graph.Class
		}
		v := r.textValue(c.text, from, r.elementOf(c.node))
		v.Shown = c.label
		r.add(0, graph.ShownNumber, v)
		return
	}
}

// severalCodes reports whether the label of a number has those of several
// things.
func (r *reader) severalCodes(found []shownCode, code shownCode) bool {
	different := map[string]bool{}
	for _, c := range found {
		if c.label == code.label {
			different[c.text] = true
		}
	}
	return len(different) > maxOfALabel || len(different) > 1 && r.nodes[code.node].part != 0
}

// The ranks of what says that a text is such a number.
const (
	rankBare   = iota // a label that means nothing else
	rankNamed         // the name of the element
	rankSigned        // a label that means other things too
	rankInItem        // and what counts against one within an item
)

// codeAt looks at a node. The number of a text that begins with a label stands
// behind it, in its line or in the next one; an element that its names call such
// a number has nothing else in it.
func (r *reader) codeAt(i int) (c shownCode) {
	n := &r.nodes[i]
	if !n.is(isText) {
		if len(n.el.Attr) > 0 && n.to-n.from <= maxMoney {
			return r.codeNamed(i)
		}
		return c
	}
	if n.to-n.from > maxPattern {
		return c
	}
	label, rest, only := mention.LabelledCode(r.text[n.from:n.to])
	if label == "" {
		return c
	}
	if rest == "" {
		rest = strings.TrimLeft(r.text[n.to:r.lines[n.line].to], mention.CodeSigns)
	}
	if next := n.line + 1; rest == "" && next < len(r.lines) && r.areNear(i, r.lines[next].first) {
		rest = strings.TrimLeft(r.text[r.lines[next].from:r.lines[next].to], mention.CodeSigns)
	}
	c = shownCode{i, mention.FirstCode(rest), label, rankBare}
	if all := strings.Trim(rest, mention.CodeSigns); !only {
		c.rank = rankSigned
	} else if c.text == "" && (mention.IsLetterCode(all) || mention.IsShortCode(all)) {
		c.text = all
	}
	return c
}

func (r *reader) codeNamed(i int) (c shownCode) {
	n := &r.nodes[i]
	k := r.tokens.first(n.el, func(k *token) bool { return k.code })
	if k == nil {
		return c
	}
	text := oneLine(r.text[n.from:n.to])
	if label, rest, _ := mention.LabelledCode(text); label != "" {
		text = rest
	}
	text = strings.Trim(text, mention.CodeSigns)
	if label, last := cutLast(text); mention.FirstCode(text) == "" && !mention.HasDigit(label) && countWords(label) <= labelWords {
		text = last // behind a label in any language
	}
	if mention.FirstCode(text) == text || mention.IsShortCode(text) {
		c = shownCode{i, text, k.text, rankNamed}
	}
	return c
}

// labelWords is of how many words the label in an element that is named for a number
// may be.
const labelWords = 3

// cutLast cuts a text before its last word.
func cutLast(s string) (before, last string) {
	i := strings.LastIndexByte(s, ' ')
	return s[:max(i, 0)], s[i+1:]
}

// isCodeName reports whether the words of a name call something the number of a
// thing: "product-code", "articleNumber", "sku".
func isCodeName(words []string) bool {
	thing, number := false, false
	for _, w := range words {
		switch {
		case is("no number name", w):
			return false
		case is("thing number name", w):
			return true
		}
		thing, number = thing || is("thing name", w), number || is("number name", w)
	}
	return thing && number || len(words) > 1 && is("thing name", words[0]) && words[len(words)-1] == "article"
}
