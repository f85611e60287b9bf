package state

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/loose"
)

// maxBeside is how many members an object has at most that only holds another.
const maxBeside = 6

// unwrapped returns the objects of a list of which each holds its thing in a
// member of one name, as the node of an edge, with nothing that says something of
// the thing beside it; others as they are. It also returns where in each object it
// stands.
func unwrapped(items []loose.Value) (things []loose.Value, place string) {
	for _, name := range [...]string{"node", "attributes", "_source", "fields"} {
		if inner := within(items, name); inner != nil {
			return inner, "/" + name
		}
	}
	return items, ""
}

func within(items []loose.Value, name string) (things []loose.Value) {
	for i := range items {
		thing := items[i].Get(name)
		if thing == nil || thing.Kind != loose.Object || len(items[i].Items) > maxBeside || saysMore(&items[i], name) {
			return nil
		}
		things = append(things, loose.Value{Kind: loose.Object, Items: thing.Items})
	}
	return things
}

// saysMore reports whether what stands in an object beside a member may say
// something of the thing in it: who has a name and a price is no wrapper of its
// attributes.
func saysMore(v *loose.Value, name string) bool {
	loosely := name == "node" || name == "_source"
	return slices.ContainsFunc(v.Items, func(m loose.Value) bool {
		isScalar := m.Kind != loose.Object && m.Kind != loose.Array
		return m.Name != name && !besideThings[m.Name] && !(loosely && isScalar)
	})
}

// besideThings are the names of what wrappers have beside the thing.
var besideThings = map[string]bool{"id": true, "_id": true, "type": true, "_type": true, "__typename": true, "key": true, "links": true, "relationships": true,
	"meta": true, "metadata": true, "sys": true, "cursor": true, "sort": true, "highlight": true, "_index": true, "_score": true, "createdTime": true}

// listOf returns the list that an object stands for, or nil: {"edges": […],
// "pageInfo": {…}}.
func listOf(v *loose.Value) *loose.Value {
	for _, name := range [...]string{"edges", "nodes"} {
		if list := v.Get(name); list != nil && list.Kind == loose.Array && len(v.Items) <= maxBeside {
			return list
		}
	}
	return nil
}
