package scripts

import (
	"slices"
	"strconv"

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
		things = nil
		for i := range items {
			thing := items[i].Get(name)
			if thing == nil || thing.Kind != loose.Object || len(items[i].Items) > maxBeside || saysMore(&items[i], name) {
				break
			}
			things = append(things, loose.Value{Kind: loose.Object, Items: thing.Items})
		}
		if len(things) == len(items) && len(items) > 0 {
			return things, "/" + name
		}
	}
	return items, ""
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

// devalue puts together what is written flat: an array of values in which
// objects and arrays hold the numbers of their values, as the package devalue
// writes it, up to so many values. It returns what is no such thing as it is.
func devalue(v loose.Value, left int) loose.Value {
	if v.Kind != loose.Array || len(v.Items) < 2 || v.Items[0].Kind != loose.Array && v.Items[0].Kind != loose.Object {
		return v
	}
	flat, open := v.Items, map[int]bool{} // the values around one, for they may hold each other in a circle
	var at func(i, depth int) loose.Value
	at = func(i, depth int) loose.Value {
		if i < 0 || i >= len(flat) || open[i] || depth > maxDepth || left <= 0 {
			return loose.Value{}
		}
		left--
		v := flat[i]
		items := v.Items
		open[i] = true
		defer delete(open, i)
		if v.Kind == loose.Array && len(items) > 0 && items[0].Kind == loose.String {
			if inner, ok := number(items[len(items)-1]); ok && len(items) == 2 { // ["Reactive", 5]
				return at(inner, depth)
			}
			items = items[1:] // ["Set", 1, 2]
		}
		whole := loose.Value{Kind: v.Kind, Text: v.Text}
		for _, item := range items {
			if n, ok := number(item); ok && left > 0 {
				one := at(n, depth+1)
				one.Name = item.Name
				whole.Items = append(whole.Items, one)
			}
		}
		return whole
	}
	return at(0, 0)
}

func number(v loose.Value) (int, bool) {
	n, err := strconv.Atoi(v.Text)
	return n, err == nil && v.Kind == loose.Number
}
