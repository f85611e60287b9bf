package visible

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// How a line says when something was published, and when it was changed:
// "Published 14 March 2024 · Updated 2 April 2024".
var (
	saysPublished = lexicon.Pattern(`(?i)^(?:(?:first |originally )?(?:published|posted)(?: on)?|veröffentlicht(?: am)?|erschienen(?: am)?|publiée?(?: le)?|mise? en ligne(?: le)?|publicad[oa](?: el| em)?|pubblicat[oa](?: il)?|gepubliceerd(?: op)?|geplaatst(?: op)?)\s*:?\s+`)
	saysChanged   = lexicon.Pattern(`(?i)^(?:(?:last )?(?:updated|modified|edited|revised)(?: on)?|(?:zuletzt )?(?:aktualisiert|geändert|bearbeitet)(?: am)?|mise? à jour(?: le)?|modifiée?(?: le)?|actualizad[oa](?: el)?|aggiornat[oa](?: il)?|bijgewerkt(?: op)?|gewijzigd(?: op)?|atualizad[oa](?: em)?)\s*:?\s+`)
	// opensChange is where the second of the two begins in one sentence.
	opensChange = lexicon.Pattern(`(?i)[,;]?\s+(?:(?:and|und|et|y|e|en)\s+)?((?:last updated|last modified|zuletzt aktualisiert|zuletzt geändert|updated|modified|edited|revised|aktualisiert|geändert|bearbeitet|mise? à jour|modifiée?|actualizad[oa]|aggiornat[oa]|bijgewerkt|gewijzigd|atualizad[oa])(?:\s+(?:on|am|le|el|il|op|em))?\s*:?\s+\d)`)
	clauseMarks = lexicon.Pattern(`\s*[|·•–—]\s+|\s*[()]\s*`)
)

// published reads the dates of a line that opens with the words for that.
func (r *reader) published(s string, i int) {
	if !hasFourDigits(s) || saysPublished().FindString(s) == "" && saysChanged().FindString(s) == "" {
		return
	}
	s = opensChange().ReplaceAllString(s, " | $1")
	for _, clause := range clauseMarks().Split(s, 4) {
		if words := saysPublished().FindString(clause); words != "" {
			r.addDay("published", clause[len(words):], i)
		} else if words := saysChanged().FindString(clause); words != "" {
			r.addDay("updated", clause[len(words):], i)
		}
	}
}

func (r *reader) addDay(name, text string, i int) {
	part := r.nodes[i].part
	text = strings.TrimRight(text, " .,;")
	if _, ok := mention.ParseMoment(text, r.lang); !ok || r.has(part, name) {
		return
	}
	v := r.textValue(text, graph.Class, r.elementOf(i))
	v.Aside = r.nodes[i].is(isAside)
	r.add(part, name, v)
}
