package tools

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/drover-go/drover/runs/internal/outline"
)

const (
	// placeAround is how many bytes of a long text are shown before and after what
	// was found in it, and maxPlaces how many such places are.
	placeAround = 150
	maxPlaces   = 8
)

// showPlaces cuts the long texts of lines: those that were found down to the places
// that match.
func showPlaces(lines []outline.Line, found []int, re *regexp.Regexp) {
	for _, i := range found {
		for _, text := range textsOf(&lines[i]) {
			*text = placesIn(*text, re)
		}
	}
	cutTexts(lines)
}

// placesIn is a text as it is, or what stands where the expression matches.
func placesIn(text string, re *regexp.Regexp) string {
	if len(text) <= maxField {
		return text
	}
	all := re.FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return text
	}
	var b strings.Builder
	end, shown := 0, 0
	for _, at := range all {
		from, to := max(at[0]-placeAround, end), min(max(at[1], end), at[0]+maxField/maxPlaces)+placeAround
		if shown == maxPlaces || b.Len()+to-from > maxField-100 {
			break
		}
		from, to = characterAt(text, from), characterAt(text, min(to, len(text)))
		if from > end || end == 0 && from > 0 {
			b.WriteString(" … ")
		}
		b.WriteString(text[from:to])
		end, shown = to, shown+1
	}
	if end < len(text) {
		b.WriteString(" …")
	}
	if len(all) > shown {
		fmt.Fprintf(&b, " (%d of %d places)", shown, len(all))
	}
	return strings.TrimSpace(b.String())
}
