package functions

import (
	"bytes"
	"encoding/json"
	"slices"
)

// The schema of a published function is made for what comes out of its parser:
// properties with a default are required there. Who invokes it leaves them out, and
// they are filled in (DECISIONS 27).

// The keywords of JSON Schema below which schemas stand.
var (
	schemaKeywords     = []string{"items", "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties", "contains", "propertyNames", "not", "if", "then", "else"}
	schemaListKeywords = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	schemaMapKeywords  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)

// relax returns a schema in which no property with a default is required. What is
// no JSON is returned as it is.
func relax(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte(`"default"`)) {
		return raw
	}
	node, err := decodeNumbers(raw)
	if err != nil {
		return raw
	}
	relaxNode(node)
	out, err := json.Marshal(node)
	if err != nil {
		return raw
	}
	return out
}

// decodeNumbers decodes JSON whose numbers stay as they are written.
func decodeNumbers(raw []byte) (node any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&node)
	return node, err
}

func relaxNode(node any) {
	o, ok := node.(map[string]any)
	if !ok {
		return
	}
	if required, ok := o["required"].([]any); ok {
		o["required"] = slices.DeleteFunc(required, func(name any) bool { return hasDefault(o, name) })
	}
	for _, name := range schemaKeywords {
		relaxNode(o[name])
	}
	for _, name := range schemaListKeywords {
		all, _ := o[name].([]any)
		for _, one := range all {
			relaxNode(one)
		}
	}
	for _, name := range schemaMapKeywords {
		all, _ := o[name].(map[string]any)
		for _, one := range all {
			relaxNode(one)
		}
	}
}

func hasDefault(o map[string]any, name any) bool {
	properties, _ := o["properties"].(map[string]any)
	text, _ := name.(string)
	property, _ := properties[text].(map[string]any)
	_, ok := property["default"]
	return ok
}

// fill returns parameters in which the properties that are missing have their
// defaults.
func fill(schema, params json.RawMessage) json.RawMessage {
	if !bytes.Contains(schema, []byte(`"default"`)) {
		return params
	}
	node, err := decodeNumbers(schema)
	if err != nil {
		return params
	}
	value, err := decodeNumbers(params)
	if err != nil {
		return params
	}
	fillNode(node, value)
	out, err := encode(value)
	if err != nil {
		return params
	}
	return out
}

func fillNode(node, value any) {
	o, ok := node.(map[string]any)
	if !ok {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		properties, _ := o["properties"].(map[string]any)
		for name, property := range properties {
			p, _ := property.(map[string]any)
			if _, there := v[name]; !there {
				if standard, ok := p["default"]; ok {
					v[name] = standard
				}
				continue
			}
			fillNode(property, v[name])
		}
	case []any:
		for _, one := range v {
			fillNode(o["items"], one)
		}
	}
	all, _ := o["allOf"].([]any)
	for _, one := range all {
		fillNode(one, value)
	}
}
