package records

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/drover-go/drover/internal/schema"
)

// addErrors adds what tells a violation, while there is room: one error of each property
// that is missing, or must not be there.
func (k *keywordParams) addErrors(all []ItemError, v schema.Violation) []ItemError {
	e := ItemError{
		InstancePath: v.Instance, SchemaPath: "/items" + v.Keyword, Keyword: v.Keyword[strings.LastIndexByte(v.Keyword, '/')+1:],
		Message: v.Message,
	}
	name, properties := "missingProperty", v.Missing
	if len(v.Extra) > 0 {
		name, properties = "additionalProperty", v.Extra
	}
	room := max(maxItemErrors-len(all), 0)
	for _, property := range properties[:min(len(properties), room)] {
		e.Params = map[string]any{name: property}
		all = append(all, e)
	}
	if len(properties) > 0 || room == 0 {
		return all
	}
	if d := v.Duplicates; len(d) == 2 {
		e.Params = map[string]any{"i": d[1], "j": d[0]}
	} else {
		e.Params = k.of(v.Keyword, e.Keyword)
	}
	return append(all, e)
}

// maxParams bounds what all errors of a push repeat of the schema, in bytes.
const maxParams = 1 << 20

// keywordParams are what the keywords of a schema are about.
type keywordParams struct {
	text json.RawMessage // the schema
	doc  any             // the same, once it is needed
	told int             // bytes
}

// of are those of a keyword that is at a JSON Pointer; none once too much has been told.
func (k *keywordParams) of(pointer, keyword string) map[string]any {
	if k.doc == nil {
		d := json.NewDecoder(bytes.NewReader(k.text))
		d.UseNumber()
		if d.Decode(&k.doc) != nil {
			k.doc = map[string]any{}
		}
	}
	value, ok := valueAt(k.doc, pointer)
	if !ok || k.told >= maxParams {
		return map[string]any{}
	}
	params := paramsOf(keyword, value)
	if len(params) > 0 {
		text, _ := json.Marshal(value) // it was JSON
		k.told += len(text)
	}
	return params
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
