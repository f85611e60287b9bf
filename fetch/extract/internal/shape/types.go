package shape

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// learnType keeps what a thing without a type is, by the property that it is
// the value of.
func (t *things) learnType(e *graph.Entity, via string) {
	if kind := names.ExpectedType(via); kind != "" && len(e.Types) == 0 && e.Source <= graph.RDFa && t.expected[e] == nil {
		t.expected[e] = []string{kind}
	}
}

// typesOf are the types of a thing, those that it has or those that are expected
// where it is.
func (sh *shaper) typesOf(e *graph.Entity) []string {
	if len(e.Types) > 0 {
		return e.Types
	}
	return sh.things.expected[e]
}

// isA reports whether a thing is of one of the types.
func (sh *shaper) isA(e *graph.Entity, types ...string) bool {
	return slices.ContainsFunc(sh.typesOf(e), func(t string) bool { return slices.Contains(types, t) })
}
