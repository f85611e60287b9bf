package shape

import (
	"slices"
	"strings"
	"time"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// isUnreadDate reports whether a page has the date that is wanted by a good
// name, for people to see, but so that it cannot be told: 03/04/2024 is of April
// or of March. What is written for machines is often wrong where the page is not.
func (sh *shaper) isUnreadDate(p *prop, c candidate, f found) bool {
	return c.entity.Source != graph.Meta && isPage(c.entity) && p.isDate() && !saysTimeOnly(p) && c.score >= names.Near && f.value.Kind != graph.Thing && mayBeDate(f.value.Text)
}

// isToCome reports whether a day that people see, asked for as the day of
// publication, is in the future: nothing was published or changed then.
func (sh *shaper) isToCome(p *prop, f found) bool {
	if !p.is("datePublished", "dateModified", "dateCreated") || anyDate[p.key.Key] || f.value.Kind == graph.Thing {
		return false
	}
	at, ok := mention.ParseMoment(f.value.Text, sh.o.Language)
	return ok && at.Date > time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
}

// saysTimeOnly reports whether a property of an event asks by its name for a time
// of day, and not for the day: startTime.
func saysTimeOnly(p *prop) bool {
	said := strings.ToLower(p.name + " " + p.about)
	return p.is("startDate", "endDate") && strings.HasSuffix(strings.ToLower(p.name), "time") && !strings.Contains(said, "date") && !strings.Contains(said, "8601")
}

// clocks returns the time of day of a value, of a length of time that end of it
// which is asked for; none of one that is only a day. What looks like a time and
// cannot be read stays as it is.
func (sh *shaper) clocks(p *prop, val graph.Value) []string {
	if m, ok := sh.moment(val); ok {
		return textIf(m.Time(), m.Clock != "")
	}
	ends := betweenClocks().Split(cutText(val.Text), 3)
	if p.is("endDate") {
		slices.Reverse(ends)
	}
	if found := both(graph.Value{Text: ends[0], Shown: val.Shown}, mention.ParseClock); found != nil {
		return found
	}
	return plainIf(val, likeClock().MatchString(cutText(val.Text)))
}

var (
	likeClock     = lexicon.Pattern(`(?i)\d[:.h]\d\d|\d\s?[ap]\.?m\b`)
	betweenClocks = lexicon.Pattern(`\s*[-–—]\s*|\s(?:to|bis|until|à|a|tot)\s`)
)

// wholeTime is how long something takes in all where a thing says how long it is prepared
// and how long it cooks, and not the sum. Its origin names both. Where what a page declares
// has only one of them, that is all it takes, and the origin names that one.
func (sh *shaper) wholeTime(p *prop, v *view, s scope) *node {
	if !p.is("totalTime") {
		return nil
	}
	sum, before, ok := sh.timeOf("prepTime", p, s)
	cooked, then, too := sh.timeOf("cookTime", p, s)
	switch {
	case before+then <= 0 || ok && too && sum.entity != cooked.entity:
		return nil
	case ok && too:
		sum.name += " + " + cooked.name
	case too:
		sum = cooked
	}
	if !(ok && too) && sum.entity.Source > graph.Microformats {
		return nil
	}
	sum.value.Kind, sum.value.Text, sum.value.Shown = graph.Text, mention.ISODuration(before+then), ""
	return sh.scalar(p, v, sum, 0)
}

// isNoTime reports whether a time in all is 0: templates write that where nobody has said one.
func isNoTime(p *prop, n *node) bool {
	seconds, ok := mention.Duration(n.from.value.Text)
	return p.is("totalTime") && n.kind == scalar && ok && seconds == 0
}

// timeOf returns the first length of time that a thing says under a concept, in seconds.
func (sh *shaper) timeOf(concept string, p *prop, s scope) (_ found, seconds float64, ok bool) {
	named := propOf(concept, p.sub)
	for _, c := range sh.search(named, s) {
		for _, val := range c.field.Values {
			f := found{c.entity, c.field.Name, val}
			if seconds, ok := mention.Duration(val.Text); ok && val.Kind != graph.Thing && !sh.isDoubtful(named, f) {
				return f, seconds, true
			}
		}
	}
	return found{}, 0, false
}
