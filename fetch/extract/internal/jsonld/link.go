package jsonld

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// standIn returns what stands for a thing that is named by its @id, until all
// blocks have been read.
func (r *reader) standIn(key, id string, types []string, place string) *graph.Entity {
	e := &graph.Entity{Source: graph.JSONLD, ID: id, Types: types, Element: r.script, Place: place}
	if r.refs == nil {
		r.refs = map[*graph.Entity]string{}
	}
	r.refs[e] = key
	return e
}

// link puts the things in the place of what stands for them. A thing that no
// block describes becomes an address, unless at least its type is known.
func (r *reader) link() {
	if len(r.refs) == 0 {
		return
	}
	for _, e := range r.all {
		for f := range e.Fields {
			values := e.Fields[f].Values
			for i := range values {
				r.page.Meter.Step(1)
				r.resolve(&values[i])
			}
		}
	}
	roots := r.roots
	r.roots = nil
	for _, e := range roots {
		if key, ok := r.refs[e]; ok {
			if e = r.named(key, e.Types); e == nil {
				continue
			}
		}
		r.root(e)
	}
}

func (r *reader) resolve(v *graph.Value) {
	key, ok := r.refs[v.Entity]
	if v.Entity == nil || !ok {
		return
	}
	if e := r.named(key, v.Entity.Types); e != nil {
		v.Entity = e
		return
	}
	if id := v.Entity.ID; id != "" && len(v.Entity.Types) == 0 {
		*v = graph.Value{Kind: graph.URL, Text: id, Element: v.Element, Place: v.Place}
	}
}

// named returns the thing of an @id, the one of a type that is wanted first.
func (r *reader) named(key string, types []string) *graph.Entity {
	known := r.byID[key]
	for _, e := range known {
		if e.Is(types...) {
			return e
		}
	}
	if len(known) == 0 {
		return r.untyped[key]
	}
	return known[0]
}

// fewValues is up to how many values of a name are compared with a new one.
const fewValues = 32

// news returns the values that are not among those known.
func (r *reader) news(known, values []graph.Value) []graph.Value {
	if len(known) == 0 || len(known) > fewValues || len(values) > fewValues {
		return values
	}
	return slices.DeleteFunc(values, func(v graph.Value) bool {
		return slices.ContainsFunc(known, func(k graph.Value) bool { return r.same(k, v, 4) })
	})
}

// same reports whether two values say the same, things compared down to a
// depth.
func (r *reader) same(a, b graph.Value, depth int) bool {
	r.page.Meter.Step(1)
	if a.Kind != b.Kind || a.Text != b.Text {
		return false
	}
	if a.Entity == b.Entity {
		return true
	}
	if depth == 0 || a.Entity.ID != b.Entity.ID || !slices.Equal(a.Entity.Types, b.Entity.Types) {
		return false
	}
	return slices.EqualFunc(a.Entity.Fields, b.Entity.Fields, func(x, y graph.Field) bool {
		return x.Name == y.Name && slices.EqualFunc(x.Values, y.Values, func(v, w graph.Value) bool { return r.same(v, w, depth-1) })
	})
}
