package dialect

import "slices"

// A node is a subschema in a dialect, with what is needed to take values back.
type node struct {
	sent  *object
	types []string // that are allowed; none: any
	enum  []any    // the values of enum or const; nil: any
	props map[string]*property
	// closed says that no other properties may be there; rest is the schema of
	// those; nil: none is known.
	closed bool
	rest   *node
	items  *node   // nil: none is known
	union  []*node // of which one has to fit; none: nothing said
	single bool    // in the original no second one may
}

type property struct {
	node     *node
	optional bool // in the original
}

// onlyObject reports whether objects alone are allowed, and providers take it
// for a root.
func (n *node) onlyObject() bool {
	return slices.Equal(n.types, []string{"object"}) && len(n.union) == 0 && n.enum == nil && n.sent.text("type") == "object"
}

// null reports whether the original allows null.
func (n *node) null() bool {
	if len(n.types) > 0 && !slices.Contains(n.types, "null") || n.enum != nil && !slices.Contains(n.enum, nil) {
		return false
	}
	allow := 0
	for _, branch := range n.union {
		if branch.null() {
			allow++
		}
	}
	return len(n.union) == 0 || allow == 1 || allow > 1 && !n.single
}
