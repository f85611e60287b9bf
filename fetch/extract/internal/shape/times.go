package shape

import (
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// wholeTime is how long something takes in all where a thing says how long it is prepared
// and how long it cooks, and not the sum. Its origin names both. Where what a page declares
// has only one of them, that is all it takes, and the origin names that one.
func (sh *shaper) wholeTime(p *prop, v *view, s scope) *node {
	if len(p.concepts) == 0 || p.concepts[0] != "totalTime" {
		return nil
	}
	prepared, before, ok := sh.timeOf("prepTime", p, s)
	cooked, then, too := sh.timeOf("cookTime", p, s)
	if before+then <= 0 || ok && too && prepared.entity != cooked.entity {
		return nil
	}
	sum := prepared
	switch {
	case ok && too:
		sum.name = prepared.name + " + " + cooked.name
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
	if !p.is("totalTime") || n.kind != scalar {
		return false
	}
	seconds, ok := mention.Duration(n.from.value.Text)
	return ok && seconds == 0
}

// timeOf returns the first length of time that a thing says under a concept, in seconds.
func (sh *shaper) timeOf(concept string, p *prop, s scope) (_ found, seconds float64, ok bool) {
	named := &prop{name: concept, key: names.Parse(concept), concepts: []string{concept}, vias: viasOf([]string{concept}), sub: p.sub, scores: map[string]int{}}
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
