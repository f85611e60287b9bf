package state

import (
	"strconv"

	"github.com/drover-go/drover/fetch/extract/internal/loose"
)

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
