package visible

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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
		if len(n.el.Attr) > 0 && n.to-n.from <= maxCode {
			return r.codeNamed(i)
		}
		return c
	}
	if n.to-n.from > maxPattern {
		return c
	}
	label, rest, rank := labelledCode(r.text[n.from:n.to])
	if label == "" {
		return c
	}
	if rest == "" {
		rest = strings.TrimLeft(r.text[n.to:r.lines[n.line].to], codeSigns)
	}
	if next := n.line + 1; rest == "" && next < len(r.lines) && r.areNear(i, r.lines[next].first) {
		rest = strings.TrimLeft(r.text[r.lines[next].from:r.lines[next].to], codeSigns)
	}
	c = shownCode{i, firstCode(rest), label, rank}
	if all := strings.Trim(rest, codeSigns); c.text == "" && rank == rankBare && (mention.IsLetterCode(all) || isShortCode(all)) {
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
	if label, rest, _ := labelledCode(text); label != "" {
		text = rest
	}
	text = strings.Trim(text, codeSigns)
	if label, last := cutLast(text); firstCode(text) == "" && !hasDigit(label) && countWords(label) <= labelWords {
		text = last // behind a label in any language
	}
	if firstCode(text) == text || isShortCode(text) {
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

// maxShortCode is the length of a number with one or two digits, in bytes: codes of
// coupons are words, and longer.
const maxShortCode = 10

// isShortCode reports whether a text is one word that is the number of a thing where
// its label or element says so: it has a digit, and no more signs than such have.
func isShortCode(s string) bool {
	return len(s) >= 3 && len(s) <= maxShortCode && hasDigit(s) && !mention.IsDate(s) && !strings.ContainsFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_./#+", c)
	})
}

// maxCode is the length of such a number, in bytes.
const maxCode = 40

// firstCode returns the number that a text begins with, or "".
func firstCode(s string) string {
	if len(s) > maxLabelled {
		return ""
	}
	if all := strings.Trim(s, codeSigns); len(all) <= maxCode && isDigitGroups(all) {
		return all
	}
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	word = strings.Trim(word, ",.;:()[]〉】|*")
	if mention.IsCode(word) && !mention.IsDate(word) {
		return word
	}
	return ""
}

// isDigitGroups reports whether a text is a number in groups: "175004 5066".
func isDigitGroups(s string) bool {
	return strings.Contains(s, " ") && len(s) >= 6 && !strings.ContainsFunc(s, func(c rune) bool { return (c < '0' || c > '9') && c != ' ' })
}

// codeLabels are the labels of the numbers of things: those that mean that by
// themselves, and those that mean other things, too, as "code" does.
var codeLabels = openingsOf("number", "signed number")

// labelledCode returns the label that a text begins with, "" where there is none,
// what stands behind it, and how surely it means the number of a thing. A label
// that means other things too needs a sign behind it.
func labelledCode(s string) (label, rest string, rank int) {
	s = strings.TrimLeft(s, " (〈【[*•-")
	if s == "" || codeLabels()[s[0]] == nil {
		return "", "", 0
	}
	lower := strings.ToLower(cut(s, maxName))
	for _, l := range codeLabels()[s[0]] {
		if !strings.HasPrefix(lower, l.words) || len(lower) > len(s) {
			continue
		}
		rest, rank := s[len(l.words):], rankBare
		if c, _ := utf8.DecodeRuneInString(rest); isLetterOfWord(c) || unicode.IsDigit(c) {
			continue
		}
		if l.list != "number" {
			rank = rankSigned
			if c, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, " \u00A0")); !strings.ContainsRune(".:：#№", c) {
				continue
			}
		}
		return l.words, strings.TrimLeft(rest, codeSigns), rank
	}
	return "", "", 0
}

// codeSigns are what stands between such a label and the number.
const codeSigns = " \u00A0.:：#№°º*)|>-–]"

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
