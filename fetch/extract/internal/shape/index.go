package shape

import (
	"iter"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// manyFields is from how many fields on those of a thing are looked up in an
// index: a page may have thousands of labels, and every property asks for some.
const manyFields = 64

// fieldsFor yields the fields of a thing in which a property may be, or all of
// them where that is as quick.
func (sh *shaper) fieldsFor(p *prop, e *graph.Entity) iter.Seq[*graph.Field] {
	if len(e.Fields) < manyFields || e.Source == graph.Table {
		return func(yield func(*graph.Field) bool) {
			for i := range e.Fields {
				if !yield(&e.Fields[i]) {
					return
				}
			}
		}
	}
	numbers := sh.lookUp(p, sh.indexOf(e))
	sh.m.Step(len(numbers))
	return func(yield func(*graph.Field) bool) {
		for _, i := range numbers {
			if !yield(&e.Fields[i]) {
				return
			}
		}
	}
}

// lookUp returns the numbers of the fields whose names may be those of a
// property, or of what it may be in.
func (sh *shaper) lookUp(p *prop, x *names.Index) []int32 {
	found := x.Find(x.Find(nil, p.key), p.label)
	if p.described {
		for _, c := range p.concepts {
			concept := sh.name(c)
			concept.Concepts = []string{c}
			found = x.Find(found, concept)
		}
	}
	for _, via := range p.vias {
		found = x.FindKey(found, via.key)
	}
	for _, s := range p.splits {
		found = x.Find(found, s.outer)
	}
	for _, key := range []string{"item", "itemlistelement"} {
		found = x.FindKey(found, key)
	}
	sh.m.Step(8 + len(found))
	return names.Sorted(found)
}

// indexOf returns the index of the names that a thing has, made once.
func (sh *shaper) indexOf(e *graph.Entity) *names.Index {
	if x := sh.indexes[e]; x != nil {
		return x
	}
	x := names.NewIndex()
	for i := range e.Fields {
		sh.m.Step(nameSteps)
		x.Add(i, names.Parse(e.Fields[i].Name))
	}
	sh.indexes[e] = x
	return x
}

// nameSteps is what reading a name counts as.
const nameSteps = 8
