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
	// graph, included, nested and reverse are the values of these keywords.
	graph, included, nested, reverse *loose.Value
}

type member struct {
	term
	value *loose.Value
}

// sorted reads the names of an object. The short forms id and type count where
// the long ones are missing, as schema.org defines them.
func (r *reader) sorted(v *loose.Value, c *scope) node {
	var n node
	short := map[string]*loose.Value{}
	for i := range v.Items {
		item := &v.Items[i]
		r.page.Meter.Step(1)
		switch t := c.meaning(item.Name); t.name {
		case "@id":
			n.id = item.Text
		case "@type":
			n.types = typesOf(item)
		case "@graph":
			n.graph = item
		case "@included":
			n.included = item
		case "@nest":
			n.nested = item
		case "@reverse":
			n.reverse = item
		case "id", "type":
			short[t.name] = item
			n.members = append(n.members, member{t, item})
		default:
			if t.name != "" && t.name[0] != '@' {
				n.members = append(n.members, member{t, item})
			}
		}
	}
	n.useShort(short)
	return n
}

func (n *node) useShort(short map[string]*loose.Value) {
	if id := short["id"]; id != nil && n.id == "" && id.Kind == loose.String {
		n.id = id.Text
		n.forget("id")
	}
	if kind := short["type"]; kind != nil && n.types == nil && typesOf(kind) != nil {
		n.types = typesOf(kind)
		n.forget("type")
	}
}

func (n *node) forget(name string) {
	n.members = slices.DeleteFunc(n.members, func(m member) bool { return m.name == name })
}

// maxTypes is how many types a thing has at most.
const maxTypes = 16

func typesOf(v *loose.Value) (types []string) {
	items := v.Items
	if v.Kind == loose.String {
		items = []loose.Value{*v}
	}
	for i := range items {
		if len(types) == maxTypes {
			break
		}
		if name := bare(items[i].Text); name != "" && items[i].Kind == loose.String && !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	return types
}

// entity reads an object whose scope is c. It returns nil for one that says
// nothing, and a stand-in for one that only names another.
func (r *reader) entity(v *loose.Value, c *scope, place string) *graph.Entity {
	n := r.sorted(v, c)
	key, id := r.idOf(n.id)
	if n.graph != nil {
		r.top(n.graph, c, join(place, n.graph.Name))
	}
	if n.included != nil {
		r.top(n.included, c, join(place, n.included.Name))
	}
	if len(n.members) == 0 && n.reverse == nil && n.nested == nil {
		if n.graph != nil || key == "" && n.types == nil {
			return nil
		}
		if key != "" {
			return r.standIn(key, id, n.types, place)
		}
	}
	e, again := r.made(key, n.types)
	if !again {
		e.ID, e.Types, e.Element, e.Place = id, n.types, r.script, place
	}
	r.fill(e, n, c, place, again)
	return e
}

// idOf returns what an @id is known by, and the address that it is; none where
// it is a label that means something in its block only.
func (r *reader) idOf(text string) (key, id string) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return "", ""
	case strings.HasPrefix(text, "_:"):
		return text, ""
	}
	id = r.page.Resolve(text)
	return id, id
}

// fewOfAnID is how many things of different types one @id may name.
const fewOfAnID = 8

// made returns the entity for a key: the one that there is with the same
// types, or a new one.
func (r *reader) made(key string, types []string) (e *graph.Entity, again bool) {
	for _, known := range r.byID[key] {
		if types != nil && slices.Equal(known.Types, types) {
			return known, true
		}
	}
	e = &graph.Entity{Source: graph.JSONLD}
	r.all = append(r.all, e)
	switch {
	case key == "":
	case types == nil:
		if r.untyped[key] == nil {
			r.untyped[key] = e
		}
	case len(r.byID[key]) < fewOfAnID:
		r.byID[key] = append(r.byID[key], e)
	}
	return e, false
}

func (r *reader) fill(e *graph.Entity, n node, c *scope, place string, again bool) {
	for _, m := range n.members {
		at := join(place, m.value.Name)
		if m.reverse {
			r.turned(e, m.name, m.value, c, at)
			continue
		}
		values := r.values(nil, m.value, m.term, c, at)
		if again {
			values = r.news(e.Get(m.name), values)
		}
		e.Add(m.name, values...)
	}
	if n.reverse != nil && n.reverse.Kind == loose.Object {
		for i := range n.reverse.Items {
			m := &n.reverse.Items[i]
			r.turned(e, c.meaning(m.Name).name, m, c, join(join(place, "@reverse"), m.Name))
		}
	}
	if n.nested != nil && n.nested.Kind == loose.Object {
		r.fill(e, r.sorted(n.nested, c), c, join(place, "@nest"), again)
	}
}

// turned reads things that have e as a value of theirs, which makes them roots.
func (r *reader) turned(e *graph.Entity, name string, v *loose.Value, c *scope, place string) {
	if name == "" || name[0] == '@' {
		return
	}
	for _, value := range r.values(nil, v, term{name: name}, c, place) {
		if value.Entity != nil && value.Entity != e {
			value.Entity.Add(name, graph.Value{Kind: graph.Thing, Entity: e, Element: r.script, Place: e.Place})
			r.root(value.Entity)
		}
	}
}
