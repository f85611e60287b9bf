package jsonld

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/loose"
	"github.com/drover-go/drover/fetch/extract/internal/page"
)

// meaning returns what a member of an object means. The short forms id and type
// count where the long ones are missing, as schema.org defines them.
func meaning(v, member *loose.Value) string {
	name := bare(member.Name)
	if long := "@" + name; (name == "id" && member.Kind == loose.String || name == "type" && typesOf(member) != nil) && v.Get(long) == nil {
		return long
	}
	return name
}

func typesOf(v *loose.Value) (types []string) {
	items := v.Items
	if v.Kind == loose.String {
		items = []loose.Value{*v}
	}
	for _, item := range items {
		if item.Kind == loose.String {
			types = graph.AppendType(types, bare(item.Text))
		}
	}
	return types
}

// entity reads an object. It returns nil for one that says nothing, and a stand-in
// for one that only names another, until all blocks have been read.
func (r *reader) entity(v *loose.Value, place string) *graph.Entity {
	e := &graph.Entity{Source: graph.JSONLD, Element: r.script, Place: place}
	key, isTop := "", false
	var members []*loose.Value
	for i := range v.Items {
		r.page.Meter.Step(1)
		switch item := &v.Items[i]; meaning(v, item) {
		case "@id":
			key = strings.TrimSpace(item.Text)
		case "@type":
			e.Types = typesOf(item)
		case "@graph", "@included":
			isTop = true
			r.top(item, graph.Join(place, item.Name))
		default:
			if item.Name != "" && item.Name[0] != '@' {
				members = append(members, item)
			}
		}
	}
	if key != "" && !strings.HasPrefix(key, "_:") { // else a label that means something in its block only
		key = r.page.Resolve(key)
		e.ID = key
	}
	if len(members) == 0 {
		if isTop || key == "" && e.Types == nil {
			return nil
		}
		if key != "" {
			r.refs[e] = key
			return e
		}
	}
	e, again := r.known(key, e)
	for _, m := range members {
		name := bare(m.Name)
		values := r.values(nil, m, name, graph.Join(place, m.Name))
		if again {
			values = r.news(e.Get(name), values)
		}
		e.Add(name, values...)
	}
	return e
}

// fewOfAnID is how many things of different types one @id may name.
const fewOfAnID = 8

// known returns the entity that there is for a key with the same types, or the
// new one.
func (r *reader) known(key string, e *graph.Entity) (_ *graph.Entity, again bool) {
	for _, old := range r.byID[key] {
		if e.Types != nil && slices.Equal(old.Types, e.Types) {
			return old, true
		}
	}
	r.all = append(r.all, e)
	if key != "" && len(r.byID[key]) < fewOfAnID {
		r.byID[key] = append(r.byID[key], e)
	}
	return e, false
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
	if a.Kind != b.Kind || a.Text != b.Text || a.Entity == b.Entity {
		return a.Kind == b.Kind && a.Text == b.Text
	}
	return depth > 0 && a.Entity.ID == b.Entity.ID && slices.Equal(a.Entity.Types, b.Entity.Types) &&
		slices.EqualFunc(a.Entity.Fields, b.Entity.Fields, func(x, y graph.Field) bool {
			return x.Name == y.Name && slices.EqualFunc(x.Values, y.Values, func(v, w graph.Value) bool { return r.same(v, w, depth-1) })
		})
}

// bare returns a name or a type without its vocabulary; keywords stay.
func bare(name string) string {
	if strings.HasPrefix(name, "@") {
		return strings.ToLower(name)
	}
	return page.Bare(name)
}
