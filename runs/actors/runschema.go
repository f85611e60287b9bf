package actors

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/internal/strictjson"
)

// schemas are input schemas, compiled.
type schemas struct{ cache *schema.Cache }

const (
	schemaField = "inputSchema"
	maxSchema   = 500_000
)

func newSchemas() schemas {
	return schemas{schema.NewCache(schema.CacheOptions{Options: schema.Options{Draft: schema.Draft7, MaxSize: maxSchema}})}
}

// inputSchema is the schema of an input: the hosted service's dialect of JSON Schema,
// in which an object has properties with defaults.
type inputSchema struct {
	compiled *schema.Schema
	// plain is what was compiled, in which violations name their keywords.
	plain []byte
	root  *part
}

// of reads an input schema; nil for none. Error kind: Invalid.
func (c schemas) of(raw json.RawMessage) (*inputSchema, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	if strictjson.Nesting(raw) > strictjson.DefaultMaxDepth { // each level is read anew
		return nil, badSchema("must be nested at most %d levels deep", strictjson.DefaultMaxDepth)
	}
	var root property
	if err := json.Unmarshal(raw, &root); err != nil || root == nil {
		return nil, badSchema("must be an object in JSON")
	}
	var properties map[string]property
	if string(root["type"]) != `"object"` || json.Unmarshal(root["properties"], &properties) != nil || properties == nil {
		return nil, badSchema(`must have the type "object" and properties`)
	}
	plain, err := json.Marshal(root.plain())
	if err != nil {
		return nil, err
	}
	s := &inputSchema{plain: plain, root: partOf(root)}
	s.compiled, err = c.cache.Compile(schemaField, plain)
	if errtypes.Is(err, errtypes.Invalid) {
		err = errtypes.Field(schemaField, "%s", strings.TrimPrefix(errtypes.Public(err).Message, schemaField+" ")).WithType(errtypes.TypeInvalidInputSchema)
	}
	return s, err
}

func badSchema(format string, args ...any) error {
	return errtypes.Field(schemaField, format, args...).WithType(errtypes.TypeInvalidInputSchema)
}

// property is a part of a schema of the dialect.
type property map[string]json.RawMessage

// kept are the keywords that mean in JSON Schema what they mean in the dialect.
var kept = []string{
	"type", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems",
	"minProperties", "maxProperties", "required", "additionalProperties",
}

// plain is the property in JSON Schema.
func (p property) plain() map[string]any {
	out := map[string]any{}
	for _, keyword := range kept {
		if value, ok := p[keyword]; ok {
			out[keyword] = value
		}
	}
	var parts map[string]property
	if json.Unmarshal(p["properties"], &parts) == nil && parts != nil {
		inner := map[string]any{}
		for name, part := range parts {
			inner[name] = part.plain()
		}
		out["properties"] = inner
	}
	var items property
	if json.Unmarshal(p["items"], &items) == nil && items != nil {
		out["items"] = items.plain()
	}
	p.patterns(out)
	if p.nullable() {
		p.allowNull(out)
	}
	return out
}

func (p property) nullable() bool { return string(p["nullable"]) == "true" }

// allowNull adds null to what a property may be.
func (p property) allowNull(out map[string]any) {
	if kinds := p.types(); kinds != nil {
		out["type"] = append(kinds, "null")
	}
	var values []json.RawMessage
	if json.Unmarshal(p["enum"], &values) == nil && values != nil {
		null := func(v json.RawMessage) bool { return string(v) == "null" }
		out["enum"] = append(slices.DeleteFunc(values, null), json.RawMessage("null"))
	}
}

// types are those that the property says it may have; nil for none.
func (p property) types() []string {
	var one string
	if json.Unmarshal(p["type"], &one) == nil && one != "" {
		return []string{one}
	}
	var all []string
	if json.Unmarshal(p["type"], &all) != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(kind string) bool { return kind == "null" })
}

// patterns adds those of the dialect: of the names and values of an object, and of
// the items of an array that are texts, or a key and a value each.
func (p property) patterns(out map[string]any) {
	key, value := p["patternKey"], p["patternValue"]
	switch string(p["type"]) {
	case `"object"`:
		if key != nil {
			out["propertyNames"] = map[string]any{"pattern": key}
		}
		if value != nil {
			out["additionalProperties"] = textLike(value)
		}
	case `"array"`:
		if key == nil && value == nil || out["items"] != nil {
			return
		}
		parts := map[string]any{}
		if key != nil {
			parts["key"] = textLike(key)
		}
		if value != nil {
			parts["value"] = textLike(value)
		}
		item := map[string]any{"properties": parts}
		if value != nil {
			item["pattern"] = value
		}
		out["items"] = item
	}
}

// textLike is a text that matches a pattern.
func textLike(pattern json.RawMessage) map[string]any {
	return map[string]any{"type": "string", "pattern": pattern}
}

// fill fills in what an object leaves to the defaults, and validates it.
func (s *inputSchema) fill(body []byte) ([]byte, error) {
	body, err := s.root.fill(body)
	if err != nil {
		return nil, err
	}
	_, err = s.compiled.ValidateJSON(body)
	if err = s.unlessSealed(err, body); err != nil {
		return nil, invalidInput("Input is not valid: %s", s.mismatch(err, body)).WithCause(err)
	}
	if problem := s.root.checkEditors(body); problem != "" {
		return nil, invalidInput("Input is not valid: %s", problem)
	}
	return body, nil
}

func invalidInput(format string, args ...any) *errtypes.Error {
	return errtypes.OfType(errtypes.TypeInvalidInput, format, args...)
}
