package dialect

import (
	"bytes"
	"slices"
)

// flat returns the keywords of a schema together with those of what it refers to
// and of its allOf. What it enters on the way is noted in entered, so that a
// schema within itself is seen.
func (c *converter) flat(o *object, at string, entered *[]*object) *object {
	out := newObject()
	if !c.enter(o, entered) {
		if !c.over {
			c.loosen("it refers to itself at " + at)
		}
		if t, ok := o.get("type"); ok {
			out.set("type", t)
		}
		out.set("description", "Of the same form as what it is in."+prefixed(" ", o.text("description")))
		return out
	}
	for _, name := range o.names {
		if name != "$ref" && name != "allOf" {
			out.set(name, o.values[name])
		}
	}
	if o.has("$ref") {
		if target := c.refs[o]; target != nil {
			c.merge(out, c.flat(target, at, entered), at)
		} else {
			c.loosen("a reference at " + at + " leads nowhere")
		}
	}
	for _, sub := range o.list("allOf") {
		switch sub := sub.(type) {
		case *object:
			c.merge(out, c.flat(sub, at, entered), at)
		case bool:
			if !sub {
				c.loosen("no value is allowed at " + at)
			}
		}
	}
	return out
}

// enter notes that a schema is being written; false if it already is, or if too
// much has been.
func (c *converter) enter(o *object, entered *[]*object) bool {
	if c.count(1); c.over || c.inside[o] {
		return false
	}
	c.inside[o] = true
	*entered = append(*entered, o)
	return true
}

// count bounds the work.
func (c *converter) count(steps int) {
	if c.steps += steps; c.steps > maxSteps {
		c.over = true
	}
}

// same reports whether two values are written the same.
func (c *converter) same(a, b any) bool {
	if x, ok := a.(*object); ok && x == b {
		return true
	}
	if c.over {
		return false
	}
	x, y := encode(a), encode(b)
	c.count((len(x) + len(y)) / 16)
	return bytes.Equal(x, y)
}

func (c *converter) leave(entered []*object) {
	for _, o := range entered {
		delete(c.inside, o)
	}
}

// merge adds the keywords of src to dst, for values that satisfy both. Where both
// cannot be said at once, dst's stand and src's are told in words.
func (c *converter) merge(dst, src *object, at string) {
	for _, name := range src.names {
		theirs := src.values[name]
		ours, both := dst.get(name)
		switch {
		case !both && name != notesMember:
			dst.set(name, theirs)
		case silent[name] || name == "title" || name == notesMember || c.same(ours, theirs):
		case name == "properties":
			dst.set(name, c.bothProperties(ours, theirs))
		case name == "required":
			dst.set(name, union(ours, theirs))
		case name == "type":
			dst.set(name, common(ours, theirs))
		case name == "additionalProperties" && (ours == false || theirs == false):
			dst.set(name, false)
		case name == "items" || name == "additionalProperties":
			dst.set(name, allOf(ours, theirs))
		default:
			if name == "anyOf" || name == "oneOf" || name == "patternProperties" {
				c.loosen("two of " + name + " at " + at + " count at once")
			}
			c.note(dst, name, theirs)
		}
	}
	if notes := src.list(notesMember); notes != nil {
		dst.set(notesMember, append(slices.Clip(dst.list(notesMember)), notes...))
	}
}

func allOf(a, b any) *object { return newObject("allOf", []any{a, b}) }

// bothProperties has the properties of both; one that is in both satisfies both.
func (c *converter) bothProperties(a, b any) any {
	ours, ok := a.(*object)
	theirs, ok2 := b.(*object)
	if !ok || !ok2 {
		return a
	}
	c.count(len(ours.names) + len(theirs.names))
	out := ours.clone()
	for _, name := range theirs.names {
		v := theirs.values[name]
		if mine, ok := out.get(name); ok && !c.same(mine, v) {
			v = allOf(mine, v)
		}
		out.set(name, v)
	}
	return out
}

// union has the names of both lists.
func union(a, b any) any {
	all, seen := []any{}, map[string]bool{}
	for _, name := range append(names(asList(a)), names(asList(b))...) {
		if !seen[name] {
			all, seen[name] = append(all, name), true
		}
	}
	return all
}

// common are the types that are in both.
func common(a, b any) any {
	out := []any{}
	theirs := names(asList(b))
	for _, t := range names(asList(a)) {
		switch {
		case slices.Contains(theirs, t):
			out = append(out, t)
		case t == "number" && slices.Contains(theirs, "integer"):
			out = append(out, "integer")
		case t == "integer" && slices.Contains(theirs, "number"):
			out = append(out, t)
		}
	}
	return out
}

// asList is a list, or one of what is none.
func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	}
	return []any{v}
}

// names are the strings of a list.
func names(list []any) []string {
	var all []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}
