package schema

import (
	"encoding/json"
	"maps"
	"slices"
)

// form is what the value of a keyword looks like, as far as the walk has to
// know; the rest is for the metaschema to judge.
type form uint8

const (
	formSchema       form = iota + 1 // one subschema
	formSchemaList                   // an array of subschemas
	formSchemaOrList                 // either
	formSchemaMap                    // an object whose members are subschemas
	formPatternMap                   // the same, its names are regular expressions
	formDependencies                 // an object of subschemas or arrays of names
	formNames                        // an array of strings
	formNamesMap                     // an object of arrays of strings
	formTypes                        // a string or an array of strings
	formCount                        // a non-negative integer
	formPattern                      // a regular expression
	formEnum                         // an array of any values
)

type keyword struct {
	name  string
	form  form
	since int // the first draft that has it
}

// keywordTable lists the keywords the walk looks into. Names that a draft
// does not know are nothing to it. The drafts: json-schema.org/specification-links.
var keywordTable = [...]keyword{
	{"additionalItems", formSchema, 4},
	{"additionalProperties", formSchema, 4},
	{"allOf", formSchemaList, 4},
	{"anyOf", formSchemaList, 4},
	{"definitions", formSchemaMap, 4},
	{"dependencies", formDependencies, 4},
	{"enum", formEnum, 4},
	{"items", formSchemaOrList, 4},
	{"maxItems", formCount, 4},
	{"maxLength", formCount, 4},
	{"maxProperties", formCount, 4},
	{"minItems", formCount, 4},
	{"minLength", formCount, 4},
	{"minProperties", formCount, 4},
	{"not", formSchema, 4},
	{"oneOf", formSchemaList, 4},
	{"pattern", formPattern, 4},
	{"patternProperties", formPatternMap, 4},
	{"properties", formSchemaMap, 4},
	{"required", formNames, 4},
	{"type", formTypes, 4},
	{"contains", formSchema, 6},
	{"propertyNames", formSchema, 6},
	{"else", formSchema, 7},
	{"if", formSchema, 7},
	{"then", formSchema, 7},
	{"$defs", formSchemaMap, 2019},
	{"contentSchema", formSchema, 2019},
	{"dependentRequired", formNamesMap, 2019},
	{"dependentSchemas", formSchemaMap, 2019},
	{"maxContains", formCount, 2019},
	{"minContains", formCount, 2019},
	{"unevaluatedItems", formSchema, 2019},
	{"unevaluatedProperties", formSchema, 2019},
	{"prefixItems", formSchemaList, 2020},
}

// keyword looks into one keyword of the subschema n: it checks what must hold
// before the library may see it, and walks the subschemas in it.
func (w *walk) keyword(n *node, k keyword, v any) *placed {
	at := join(n.at, k.name)
	switch k.form {
	case formSchema:
		return w.subschema(v, at, n)
	case formSchemaList:
		return w.list(v, at, n)
	case formSchemaOrList:
		if _, ok := v.([]any); ok {
			return w.list(v, at, n)
		}
		return w.subschema(v, at, n)
	case formSchemaMap:
		return w.members(v, at, n, nil)
	case formPatternMap:
		return w.members(v, at, n, w.pattern)
	case formDependencies:
		return w.dependencies(v, at, n)
	case formPattern:
		return w.patternValue(v, at)
	default:
		return w.plain(k.form, v, at)
	}
}

// plain handles the keywords that hold no subschema.
func (w *walk) plain(f form, v any, at string) *placed {
	switch f {
	case formNames:
		return w.names(v, at)
	case formNamesMap:
		return w.namesMap(v, at)
	case formTypes:
		if _, ok := v.(string); ok {
			return nil
		}
		return w.names(v, at)
	case formCount:
		return checkCount(v, at)
	case formEnum:
		return w.enum(v, at)
	}
	return nil
}

func (w *walk) list(v any, at string, n *node) *placed {
	arr, _ := v.([]any)
	for i, v := range arr {
		if bad := w.subschema(v, joinIndex(at, i), n); bad != nil {
			return bad
		}
	}
	return nil
}

// members walks the subschemas of an object; name, if not nil, checks names.
func (w *walk) members(v any, at string, n *node, name func(text, at string) *placed) *placed {
	obj, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		at := join(at, key)
		if name != nil {
			if bad := name(key, at); bad != nil {
				return bad
			}
		}
		if bad := w.subschema(obj[key], at, n); bad != nil {
			return bad
		}
	}
	return nil
}

func (w *walk) dependencies(v any, at string, n *node) *placed {
	obj, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		at := join(at, key)
		var bad *placed
		if _, ok := obj[key].([]any); ok {
			bad = w.names(obj[key], at)
		} else {
			bad = w.subschema(obj[key], at, n)
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

// names checks an array of strings. The metaschemas want such arrays to have
// unique items, and the library's test for that is quadratic for arrays of
// arrays made to collide: such an array must not reach it.
func (w *walk) names(v any, at string) *placed {
	arr, ok := v.([]any)
	if !ok {
		return placedf(at, "must be an array of strings")
	}
	for i, v := range arr {
		if _, ok := v.(string); !ok {
			return placedf(joinIndex(at, i), "must be a string")
		}
	}
	return w.countKeywords(len(arr))
}

func (w *walk) namesMap(v any, at string) *placed {
	obj, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		if bad := w.names(obj[key], join(at, key)); bad != nil {
			return bad
		}
	}
	return nil
}

// checkCount refuses what the library would cut to 64 bits without a word.
func checkCount(v any, at string) *placed {
	n, ok := v.(json.Number)
	if !ok {
		return placedf(at, "must be an integer")
	}
	switch d := toDecimal(string(n)); {
	case !d.isInteger() || d.neg:
		return placedf(at, "must be an integer that is not negative")
	case d.exceeds(maxInteger):
		return placedf(at, "must be at most %d", int64(maxInteger))
	}
	return nil
}

func (w *walk) enum(v any, at string) *placed {
	arr, _ := v.([]any)
	if len(arr) > maxEnum {
		return placedf(at, "has %d members, the most is %d", len(arr), maxEnum)
	}
	nested := 0
	for _, v := range arr {
		switch v.(type) {
		case map[string]any, []any:
			nested++
		}
	}
	if nested > maxEnumObjects {
		return placedf(at, "has %d members that are objects or arrays, the most is %d", nested, maxEnumObjects)
	}
	return nil
}

func (w *walk) patternValue(v any, at string) *placed {
	text, ok := v.(string)
	if !ok {
		return placedf(at, "must be a string")
	}
	return w.pattern(text, at)
}
