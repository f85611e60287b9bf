package plain

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// shape is a JSON Schema as far as filling it needs: what it is for is the
// validator's to say.
type shape struct {
	types    []string
	props    []property
	required []string
	items    json.RawMessage
	enum     []any
	format   string
	title    string
	describe string
	choices  []json.RawMessage // anyOf, oneOf
	// additional is the schema of members that are not named; nil for any.
	additional json.RawMessage
	// untyped says that the schema does not say which type.
	untyped bool
}

// isFree reports whether an object or anything may be given, under whatever
// names.
func (s shape) isFree() bool {
	return (s.untyped || s.is("object")) && len(s.props)+len(s.choices)+len(s.enum) == 0 && s.items == nil
}

type property struct {
	name   string
	schema json.RawMessage
}

// maxRefs bounds a chain of references.
const maxRefs = 20

// shapeOf reads a schema; root is where references lead to.
func shapeOf(raw, root json.RawMessage) shape {
	var doc struct {
		Ref         string `json:"$ref"`
		Type        any
		Properties  json.RawMessage
		Required    []string
		Items       json.RawMessage
		PrefixItems []json.RawMessage
		Enum        []any
		Const       any
		Format      string
		Title       string
		Description string
		AnyOf       []json.RawMessage
		OneOf       []json.RawMessage
		AllOf       []json.RawMessage
		Additional  json.RawMessage `json:"additionalProperties"`
	}
	for range maxRefs {
		if json.Unmarshal(raw, &doc) != nil || doc.Ref == "" {
			break
		}
		raw = lookUp(root, doc.Ref)
		doc.Ref = ""
	}
	s := shape{
		types: typeList(doc.Type), props: members(doc.Properties), required: doc.Required, items: doc.Items,
		enum: doc.Enum, format: doc.Format, title: doc.Title, describe: doc.Description, choices: append(doc.AnyOf, doc.OneOf...),
	}
	if bytes.HasPrefix(bytes.TrimSpace(doc.Additional), []byte("{")) {
		s.additional = doc.Additional
	}
	if doc.Const != nil {
		s.enum = []any{doc.Const}
	}
	for _, part := range doc.AllOf {
		s.add(shapeOf(part, root))
	}
	s.inferType()
	return s
}

// add takes over what another part of an allOf says.
func (s *shape) add(part shape) {
	s.props = append(s.props, part.props...)
	s.required = append(s.required, part.required...)
	if len(s.types) == 0 {
		s.types = part.types
	}
	if s.items == nil {
		s.items = part.items
	}
	if s.format == "" {
		s.format = part.format
	}
}

func (s *shape) inferType() {
	switch {
	case len(s.types) > 0 || len(s.choices) > 0:
	case len(s.props) > 0:
		s.types = []string{"object"}
	case s.items != nil:
		s.types = []string{"array"}
	default:
		s.types, s.untyped = []string{"string"}, len(s.enum) == 0
	}
}

func typeList(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, t := range v {
			if name, ok := t.(string); ok {
				all = append(all, name)
			}
		}
		return all
	}
	return nil
}

func (s shape) is(typ string) bool { return slices.Contains(s.types, typ) }

// members returns the members of a JSON object in their order.
func members(raw json.RawMessage) (all []property) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			return all
		}
		all = append(all, property{name.(string), value})
	}
	return all
}

// lookUp follows a reference inside the document: "#/$defs/product".
func lookUp(root json.RawMessage, ref string) json.RawMessage {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := root
	for _, name := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if name == "" {
			continue
		}
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		i := slices.IndexFunc(members(at), func(p property) bool { return p.name == name })
		if i < 0 {
			return nil
		}
		at = members(at)[i].schema
	}
	return at
}

// names are what a property may be called on a page.
func (s shape) names(name string) []string {
	names := []string{name}
	for _, hint := range []string{s.title, s.describe} {
		if n := len(strings.Fields(hint)); n > 0 && n <= 4 {
			names = append(names, hint)
		}
	}
	return names
}
