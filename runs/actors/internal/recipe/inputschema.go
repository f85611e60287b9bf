package recipe

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
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
		if path, problem := checkField("schema.properties."+name, fields[name]); problem != "" {
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

// editors are those of the types of fields; empty for one that needs none.
var editors = map[string][]string{
	"string":  {"javascript", "python", "textfield", "textarea", "select", "fileupload", "datepicker", "hidden"},
	"array":   {"json", "requestListSources", "pseudoUrls", "globs", "keyValue", "stringList", "fileupload", "select", "schemaBased", "hidden"},
	"object":  {"json", "proxy", "schemaBased", "hidden"},
	"boolean": {}, "integer": {}, "number": {},
}

const fieldTypes = `"string", "array", "object", "boolean", "integer", "number"`

// checkField says what is wrong with a field, and where; the problem is empty for
// nothing.
func checkField(at string, schema any) (path, problem string) {
	field, ok := schema.(map[string]any)
	if !ok {
		return at, "must be object"
	}
	for _, check := range []func(map[string]any) (keyword, problem string){checkTexts, checkDeprecated, checkType, checkEditor, checkSecret, checkValues} {
		if keyword, problem := check(field); problem != "" {
			return at + "." + keyword, problem
		}
	}
	parts, _ := field["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if path, problem := checkPart(at+"."+name, parts[name]); problem != "" {
			return path, problem
		}
	}
	return "", ""
}

// checkPart says what is wrong with a field of an object, which needs no editor.
func checkPart(at string, schema any) (path, problem string) {
	part, ok := schema.(map[string]any)
	if !ok {
		return at, "must be object"
	}
	if part["editor"] == nil {
		part = maps.Clone(part)
		part["editor"] = "hidden"
	}
	return checkField(at, part)
}

func checkTexts(field map[string]any) (keyword, problem string) {
	for _, name := range []string{"title", "description", "type"} {
		if field[name] == nil {
			return name, "is required"
		}
		if _, ok := field[name].(string); !ok && name != "type" {
			return name, "must be string"
		}
	}
	if _, ok := field["nullable"].(bool); field["nullable"] != nil && !ok {
		return "nullable", "must be boolean"
	}
	return "", ""
}

// checkDeprecated refuses what schemas do not have any more; those that were saved
// before keep it.
func checkDeprecated(field map[string]any) (keyword, problem string) {
	for _, name := range []string{"patternKey", "patternValue"} {
		if field[name] != nil {
			return name, "is deprecated and not supported any more"
		}
	}
	return "", ""
}

// typesOf are the types of a field.
func typesOf(field map[string]any) (types []string) {
	all, ok := field["type"].([]any)
	if !ok {
		all = []any{field["type"]}
	}
	for _, one := range all {
		text, _ := one.(string)
		types = append(types, text)
	}
	return types
}

func checkType(field map[string]any) (keyword, problem string) {
	for _, name := range typesOf(field) {
		if _, ok := editors[name]; !ok {
			return "type", "must be equal to one of the allowed values: " + fieldTypes
		}
	}
	return "", ""
}

func checkEditor(field map[string]any) (keyword, problem string) {
	types := typesOf(field)
	needed := slices.ContainsFunc(types, func(name string) bool { return len(editors[name]) > 0 })
	if field["editor"] == nil {
		if needed && field["enum"] == nil && field["resourceType"] == nil {
			return "editor", "is required"
		}
		return "", ""
	}
	editor, ok := field["editor"].(string)
	if allowed := editors[types[0]]; !ok || needed && len(types) == 1 && field["resourceType"] == nil && !slices.Contains(allowed, editor) {
		return "editor", `must be equal to one of the allowed values: "` + strings.Join(allowed, `", "`) + `"`
	}
	return "", ""
}

// checkSecret refuses secrets that cannot be sealed, and those that anybody can read.
func checkSecret(field map[string]any) (keyword, problem string) {
	if field["isSecret"] != true {
		return "", ""
	}
	if types := typesOf(field); len(types) != 1 || len(editors[types[0]]) == 0 {
		return "isSecret", "is for a string, an array or an object alone"
	}
	if field["default"] != nil {
		return "default", "is not allowed for what is secret"
	}
	return "", ""
}

// checkValues checks values that stand for those of inputs.
func checkValues(field map[string]any) (keyword, problem string) {
	if values, ok := field["enum"].([]any); field["enum"] != nil && (!ok || len(values) == 0) {
		return "enum", "must NOT have fewer than 1 items"
	}
	value := field["default"]
	if value == nil || slices.ContainsFunc(typesOf(field), func(name string) bool { return isOf(name, value) }) {
		return "", ""
	}
	return "default", "must be " + strings.Join(typesOf(field), ",")
}

func isOf(name string, value any) bool {
	switch v := value.(type) {
	case string:
		return name == "string"
	case bool:
		return name == "boolean"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	}
	return false
}
