package shape

import (
	"slices"
	"time"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// isUnreadDate reports whether a page has the date that is wanted by a good
// name, for people to see, but so that it cannot be told: 03/04/2024 is of April
// or of March.
func (sh *shaper) isUnreadDate(p *prop, c candidate, f found) bool {
	if c.entity.Source == graph.Meta || !isPage(c.entity) {
		return false // what is written for machines is often wrong where the page is not
	}
	return p.is(dateConcepts...) && !saysTimeOnly(p) && c.score >= names.Near && f.value.Kind != graph.Thing && mayBeDate(f.value.Text)
}

// isOtherDate reports whether a field has the name of another date than the one
// that is wanted, or no name but that it looks like a date.
func (sh *shaper) isOtherDate(p *prop, c candidate) bool {
	if c.field.Values[0].Source == graph.Class {
		return true
	}
	have := sh.name(c.field.Name).Concepts
	return len(have) > 0 && slices.Contains(dateConcepts, have[0]) && !slices.Contains(have, p.concepts[0])
}

// isToCome reports whether a day that people see, asked for as the day of
// publication, is in the future: nothing was published or changed then.
func (sh *shaper) isToCome(p *prop, f found) bool {
	first := p.concepts[0]
	if first != "datePublished" && first != "dateModified" && first != "dateCreated" || anyDate[p.key.Key] || f.value.Kind == graph.Thing {
		return false
	}
	at, ok := mention.ParseMoment(f.value.Text, sh.o.Language)
	return ok && at.Date > time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
}
