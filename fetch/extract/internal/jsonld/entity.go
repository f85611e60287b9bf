package jsonld

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/loose"
)

// node is an object that is being read: its members sorted by what they mean.
type node struct {
	id      string
	types   []string
	members []member
	// tops are the values of @graph and @included, whose things belong to no other.
	tops []*loose.Value
}

type member struct {
	term
	value *loose.Value
}

// sorted reads the names of an object. The short forms id and type count where
// the long ones are missing, as schema.org defines them.
func (r *reader) sorted(v *loose.Value, c *scope) (n node) {
	for i := range v.Items {
		item := &v.Items[i]
		r.page.Meter.Step(1)
		t := c.meaning(item.Name)
		name := t.name
		if long := "@" + name; name == "id" && item.Kind == loose.String && v.Get(long) == nil || name == "type" && typesOf(item) != nil && v.Get(long) == nil {
			name = long
		}
		switch {
		case name == "@id":
			n.id = strings.TrimSpace(item.Text)
		case name == "@type":
			n.types = typesOf(item)
		case name == "@graph" || name == "@included":
			n.tops = append(n.tops, item)
		case name != "" && name[0] != '@':
			n.members = append(n.members, member{t, item})
		}
	}
	return n
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

// entity reads an object whose scope is c. It returns nil for one that says
// nothing, and a stand-in for one that only names another, until all blocks have
// been read.
func (r *reader) entity(v *loose.Value, c *scope, place string) *graph.Entity {
	n := r.sorted(v, c)
	for _, top := range n.tops {
		r.top(top, c, graph.Join(place, top.Name))
	}
	key, id := n.id, ""
	if key != "" && !strings.HasPrefix(key, "_:") { // else a label that means something in its block only
		key = r.page.Resolve(key)
		id = key
	}
	e := &graph.Entity{Source: graph.JSONLD, ID: id, Types: n.types, Element: r.script, Place: place}
	if len(n.members) == 0 {
		if len(n.tops) > 0 || key == "" && n.types == nil {
			return nil
		}
		if key != "" {
			r.refs[e] = key
			return e
		}
	}
	e, again := r.known(key, e)
	for _, m := range n.members {
		values := r.values(nil, m.value, m.term, c, graph.Join(place, m.value.Name))
		if again {
			values = r.news(e.Get(m.name), values)
		}
		e.Add(m.name, values...)
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
