package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// bareWords are names that mean a date in one place and something else in
// another: a train goes from a town, a shop is open until noon.
var bareWords = map[string]bool{"from": true, "to": true, "until": true, "till": true, "start": true, "end": true, "starts": true, "ends": true, "von": true, "bis": true, "ab": true,
	"de": true, "a": true, "hasta": true, "da": true, "nach": true, "van": true, "tot": true}

// isExact reports whether a value has the very name of a property, one of the
// bare words, on the visible page: a label, a term, the head of a column. What
// stands there is meant, whatever it is.
func isExact(p *prop, name string, source graph.Source) bool {
	switch source {
	case graph.Table, graph.Definition, graph.Label:
		return bareWords[p.key.Key] && names.Parse(name).Key == p.key.Key
	}
	return false
}

// exactFirst puts the fields that have the very name of a property before
// others.
func exactFirst(p *prop, all []candidate) []candidate {
	if !bareWords[p.key.Key] {
		return all
	}
	tier := func(c candidate) int {
		if isExact(p, c.field.Name, sourceOf(c.entity, &c.field.Values[0])) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return tier(a) - tier(b) })
	return all
}

// sourceOf is where a value was found.
func sourceOf(e *graph.Entity, v *graph.Value) graph.Source {
	if v.Source == 0 && e != nil {
		return e.Source
	}
	return v.Source
}
