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

// oftenMistaken are how many times too long a length is that a template declares with
// a number of another unit: minutes as hours, and seconds as minutes or as hours.
var oftenMistaken = []float64{60, 3600}

// shortened returns the length that people see in place of the same number that is
// declared in a larger unit.
func (sh *shaper) shortened(p *prop, v *view, s scope, n *node) *node {
	if !p.of("ofLength") || n.from.entity == nil || isPage(n.from.entity) {
		return n
	}
	declared, ok := sh.declaredLength(n.from)
	if !ok || declared < 3600 {
		return n
	}
	page := s
	page.entities = append(slices.Clip(sh.things.page), sh.cards()...)
	for _, c := range sh.search(p, page) {
		for _, val := range c.field.Values {
			f := found{c.entity, c.field.Name, val}
			if seconds, ok := mention.Duration(val.Text); ok && slices.Contains(oftenMistaken, declared/seconds) && !sh.isDoubtful(p, f) {
				if shown := sh.scalar(p, v, f, 0); shown != nil {
					return shown
				}
			}
		}
	}
	if whole := sh.wholeTime(p, v, page); whole != nil {
		if seconds, ok := mention.Duration(whole.from.value.Text); ok && slices.Contains(oftenMistaken, declared/seconds) {
			return whole
		}
	}
	return n
}

// declaredLength is the length in seconds that a value says, a bare number in minutes.
func (sh *shaper) declaredLength(f found) (float64, bool) {
	if seconds, ok := mention.Duration(f.value.Text); ok {
		return seconds, true
	}
	minutes := sh.number(f.value.Text)
	return minutes * 60, minutes > 0
}
