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
		if n.from >= n.to || n.is(isStruck) || (n.is(isAside) || r.isForeign(i)) && !r.isInTitle(i) {
			continue
		}
		if n.is(isText) {
			found = r.codeBehind(found, i)
		} else if len(n.el.Attr) > 0 && n.to-n.from <= maxCode {
			found = r.codeNamed(found, i)
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

// isInTitle reports whether a node is within a heading of the first level.
func (r *reader) isInTitle(i int) bool {
	for n := 0; i >= 0 && n < nearHeading; i, n = r.nodes[i].up, n+1 {
		if r.nodes[i].level == 1 {
			return true
		}
	}
	return false
}

// severalCodes reports whether the label of a number has those of several
// things.
func (r *reader) severalCodes(found []shownCode, code shownCode) bool {
	most := maxOfALabel
	if r.nodes[code.node].part != 0 {
		most = 1
	}
	var different []string
	for _, c := range found {
		if c.label == code.label && !slices.Contains(different, c.text) {
			if different = append(different, c.text); len(different) > most {
				return true
			}
		}
	}
	return false
}

// The ranks of what says that a text is such a number.
const (
	rankBare   = iota // a label that means nothing else
	rankNamed         // the name of the element
	rankSigned        // a label that means other things too
	rankInItem        // and what counts against one within an item
)

// addCode adds a number as surely as it is that of the page's thing.
func (r *reader) addCode(found []shownCode, c shownCode) []shownCode {
	if r.nodes[c.node].part != 0 {
		c.rank += rankInItem
	}
	return append(found, c)
}

// codeBehind looks at a text that begins with a label: the number stands
// behind it, in its line or in the next one.
func (r *reader) codeBehind(found []shownCode, i int) []shownCode {
	n := &r.nodes[i]
	if n.to-n.from > maxPattern {
		return found
	}
	label, rest, ok := labelledCode(r.text[n.from:n.to])
	if !ok {
		return found
	}
	at := n.line
	if rest == "" {
		rest = strings.TrimLeft(r.text[n.to:r.lines[at].to], codeSigns)
	}
	if rest == "" && at+1 < len(r.lines) && r.areNear(i, r.lines[at+1].first) {
		next := r.lines[at+1]
		rest = strings.TrimLeft(r.text[next.from:next.to], codeSigns)
	}
	code := firstCode(rest)
	if code == "" && label.bare {
		if all := strings.Trim(rest, codeSigns); mention.IsLetterCode(all) {
			code = all
		}
	}
	if code != "" {
		rank := rankBare
		if !label.bare {
			rank = rankSigned
		}
		found = r.addCode(found, shownCode{i, code, label.text, rank})
	}
	return found
}

// codeNamed looks at an element that its names call such a number.
func (r *reader) codeNamed(found []shownCode, i int) []shownCode {
	n := &r.nodes[i]
	name := r.codeNameOf(n.el)
	if name == "" {
		return found
	}
	text := oneLine(r.text[n.from:n.to])
	if _, rest, ok := labelledCode(text); ok {
		text = rest
	}
	if code := firstCode(text); code != "" && len(code) == len(strings.Trim(text, codeSigns)) {
		found = r.addCode(found, shownCode{i, code, name, rankNamed})
	}
	return found
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
	if mention.IsCode(word) && !isDate(word) {
		return word
	}
	return ""
}

// isDigitGroups reports whether a text is a number in groups: "175004 5066".
func isDigitGroups(s string) bool {
	return strings.Contains(s, " ") && len(s) >= 6 && !strings.ContainsFunc(s, func(c rune) bool { return (c < '0' || c > '9') && c != ' ' })
}
