package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/people"
)

// teamWords are words in the heading above a list of people.
var teamWords = setOf("team staff people speakers members board crew leadership management directors trustees committee faculty mitarbeiter vorstand équipe equipo squadra personale medewerkers referenten")

// position adds what somebody does where it stands as a short line under the
// name, in a list that says that it is one of people.
func (r *reader) position(p, title int) {
	item := &r.nodes[r.parts[p].node]
	if title < 0 || r.has(p, "job title") || !people.IsFull(r.textOf(title)) {
		return
	}
	at := r.nodes[title].lineEnd
	if at >= item.lineEnd || !r.isTeam(p) {
		return
	}
	l := &r.lines[at]
	s := r.text[l.from:l.to]
	if len(s) > maxPerson || hasDigit(s) || strings.ContainsAny(s, "@:") || countWords(s) > 5 || strings.HasSuffix(s, ".") || !startsUpper(s) {
		return
	}
	r.add(p, "job title", r.textValue(s, 0, r.elementOf(l.first)))
}

// isTeam reports whether the heading above an item or the title of the page
// speaks of people who work together.
func (r *reader) isTeam(p int) bool {
	heads := [...]int{r.headingBefore(r.parts[p].node), r.titleNode}
	for _, h := range heads {
		if h < 0 || r.nodes[h].to-r.nodes[h].from > maxName {
			continue
		}
		for word := range strings.FieldsSeq(strings.ToLower(r.textOf(h))) {
			if teamWords[strings.Trim(word, ".,:&")] {
				return true
			}
		}
	}
	return false
}
