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
// writes it. It returns false for an array that is no such thing.
func devalue(v loose.Value, limit int) (loose.Value, bool) {
	if v.Kind != loose.Array || len(v.Items) < 2 || v.Items[0].Kind != loose.Array && v.Items[0].Kind != loose.Object {
		return v, false
	}
	d := devaluer{flat: v.Items, left: limit, open: map[int]bool{}}
	return d.at(0, 0), true
}

type devaluer struct {
	flat []loose.Value
	left int
	// open are the values around the one at hand, for they may hold each other
	// in a circle.
	open map[int]bool
}

func (d *devaluer) at(i, depth int) loose.Value {
	if i < 0 || i >= len(d.flat) || d.open[i] || depth > maxDepth || d.left <= 0 {
		return loose.Value{}
	}
	d.left--
	v := d.flat[i]
	if v.Kind != loose.Array && v.Kind != loose.Object {
		return v
	}
	d.open[i] = true
	defer delete(d.open, i)
	items := v.Items
	if v.Kind == loose.Array && len(items) > 0 && items[0].Kind == loose.String {
		if inner, ok := number(items[len(items)-1]); ok && len(items) == 2 { // ["Reactive", 5]
			return d.at(inner, depth)
		}
		items = items[1:] // ["Set", 1, 2]
	}
	whole := loose.Value{Kind: v.Kind}
	for _, item := range items {
		if n, ok := number(item); ok && d.left > 0 {
			one := d.at(n, depth+1)
			one.Name = item.Name
			whole.Items = append(whole.Items, one)
		}
	}
	return whole
}

func number(v loose.Value) (int, bool) {
	if v.Kind != loose.Number {
		return 0, false
	}
	n, err := strconv.Atoi(v.Text)
	return n, err == nil
}
