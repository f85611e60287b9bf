package records

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/schema"
)

// itemErrors tells a violation of a schema; one of each property that is missing, or must
// not be there.
func itemErrors(of json.RawMessage, v schema.Violation) []ItemError {
	e := ItemError{
		InstancePath: v.Instance, SchemaPath: "/items" + v.Keyword, Keyword: v.Keyword[strings.LastIndexByte(v.Keyword, '/')+1:],
		Params: map[string]any{}, Message: v.Message,
	}
	name, properties := "missingProperty", v.Missing
	if len(v.Extra) > 0 {
		name, properties = "additionalProperty", v.Extra
	}
	var all []ItemError
	for _, property := range properties {
		e.Params = map[string]any{name: property}
		all = append(all, e)
	}
	if all != nil {
		return all
	}
	if d := v.Duplicates; len(d) == 2 {
		e.Params = map[string]any{"i": d[1], "j": d[0]}
	} else if value := valueAt(of, v.Keyword); value != nil {
		e.Params = paramsOf(e.Keyword, value)
	}
	return []ItemError{e}
}

// comparisons are those that a number has failed.
var comparisons = map[string]string{"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}

// paramsOf are what a keyword of a value is about, by the names that public validators
// give them.
func paramsOf(keyword string, value json.RawMessage) map[string]any {
	switch keyword {
	case "type", "format", "pattern", "multipleOf":
		return map[string]any{keyword: value}
	case "enum":
		return map[string]any{"allowedValues": value}
	case "const":
		return map[string]any{"allowedValue": value}
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum":
		return map[string]any{"comparison": comparisons[keyword], "limit": value}
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return map[string]any{"limit": value}
	}
	return map[string]any{}
}

var unescaped = strings.NewReplacer("~1", "/", "~0", "~")

// valueAt is what a JSON Pointer leads to; nil for nothing.
func valueAt(doc json.RawMessage, pointer string) json.RawMessage {
	rest, ok := strings.CutPrefix(pointer, "/")
	for ok {
		var token string
		token, rest, ok = strings.Cut(rest, "/")
		if doc = memberOf(doc, unescaped.Replace(token)); doc == nil {
			return nil
		}
	}
	return doc
}

// memberOf is a member of an object, or an element of an array; nil for none.
func memberOf(doc json.RawMessage, name string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(doc, &object) == nil {
		return object[name]
	}
	var array []json.RawMessage
	i, err := strconv.Atoi(name)
	if err != nil || json.Unmarshal(doc, &array) != nil || i < 0 || i >= len(array) {
		return nil
	}
	return array[i]
}
