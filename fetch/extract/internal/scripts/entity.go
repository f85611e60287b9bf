package scripts

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/loose"
	"github.com/drover-go/drover/fetch/extract/internal/page"
)

// blank begins the names of things that mean something in their block only.
const blank = "_:"

// linked reads an object of JSON-LD. It returns nil for one that says nothing, and
// for one that only names another a stand-in without fields, until all blocks
// have been read.
func (r *reader) linked(v *loose.Value, place string) *graph.Entity {
	e := &graph.Entity{Source: graph.JSONLD, Element: r.script, Place: place}
	isTop := false
	var members []*loose.Value
	hasID, hasType := v.Get("@id") != nil, v.Get("@type") != nil
	for i := range v.Items {
		r.page.Meter.Step(1)
		switch item := &v.Items[i]; meaning(item, hasID, hasType) {
		case "@id":
			if e.ID = strings.TrimSpace(item.Text); !strings.HasPrefix(e.ID, blank) {
				e.ID = r.page.Resolve(e.ID)
			}
		case "@type":
			e.Types = typesOf(item)
		case "@graph", "@included":
			isTop = true
			r.add(item, graph.Join(place, item.Name))
		default:
			if item.Name != "" && item.Name[0] != '@' {
				members = append(members, item)
			}
		}
	}
	if len(members) == 0 && (isTop || e.ID == "" && e.Types == nil) {
		return nil
	}
	if len(members) == 0 && e.ID != "" {
		return e
	}
	e = r.known(e)
	known := map[string]bool{} // the fields that another object has given it
	for _, m := range members {
		if name := bare(m.Name); len(e.Get(name)) > 0 {
			known[name] = true
		}
	}
	for _, m := range members {
		name := bare(m.Name)
		if values := r.values(nil, m, name, graph.Join(place, m.Name), 0); !known[name] {
			e.Add(name, values...)
		}
	}
	return e
}

// meaning returns what a member of an object means. The short forms id and type
// count where the long ones are missing, as schema.org defines them.
func meaning(member *loose.Value, hasID, hasType bool) string {
	name := bare(member.Name)
	if !hasID && name == "id" && member.Kind == loose.String || !hasType && name == "type" && typesOf(member) != nil {
		return "@" + name
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

// bare returns a name or a type without its vocabulary; keywords stay.
func bare(name string) string {
	if strings.HasPrefix(name, "@") {
		return strings.ToLower(name)
	}
	return page.Bare(name)
}

// fewOfAnID is how many things of different types one @id may name.
const fewOfAnID = 8

// known returns the entity that there is with the same @id and types, or the new
// one. What was said of one first counts.
func (r *reader) known(e *graph.Entity) *graph.Entity {
	for _, old := range r.byID[e.ID] {
		if e.Types != nil && slices.Equal(old.Types, e.Types) {
			return old
		}
	}
	r.all = append(r.all, e)
	if e.ID != "" && len(r.byID[e.ID]) < fewOfAnID {
		r.byID[e.ID] = append(r.byID[e.ID], e)
	}
	return e
}

// link puts the things in the place of what stands for them. A thing that no
// block describes becomes an address, unless at least its type is known.
func (r *reader) link() {
	for _, e := range r.all {
		for _, f := range e.Fields {
			for i := range f.Values {
				r.page.Meter.Step(1)
				switch v := &f.Values[i]; {
				case v.Entity == nil:
				case r.named(v.Entity) != nil:
					v.Entity = r.named(v.Entity)
				case strings.HasPrefix(v.Entity.ID, blank):
					v.Entity.ID = ""
				case len(v.Entity.Types) == 0:
					*v = graph.Value{Kind: graph.URL, Text: v.Entity.ID, Element: v.Element, Place: v.Place}
				}
			}
		}
	}
	roots := r.roots
	r.roots = nil
	for _, e := range roots {
		if e = r.named(e); e != nil {
			r.root(e)
		}
	}
	for _, e := range r.all {
		if strings.HasPrefix(e.ID, blank) {
			e.ID = ""
		}
	}
}

// named returns the thing that a stand-in names: one of a type that is wanted, else
// the first that has a type, else the first; and other things as they are.
func (r *reader) named(e *graph.Entity) (best *graph.Entity) {
	if e.ID == "" || len(e.Fields) > 0 {
		return e
	}
	for _, known := range r.byID[e.ID] {
		if known.Is(e.Types...) {
			return known
		}
		if best == nil || len(best.Types) == 0 && len(known.Types) > 0 {
			best = known
		}
	}
	return best
}
