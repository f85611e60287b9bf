package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/schema"
)

// isUnreadDate reports whether a page has the date that is wanted by a good
// name, for people to see, but so that it cannot be told: 03/04/2024 is of April
// or of March. What is written for machines is often wrong where the page is not.
func (sh *shaper) isUnreadDate(p *prop, c candidate, f found) bool {
	return c.entity.Source != graph.Meta && isPage(c.entity) && p.isDate() && !saysTimeOnly(p) && c.score >= names.Near && f.value.Kind != graph.Thing && mention.MayBeDate(cutText(f.value.Text))
}

// saysTimeOnly reports whether a property of an event asks by its name for a time
// of day, and not for the day: startTime.
func saysTimeOnly(p *prop) bool {
	said := strings.ToLower(p.name + " " + p.about)
	return p.is("startDate", "endDate") && strings.HasSuffix(strings.ToLower(p.name), "time") && !strings.Contains(said, "date") && !strings.Contains(said, "8601")
}

// clock returns the time of day of a value, none of one that is only a day.
func (sh *shaper) clock(val graph.Value) []string {
	if m, ok := sh.moment(val); ok {
		return when(m.Clock != "", m.Time())
	}
	return both(val, mention.ParseClock)
}

// clocks returns the time of day of a value, of a length of time that end of it
// which is asked for. What looks like a time and cannot be read stays as it is.
func (sh *shaper) clocks(p *prop, val graph.Value) []string {
	found, ends := sh.clock(val), mention.ClockEnds(cutText(val.Text))
	if found != nil || ends == nil {
		return found
	}
	if p.is("endDate") {
		slices.Reverse(ends)
	}
	if end, ok := mention.ParseClock(ends[0]); ok {
		return []string{end}
	}
	return plainTexts(val)
}

// wholeTime is how long something takes in all where a thing says how long it is prepared
// and how long it cooks, and not the sum. Its origin is that of the first. Where what a
// page declares has only one of them, that is all it takes.
func (sh *shaper) wholeTime(p *prop, v *view, s scope) *node {
	if !p.is("totalTime") {
		return nil
	}
	of := []found{}
	all := 0.0
	for _, concept := range []string{"prepTime", "cookTime"} {
		n := sh.fillScalar(propOf(concept, p.sub), &anyDuration, s)
		if n == nil {
			continue
		}
		seconds, _ := mention.Duration(textOf(n.value))
		all, of = all+seconds, append(of, n.from)
	}
	if all <= 0 || len(of) == 1 && of[0].entity.Source > graph.Microformats || of[0].entity != of[len(of)-1].entity {
		return nil
	}
	sum := of[0]
	sum.value.Kind, sum.value.Text, sum.value.Shown = graph.Text, mention.ISODuration(all), ""
	return sh.scalar(p, v, sum, 0)
}

var anyDuration = view{View: &schema.View{Outline: schema.Outline{MaxItems: -1, Format: "duration"}}, typed: true, types: typeString, order: []types{typeString}}
