package schema

import (
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// expansion measures, for every subschema, the tree that it becomes when all
// edges in place are followed: how many subschemas are checked against one
// value at worst, and how deep they are nested. Thirty definitions that each
// refer twice to the next are a billion checks.
type expansion struct {
	g      *graph
	limit  int
	size   map[*jsonschema.Schema]int // 0 while being measured
	height map[*jsonschema.Schema]int
}

// expand measures g, or says what is too large.
func expand(g *graph, limit int) (*expansion, *placed) {
	e := &expansion{g: g, limit: limit, size: map[*jsonschema.Schema]int{}, height: map[*jsonschema.Schema]int{}}
	for _, s := range g.nodes {
		if bad := e.measure(s); bad != nil {
			return nil, bad
		}
	}
	return e, nil
}

func (e *expansion) measure(s *jsonschema.Schema) *placed {
	at := pointerOf(s.Location)
	switch size, known := e.size[s]; {
	case known && size == 0:
		return placedf(at, "refers to itself without going deeper into the data")
	case known:
		return nil
	}
	e.size[s] = 0
	size, height := 1, 0
	add := func(choice []*jsonschema.Schema) *placed {
		largest, tallest, bad := e.largest(choice)
		size += largest
		height = max(height, tallest)
		return bad
	}
	for _, sub := range inPlace(s) {
		if bad := add([]*jsonschema.Schema{sub}); bad != nil {
			return bad
		}
	}
	for _, choice := range e.g.chosen(s) {
		if bad := add(choice); bad != nil {
			return bad
		}
	}
	switch {
	case size > e.limit:
		return placedf(at, "expands to more than %d checks of one value", e.limit)
	case height >= maxChain:
		return placedf(at, "has more than %d subschemas inside each other that look at the same value", maxChain)
	}
	e.size[s], e.height[s] = size, height+1
	return nil
}

// largest measures the subschemas of which one will be applied.
func (e *expansion) largest(choice []*jsonschema.Schema) (size, height int, bad *placed) {
	for _, sub := range choice {
		if bad := e.measure(sub); bad != nil {
			return 0, 0, bad
		}
		size = max(size, e.size[sub])
		height = max(height, e.height[sub])
	}
	return size, height, nil
}

// tallest is the greatest depth of subschemas in place.
func (e *expansion) tallest() int {
	h := 0
	for _, v := range e.height {
		h = max(h, v)
	}
	return h
}
