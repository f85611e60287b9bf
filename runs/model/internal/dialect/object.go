package dialect

import (
	"fmt"
	"slices"
	"strconv"
)

// object writes the keywords of objects.
func (c *converter) object(n *node, f *object, at string, levels int) {
	if !slices.Contains(n.types, "object") {
		return
	}
	required := names(f.list("required"))
	n.props = map[string]*property{}
	if props := f.child("properties"); props != nil || c.rules.closed {
		n.sent.set("properties", c.propertiesOf(n, props, required, at, levels))
	}
	for _, name := range required {
		if n.props[name] == nil {
			c.loosen("a property that is required is not described at " + at)
		}
	}
	c.require(n, f, required)
	c.others(n, f, at, levels)
	f.drop("properties")
	f.drop("required")
}

func (c *converter) propertiesOf(n *node, props *object, required []string, at string, levels int) *object {
	out, needed := newObject(), set(required...)
	if props == nil {
		return out
	}
	for _, name := range props.names {
		if c.properties++; c.rules.maxProperties > 0 && c.properties > c.rules.maxProperties {
			c.loosen(fmt.Sprintf("it has more than %d properties", c.rules.maxProperties))
		}
		p := &property{c.node(props.values[name], at+"/properties/"+escape.Replace(name), levels+1), !needed[name]}
		n.props[name] = p
		sent := p.node.sent
		if p.optional && c.rules.required && !p.node.null() {
			c.changed(at, "%s is required, and null stands for nothing", strconv.Quote(name))
			sent = nullable(sent)
		}
		out.set(name, sent)
	}
	return out
}

// nullable allows null beside what a schema allows.
func nullable(sent *object) *object {
	null := newObject("type", "null")
	if list := sent.list("anyOf"); len(list) > 0 {
		out := sent.clone()
		out.set("anyOf", append(slices.Clip(list), any(null)))
		return out
	}
	if sent.has("enum") || sent.has("const") || !sent.has("type") {
		return newObject("anyOf", []any{sent, null})
	}
	out := sent.clone()
	out.set("type", append(slices.Clip(asList(sent.values["type"])), any("null")))
	return out
}

// require writes the list of required names.
func (c *converter) require(n *node, f *object, required []string) {
	all := []any{}
	switch {
	case c.rules.required:
		if props := n.sent.child("properties"); props != nil {
			for _, name := range props.names {
				all = append(all, name)
			}
		}
	case c.rules == rulesOf[Gemini]:
		for _, name := range required {
			if n.props[name] != nil { // others are a 400
				all = append(all, name)
			}
		}
	default:
		for _, name := range required {
			all = append(all, name)
		}
	}
	if len(all) > 0 || c.rules.required {
		n.sent.set("required", all)
	}
}

// others writes what is said of properties without a name.
func (c *converter) others(n *node, f *object, at string, levels int) {
	more, said := f.get("additionalProperties")
	n.closed = more == false && !f.has("patternProperties")
	if o, ok := more.(*object); ok {
		n.rest = c.node(o, at+"/additionalProperties", levels+1)
	}
	switch {
	case c.rules.closed:
		if more != false && (said || len(n.props) == 0) || f.has("patternProperties") {
			c.loosen("the object at " + at + " is open")
		}
		if !said {
			c.changed(at, "no other properties are allowed")
		}
		n.sent.set("additionalProperties", false)
		n.closed = true
	case c.rules == rulesOf[Gemini]:
		if n.rest != nil {
			c.note(f, "additionalProperties", more)
		}
	case n.rest != nil && !f.has("patternProperties"):
		n.sent.set("additionalProperties", n.rest.sent)
	case n.closed:
		n.sent.set("additionalProperties", false)
	}
	f.drop("additionalProperties")
}

// array writes the keywords of arrays. Where the first items have schemas of
// their own, nothing is said of any.
func (c *converter) array(n *node, f *object, at string, levels int) {
	if len(n.types) > 0 && !slices.Contains(n.types, "array") {
		return
	}
	items, ok := f.get("items")
	if _, list := items.([]any); list || f.has("prefixItems") {
		c.loosen("the items at " + at + " differ by their place")
		return
	}
	if ok {
		n.items = c.node(items, at+"/items", levels+1)
		n.sent.set("items", n.items.sent)
	} else if c.rules.alone && slices.Contains(n.types, "array") {
		c.loosen("nothing is said of the items at " + at)
		n.sent.set("items", newObject())
	}
	f.drop("items")
}
