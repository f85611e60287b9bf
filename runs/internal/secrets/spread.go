package secrets

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A page may put the parts of a value into elements of their own, which then
// are lines of an outline or strings of JSON beside each other: none of them
// has the value in it, all together show it.

// across takes values out of texts that are read one after the other. A value
// that ends in another text than it begins in goes from both; its placeholder
// stands in the first.
func (n *net) across(pieces []string) (clean []string, changed bool) {
	joined := strings.Join(pieces, "")
	ends := make([]int, len(pieces))
	at := 0
	for i, p := range pieces {
		at += len(p)
		ends[i] = at
	}
	clean = slices.Clone(pieces)
	hits := n.findLoose(joined)
	for _, f := range slices.Backward(hits) { // from the end, so that places stay
		first, last := pieceOf(ends, f.from), pieceOf(ends, f.to-1)
		if start := ends[first] - len(pieces[first]); f.number && !byItself(joined[start:ends[last]], f.from-start, f.to-start) {
			continue
		}
		for i := last; i >= first; i-- {
			begin := ends[i] - len(pieces[i])
			from, to := max(f.from-begin, 0), min(f.to-begin, len(pieces[i]))
			text := ""
			if i == first {
				text = f.placeholder
			}
			clean[i] = clean[i][:from] + text + clean[i][to:]
		}
		changed = true
	}
	return clean, changed
}

// pieceOf is the index of the text that the byte is in.
func pieceOf(ends []int, at int) int {
	i, _ := slices.BinarySearchFunc(ends, at, func(end, at int) int { return cmp.Compare(end, at+1) })
	return i
}

// findLoose returns the places of values that do not overlap, in order.
func (n *net) findLoose(text string) (all []found) {
	n.mu.RLock()
	defer n.mu.RUnlock()
	if n.loose.empty() {
		return nil
	}
	v := normalised(text, true)
	loose, places := v.loose()
	n.loose.each(loose, func(at int, p *pattern) bool {
		f := found{from: int(v.from[places[at]]), to: int(v.to[places[at+len(p.text)-1]]), placeholder: p.placeholder, number: p.rule == asNumber}
		if len(all) == 0 || f.from >= all[len(all)-1].to {
			all = append(all, f)
		}
		return true
	})
	return all
}

// outlineName is the text of a line of an outline, quoted; outlineValue is what its
// field holds.
var (
	outlineName  = regexp.MustCompile(`(?m)^ *- \*?[A-Za-z0-9_-]+ ("(?:[^"\\\n]|\\.)*")`)
	outlineValue = regexp.MustCompile(`(?m)^ *- .* value=("(?:[^"\\\n]|\\.)*")`)
)

// acrossLines does so with the lines of an outline, or rather with what of each is
// asked for.
func (n *net) acrossLines(text string, what *regexp.Regexp) string {
	var pieces []string
	var places [][]int
	for _, m := range what.FindAllStringSubmatchIndex(text, -1) {
		if piece, err := strconv.Unquote(text[m[2]:m[3]]); err == nil {
			pieces, places = append(pieces, piece), append(places, m[2:4])
		}
	}
	clean, changed := n.across(pieces)
	if !changed {
		return text
	}
	for i, place := range slices.Backward(places) {
		if clean[i] != pieces[i] {
			text = text[:place[0]] + strconv.Quote(clean[i]) + text[place[1]:]
		}
	}
	return text
}
