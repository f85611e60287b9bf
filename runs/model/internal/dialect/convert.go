package dialect

import (
	"fmt"
	"slices"
	"strconv"
)

// A converter writes one schema.
type converter struct {
	rules      *rules
	refs       map[*object]*object
	inside     map[*object]bool // schemas that are being written
	steps      int
	properties int
	over       bool // there was too much
	why        string
	changes    []Change
}

// loosen notes what stands against the strict mode.
func (c *converter) loosen(why string) {
	if c.rules.strict && c.why == "" {
		c.why = why
	}
}

func (c *converter) changed(at, format string, args ...any) {
	if len(c.changes) < maxChanges {
		c.changes = append(c.changes, Change{at, fmt.Sprintf(format, args...)})
	}
}

// node writes a subschema that is nested levels deep in objects and arrays.
func (c *converter) node(v any, at string, levels int) *node {
	if c.over {
		return &node{sent: newObject()}
	}
	o, ok := v.(*object)
	if !ok {
		if v == false {
			c.loosen("no value is allowed at " + at)
		}
		o = newObject()
	}
	if c.rules.maxLevels > 0 && levels > c.rules.maxLevels {
		c.loosen(fmt.Sprintf("it is nested deeper than %d levels", c.rules.maxLevels))
	}
	c.count(len(at) / 64)
	var entered []*object
	f := c.flat(o, at, &entered)
	defer c.leave(entered)
	n := &node{sent: newObject(), types: typesOf(f)}
	if f.has("$dynamicRef") || f.has("$recursiveRef") {
		c.loosen("a reference at " + at + " cannot be followed")
	}
	c.union(n, f, at, levels)
	if len(n.union) > 0 && c.rules.alone {
		c.describe(n, f, at)
		return n
	}
	if len(n.types) == 0 && c.rules.typed && len(n.union) == 0 {
		c.loosen("no type is said at " + at)
	}
	c.typed(n, f)
	c.values(n, f)
	c.object(n, f, at, levels)
	c.array(n, f, at, levels)
	c.keywords(n, f)
	c.describe(n, f, at)
	return n
}

func (c *converter) typed(n *node, f *object) {
	switch {
	case len(n.types) == 1:
		n.sent.set("type", n.types[0])
	case len(n.types) > 1:
		var all []any
		for _, t := range n.types {
			all = append(all, t)
		}
		n.sent.set("type", all)
	}
	f.drop("type")
}

// typesOf are the types that a schema says; where it says none, those that its
// other keywords are about.
func typesOf(f *object) []string {
	if types := names(asList(f.values["type"])); len(types) > 0 {
		return types
	}
	switch {
	case f.has("properties") || f.has("additionalProperties") || f.has("required") || f.has("patternProperties"):
		return []string{"object"}
	case f.has("items") || f.has("prefixItems"):
		return []string{"array"}
	case f.has("const"):
		return []string{kind(f.values["const"])}
	}
	var types []string
	for _, v := range f.list("enum") {
		if k := kind(v); !slices.Contains(types, k) {
			types = append(types, k)
		}
	}
	return types
}

// values notes which values are allowed; enum and const stand for themselves.
func (c *converter) values(n *node, f *object) {
	if v, ok := f.get("const"); ok {
		n.enum = []any{v}
	} else if list := f.list("enum"); list != nil {
		n.enum = list
	}
}

// structure are keywords that do not stand beside anyOf.
var structure = []string{"properties", "required", "additionalProperties", "patternProperties", "items", "prefixItems", "enum", "const"}

// union writes anyOf and oneOf.
func (c *converter) union(n *node, f *object, at string, levels int) {
	name := "anyOf"
	if !f.has(name) {
		name = "oneOf"
	}
	list := f.list(name)
	if len(list) == 0 {
		return
	}
	if name == "anyOf" && f.has("oneOf") || c.rules.alone && slices.ContainsFunc(structure, f.has) {
		c.loosen("other keywords stand beside " + name + " at " + at)
		if c.rules.alone {
			return // its keywords are told in words
		}
	}
	if c.rules.alone && f.has("type") {
		list = c.withTypes(list, f.values["type"])
	}
	var sent []any
	for i, sub := range list {
		branch := c.node(sub, fmt.Sprintf("%s/%s/%d", at, name, i), levels)
		n.union = append(n.union, branch)
		sent = append(sent, branch.sent)
	}
	if n.single = name == "oneOf"; n.single {
		c.changed(at, "oneOf is anyOf")
	}
	n.sent.set("anyOf", sent)
	f.drop(name)
	if c.rules.alone {
		n.types = nil
		f.drop("type")
	}
}

// withTypes gives each alternative the types that stand beside all of them.
func (c *converter) withTypes(list []any, types any) []any {
	out := make([]any, len(list))
	for i, sub := range list {
		out[i] = allOf(sub, newObject("type", types))
	}
	return out
}

// wrap makes an object of a root that is none.
func (c *converter) wrap(root *node) *node {
	c.changed("", "it stands in an object, as %s", strconv.Quote(valueMember))
	sent := newObject("type", "object", "properties", newObject(valueMember, root.sent), "required", []any{valueMember})
	if c.rules != rulesOf[Gemini] {
		sent.set("additionalProperties", false)
	}
	return &node{sent: sent, types: []string{"object"}, closed: true, props: map[string]*property{valueMember: {root, false}}}
}
