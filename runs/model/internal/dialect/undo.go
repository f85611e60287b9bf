package dialect

import (
	"encoding/json"
	"slices"
)

// Undo takes what a model wrote by the schema that was sent to the form of the
// original: null for a property that the original leaves out, a root that was
// put into an object, and JSON in a text where the original wants no text. What
// does not fit stays as it is: whoever validates says what is wrong with it.
func (s *Schema) Undo(raw json.RawMessage) json.RawMessage {
	if s.root == nil {
		return raw
	}
	v, err := decode(raw, maxValue)
	if err != nil {
		return raw
	}
	u := undoer{left: maxUndo}
	var back any
	if s.wrapped {
		back = u.unwrap(s.root, v)
	} else {
		back = u.undo(s.root, v)
	}
	if u.left < 0 || !u.changed {
		return raw
	}
	return encode(back)
}

type undoer struct {
	left    int // steps
	changed bool
	exact   bool // null does not stand for what is left out
}

func (u *undoer) step() bool {
	u.left--
	return u.left >= 0
}

// unwrap takes a root out of its object; a model may have written it without.
func (u *undoer) unwrap(root *node, v any) any {
	inner := root.props[valueMember].node
	if o, ok := v.(*object); ok && len(o.names) == 1 && o.has(valueMember) {
		u.changed = true
		v = o.values[valueMember]
	}
	return u.undo(inner, v)
}

func (u *undoer) undo(n *node, v any) any {
	if n == nil || !u.step() {
		return v
	}
	if text, ok := v.(string); ok {
		return u.text(n, text)
	}
	v = u.members(n, v)
	if branch := u.branch(n, v); branch != nil {
		return u.undo(branch, v)
	}
	return v
}

// branch finds the alternative that a value is meant for: first among those that
// it fits without null in place of what is left out.
func (u *undoer) branch(n *node, v any) *node {
	for _, exact := range []bool{true, false} {
		u.exact = exact
		if i := slices.IndexFunc(n.union, func(branch *node) bool { return u.fits(branch, v) }); i >= 0 {
			u.exact = false
			return n.union[i]
		}
	}
	return nil
}

func (u *undoer) members(n *node, v any) any {
	switch v := v.(type) {
	case *object:
		return u.object(n, v)
	case []any:
		if n.items != nil {
			for i := range v {
				v[i] = u.undo(n.items, v[i])
			}
		}
	}
	return v
}

func (u *undoer) object(n *node, o *object) any {
	out := newObject()
	for _, name := range o.names {
		p := n.props[name]
		switch v := o.values[name]; {
		case p == nil:
			out.set(name, u.undo(n.rest, v))
		case v == nil && p.optional && !p.node.null():
			u.changed = true
		default:
			out.set(name, u.undo(p.node, v))
		}
	}
	return out
}

// text reads JSON out of a text where no text is wanted, but an object or a list.
func (u *undoer) text(n *node, text string) any {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' || u.fits(n, text) {
		return text
	}
	v, err := decode([]byte(text), maxValue)
	if err != nil || !u.fits(n, v) {
		return text
	}
	u.changed = true
	return u.undo(n, v)
}

// fits reports whether a value may be meant for a schema: what was written by the
// schema that was sent, or by the original.
func (u *undoer) fits(n *node, v any) bool {
	if n == nil {
		return true
	}
	if !u.step() || !typeFits(n.types, kind(v)) || n.enum != nil && !slices.ContainsFunc(n.enum, func(e any) bool { return u.same(e, v) }) {
		return false
	}
	if len(n.union) > 0 && !slices.ContainsFunc(n.union, func(branch *node) bool { return u.fits(branch, v) }) {
		return false
	}
	switch v := v.(type) {
	case *object:
		return u.objectFits(n, v)
	case []any:
		return n.items == nil || !slices.ContainsFunc(v, func(item any) bool { return !u.fits(n.items, item) })
	}
	return true
}

func (u *undoer) objectFits(n *node, o *object) bool {
	for name, p := range n.props {
		if !p.optional && !o.has(name) {
			return false
		}
	}
	for _, name := range o.names {
		p, v := n.props[name], o.values[name]
		switch {
		case p == nil && n.closed || !u.step():
			return false
		case p == nil:
			if !u.fits(n.rest, v) {
				return false
			}
		case v == nil && p.optional && !u.exact:
		case v == nil && !p.node.null(): // as where two of oneOf would allow it
			return false
		case !u.fits(p.node, v):
			return false
		}
	}
	return true
}

// same compares with a value of enum or const.
func (u *undoer) same(a, b any) bool {
	x, y := encode(a), encode(b)
	u.left -= (len(x) + len(y)) / 64
	return string(x) == string(y)
}

func typeFits(types []string, kind string) bool {
	return len(types) == 0 || slices.Contains(types, kind) || kind == "integer" && slices.Contains(types, "number")
}
