package recipe

import (
	"fmt"
	"maps"
	"slices"
)

// checkInputSchema checks what the dialect of input schemas asks of one (wire-v2-stores,
// 6).
func checkInputSchema(o map[string]any) error {
	bad := func(path, problem string) error {
		return invalid("Input schema is not valid (Field %s %s)", path, problem)
	}
	if text, _ := o["title"].(string); text == "" {
		return bad("schema.title", "is required")
	}
	if o["type"] != "object" {
		return bad("schema.type", "must be equal to one of the allowed values: \"object\"")
	}
	if o["schemaVersion"] != float64(1) {
		return bad("schema.schemaVersion", "must be equal to one of the allowed values: 1")
	}
	fields, ok := o["properties"].(map[string]any)
	if !ok {
		return bad("schema.properties", "is required")
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		at := "schema.properties." + name
		if path, problem := checkField(at, fields[name]); problem != "" {
			return bad(path, problem)
		}
	}
	required, given := o["required"]
	all, ok := required.([]any)
	if given && !ok {
		return bad("schema.required", "must be array")
	}
	for i, name := range all {
		if text, ok := name.(string); !ok || fields[text] == nil {
			return bad(fmt.Sprintf("schema.required.%d", i), "must name a property of the schema")
		}
	}
	return nil
}

// needEditor are the types of fields for which it has to be said how they are edited.
var needEditor = []string{"string", "array", "object"}

var fieldTypes = append([]string{"boolean", "integer", "number"}, needEditor...)

// checkField says what is wrong with a field; the problem is empty for nothing.
func checkField(at string, schema any) (path, problem string) {
	field, ok := schema.(map[string]any)
	if !ok {
		return at, "must be object"
	}
	for _, name := range []string{"title", "description", "type"} {
		if field[name] == nil {
			return at + "." + name, "is required"
		}
	}
	kinds, ok := field["type"].([]any)
	if !ok {
		kinds = []any{field["type"]}
	}
	editor := field["editor"] != nil || field["enum"] != nil || field["resourceType"] != nil
	for _, kind := range kinds {
		text, _ := kind.(string)
		if !slices.Contains(fieldTypes, text) {
			return at + ".type", `must be equal to one of the allowed values: "string", "array", "object", "boolean", "integer", "number"`
		}
		if slices.Contains(needEditor, text) && !editor {
			return at + ".editor", "is required"
		}
	}
	return "", ""
}
