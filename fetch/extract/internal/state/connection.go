package state

import (
	"slices"

	"github.com/drover-go/drover/fetch/extract/internal/loose"
)

// wrappers are names of what an object of a list holds its thing in: the node of
// an edge, the attributes of a record.
var wrappers = []string{"node", "attributes", "_source", "fields"}

// lists are names of the list in an object that stands for it, with counts and
// pages beside it.
var lists = []string{"edges", "nodes"}

// unwrapped returns the objects of a list of which each holds its thing in a
// member of one name, with nothing but texts and numbers beside it; others as
// they are. It also returns where in each object it stands.
func unwrapped(items []loose.Value) (things []loose.Value, place string) {
	for _, name := range wrappers {
		if inner := within(items, name); inner != nil {
			return inner, "/" + name
		}
	}
	return items, ""
}

func within(items []loose.Value, name string) []loose.Value {
	if len(items) == 0 {
		return nil
	}
	inner := make([]loose.Value, 0, len(items))
	for i := range items {
		at := memberOf(&items[i], name)
		if at < 0 || items[i].Items[at].Kind != loose.Object || len(items[i].Items) > maxBeside || !isWrapper(&items[i], name) {
			return nil
		}
		thing := items[i].Items[at]
		thing.Name = ""
		inner = append(inner, thing)
	}
	return inner
}

// isWrapper reports whether what stands in an object beside a member says nothing
// of the thing in it: who has a name and a price is no wrapper of its attributes.
func isWrapper(v *loose.Value, name string) bool {
	loosely := name == "node" || name == "_source"
	return !slices.ContainsFunc(v.Items, func(m loose.Value) bool {
		isScalar := m.Kind != loose.Object && m.Kind != loose.Array
		return m.Name != name && !besideThings[m.Name] && !(loosely && isScalar)
	})
}

// besideThings are the names of what wrappers have beside the thing.
var besideThings = map[string]bool{"id": true, "_id": true, "type": true, "_type": true, "__typename": true, "key": true, "links": true, "relationships": true,
	"meta": true, "metadata": true, "sys": true, "cursor": true, "sort": true, "highlight": true, "_index": true, "_score": true, "createdTime": true}

// maxBeside is how many members an object has at most that only holds another.
const maxBeside = 6

func memberOf(v *loose.Value, name string) int {
	if v.Kind != loose.Object {
		return -1
	}
	return slices.IndexFunc(v.Items, func(m loose.Value) bool { return m.Name == name })
}

// listOf returns the list that an object stands for, or nil: {"edges": […],
// "pageInfo": {…}}.
func listOf(v *loose.Value) *loose.Value {
	if len(v.Items) > maxBeside {
		return nil
	}
	for _, name := range lists {
		if at := memberOf(v, name); at >= 0 && v.Items[at].Kind == loose.Array {
			return &v.Items[at]
		}
	}
	return nil
}
