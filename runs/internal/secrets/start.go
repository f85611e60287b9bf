package secrets

import (
	"strings"
	"unicode/utf8"
)

// ellipsis is the normal form of the mark behind a text that was cut.
const ellipsis = "..."

// beginning finds the beginning of a value at the end of a text that was cut:
// a longer value than a text may be is never in it whole.
func (n *net) beginning(v normal) (from, to int, placeholder string) {
	text, wasCut := strings.CutSuffix(v.norm, ellipsis)
	if !wasCut {
		return 0, 0, ""
	}
	text = strings.TrimRight(text, " ")
	for i, value := range n.starts {
		if size := overlap(value, text); size > to-from && utf8.RuneCountInString(value[:size]) >= minStart {
			from, to, placeholder = len(text)-size, len(text), n.of[i]
		}
	}
	return from, to, placeholder
}

// overlap is the length of the longest beginning of value, but not all of it,
// that text ends with. It is found in linear time (Knuth, Morris and Pratt).
func overlap(value, text string) int {
	text = text[max(0, len(text)-len(value)+1):]
	value = value[:len(text)]
	borders := make([]int, len(value)+1)
	borders[0] = -1
	step := func(matched int, c byte) int {
		for matched >= 0 && (matched == len(value) || value[matched] != c) {
			matched = borders[matched]
		}
		return matched + 1
	}
	for i := 1; i < len(value); i++ {
		borders[i+1] = step(borders[i], value[i])
	}
	matched := 0
	for i := range len(text) {
		matched = step(matched, text[i])
	}
	return matched
}
