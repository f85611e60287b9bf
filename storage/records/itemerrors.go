package records

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/schema"
)

// maxTold bounds what the errors of a push repeat of its items and of the schema, in
// bytes, but for the first error of each item.
const maxTold = 1 << 20

// violations tells those of items.
type violations struct {
	schema json.RawMessage
	doc    any // the same, once it is needed
	told   int // bytes
}

// addTo adds what tells a violation to the errors of an item, while there is room: one of
// each property that is missing, or must not be there.
func (t *violations) addTo(all []ItemError, v schema.Violation) []ItemError {
	e := ItemError{
		InstancePath: v.Instance, SchemaPath: "/items" + v.Keyword, Keyword: v.Keyword[strings.LastIndexByte(v.Keyword, '/')+1:],
		Message: v.Message,
	}
	name, properties := "missingProperty", v.Missing
	if len(v.Extra) > 0 {
		name, properties = "additionalProperty", v.Extra
	}
	for _, property := range properties {
		e.Params = map[string]any{name: property}
		before := len(all)
		if all = t.add(all, e, len(property)); len(all) == before {
			break // there is no room for more
		}
	}
	if len(properties) > 0 {
		return all
	}
	size := 0
	if d := v.Duplicates; len(d) == 2 {
		e.Params = map[string]any{"i": d[1], "j": d[0]}
	} else {
		e.Params, size = t.about(v.Keyword, e.Keyword)
	}
	return t.add(all, e, size)
}

// add adds an error whose parameters have a size.
func (t *violations) add(all []ItemError, e ItemError, size int) []ItemError {
	if len(all) > 0 && (t.told >= maxTold || len(all) >= maxItemErrors) {
		return all
	}
	t.told += len(e.InstancePath) + len(e.SchemaPath) + len(e.Message) + size
	return append(all, e)
}

// about is what a keyword at a JSON Pointer is about, and its size; nothing once too much
// has been told.
func (t *violations) about(pointer, keyword string) (params map[string]any, size int) {
	if t.doc == nil {
		d := json.NewDecoder(bytes.NewReader(t.schema))
		d.UseNumber()
		if d.Decode(&t.doc) != nil {
			t.doc = map[string]any{}
		}
	}
	value, ok := valueAt(t.doc, pointer)
	if !ok || t.told >= maxTold {
		return map[string]any{}, 0
	}
	if params = paramsOf(keyword, value); len(params) > 0 {
		text, _ := json.Marshal(value) // it was JSON
		size = len(text)
	}
	return params, size
}

// comparisons are those that a number has failed.
var comparisons = map[string]string{"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}

// paramsOf are what a keyword of a value is about, by the names that public validators
// give them.
func paramsOf(keyword string, value any) map[string]any {
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

// valueAt is what a JSON Pointer leads to, if to anything.
func valueAt(doc any, pointer string) (any, bool) {
	rest, ok := strings.CutPrefix(pointer, "/")
	for ok {
		var token string
		token, rest, ok = strings.Cut(rest, "/")
		switch in := doc.(type) {
		case map[string]any:
			member, there := in[unescaped.Replace(token)]
			if !there {
				return nil, false
			}
			doc = member
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(in) {
				return nil, false
			}
			doc = in[i]
		default:
			return nil, false
		}
	}
	return doc, true
}
