package dialect

import (
	"slices"
	"strings"
)

// geminiForm writes a schema as the object Schema of generateContent: types in
// capitals, one each, with a mark for null, and the order of the properties.
func geminiForm(o *object) *object {
	out := newObject()
	types := names(asList(o.values["type"]))
	null := slices.Contains(types, "null")
	types = slices.DeleteFunc(types, func(t string) bool { return t == "null" })
	for _, name := range o.names {
		switch v := o.values[name]; name {
		case "type", "anyOf":
		case "properties":
			if props := v.(*object); len(props.names) > 0 { // none are refused
				out.set(name, geminiProperties(out, props))
			}
		case "items":
			out.set(name, geminiForm(v.(*object)))
		case "const", "enum":
			geminiEnum(out, asList(v))
		default:
			out.set(name, v)
		}
	}
	switch {
	case len(types) == 1:
		out.set("type", strings.ToUpper(types[0]))
	case len(types) > 1:
		out = geminiTypes(out, types)
	case null:
		out.set("type", "NULL")
		null = false
	}
	if list := o.list("anyOf"); len(list) > 0 {
		out, null = geminiUnion(out, list)
	}
	if null {
		out.set("nullable", true)
	}
	return out
}

func geminiProperties(of, props *object) *object {
	out, order := newObject(), []any{}
	for _, name := range props.names {
		out.set(name, geminiForm(props.values[name].(*object)))
		order = append(order, name)
	}
	if len(order) > 1 {
		of.set("propertyOrdering", order)
	}
	return out
}

// geminiEnum writes the texts that are allowed; null has a mark of its own.
func geminiEnum(out *object, list []any) {
	var all []any
	for _, v := range list {
		if v != nil {
			all = append(all, v)
		}
	}
	if len(all) > 0 {
		out.set("enum", all)
	}
	if len(all) < len(list) {
		out.set("nullable", true)
	}
}

// geminiTypes writes several types as alternatives, each with the keywords that
// are about it.
func geminiTypes(o *object, types []string) *object {
	about := map[string][]string{
		"object": {"properties", "required", "propertyOrdering", "minProperties", "maxProperties"}, "array": {"items", "minItems", "maxItems"},
		"string": {"enum", "format", "pattern", "minLength", "maxLength"}, "number": {"minimum", "maximum"}, "integer": {"minimum", "maximum"},
	}
	var all []any
	for _, t := range types {
		alternative := newObject("type", strings.ToUpper(t))
		for _, name := range about[t] {
			if v, ok := o.get(name); ok {
				alternative.set(name, v)
			}
		}
		all = append(all, alternative)
	}
	return described(o, all)
}

// geminiUnion writes alternatives; null has a mark instead. Nothing may stand
// beside them: what is said of all stands at the first.
func geminiUnion(o *object, list []any) (_ *object, null bool) {
	var all []any
	for _, v := range list {
		if one := v.(*object); one.text("type") == "null" {
			null = true
		} else {
			all = append(all, geminiForm(one))
		}
	}
	switch {
	case len(all) == 0:
		return newObject("type", "NULL"), false
	case len(all) == 1:
		out := all[0].(*object).clone()
		about(out, o)
		return out, null
	case null:
		all = append(all, newObject("type", "NULL"))
	}
	return described(o, all), false
}

func described(o *object, all []any) *object {
	first := all[0].(*object).clone()
	about(first, o)
	all[0] = first
	return newObject("anyOf", all)
}

// about puts the title and description of o before those of a schema.
func about(to, o *object) {
	for _, name := range []string{"title", "description"} {
		if text := o.text(name); text != "" {
			to.set(name, text+prefixed(" ", to.text(name)))
		}
	}
}
