package mention

import (
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
)

// note is what stands behind a number of a table and is no part of it: the mark
// of a note, and the year of the count.
var note = lexicon.Pattern(`\s*(?:\[[0-9a-z]{1,3}\]|\((?:[\pL.]{1,10} ){0,3}(?:1[5-9]|20)[0-9]{2}(?: [\pL.]{1,10})?\))$`)

// withoutNotes takes notes off the end of a text: "12,345 (2020)[1]".
func withoutNotes(text string) string {
	for range 3 {
		if !strings.HasSuffix(text, ")") && !strings.HasSuffix(text, "]") {
			break
		}
		cut := note().FindStringIndex(text)
		if cut == nil || cut[0] == 0 {
			break
		}
		text = text[:cut[0]]
	}
	return text
}
