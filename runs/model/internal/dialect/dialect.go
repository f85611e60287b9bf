// Package dialect writes the JSON Schemas of tools as the providers of language
// models take them: each takes a part of JSON Schema only, and refuses the whole
// request for the rest. What a model then writes is taken back to the form of
// the original schema; the caller validates it against that one.
//
// What is sent is never narrower than the original in what it says of a value,
// but for objects that do not say whether they are open: where a provider wants
// it, these are closed. Keywords that a provider refuses are told to the model in
// words, in the description.
package dialect

import (
	"bytes"
	"encoding/json"

	"github.com/drover-go/drover/errtypes"
)

// Dialect is what a provider takes of JSON Schema.
type Dialect int

// The dialects.
const (
	// Loose is JSON Schema as it is, only that the root is an object.
	Loose Dialect = iota
	// OpenAI is the strict mode of OpenAI: every property is required, every
	// object closed, every schema has a type.
	OpenAI
	// Anthropic is the strict mode of Anthropic: every object is closed.
	Anthropic
	// Gemini is the object Schema of Google's generateContent.
	Gemini
	// Mistral is JSON Schema without what limits texts.
	Mistral
)

// Bounds of a schema. What goes beyond the first two is refused; what goes
// beyond the others is not strict.
const (
	maxSize     = 256 << 10 // bytes of a schema
	maxDepth    = 128       // levels of it, the maps of properties counted
	maxSteps    = 30_000    // subschemas and names that are looked at, every reference followed
	maxSent     = 1 << 20   // bytes of what is sent
	maxUndo     = 1 << 20   // steps of taking one value back
	maxNote     = 300       // bytes that are told of one keyword
	maxNotes    = 2_000     // bytes that are told of one subschema
	maxChanges  = 100       // changes that are listed
	maxValue    = 256       // levels of a value
	valueMember = "value"   // where a root stands that is no object
)

// Schema is a schema in a dialect. It is safe for use by several goroutines.
type Schema struct {
	// Sent is what the provider gets.
	Sent json.RawMessage
	// Strict says that the provider can be told to make models keep to Sent.
	// Else Why says what stands against it: Sent is then in the dialect Loose if
	// the dialect is one of a strict mode.
	Strict bool
	Why    string
	// Open says that Sent takes any object, because the schema cannot be written
	// in the dialect: the model has to be told the schema in words.
	Open bool
	// Changes are what is different in Sent, the first 100.
	Changes []Change

	root    *node
	wrapped bool
}

// Change is a difference between a schema and what is sent.
type Change struct {
	At   string // JSON Pointer in the schema, every reference followed
	What string
}

// Of writes a schema in a dialect; an empty one is that of an object without
// members. The error's kind is Invalid for what is no JSON, larger than 256 KiB or
// nested deeper than 128 levels.
func Of(raw json.RawMessage, d Dialect) (*Schema, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)
	}
	if len(raw) > maxSize {
		return nil, errtypes.Field("schema", "must be at most %d bytes, and has %d", maxSize, len(raw))
	}
	doc, err := decode(raw, maxDepth)
	if err != nil {
		return nil, errtypes.Field("schema", "must be JSON, nested at most %d levels deep", maxDepth).WithCause(err)
	}
	refs, within := references(doc)
	s := convert(doc, refs, rulesOf[d])
	if s.Strict || d == Gemini || d == Mistral {
		return s, nil
	}
	loose := s
	if d != Loose {
		loose = convert(doc, refs, rulesOf[Loose])
		loose.Why = s.Why
	}
	if o, ok := doc.(*object); ok && within && (loose.Open || !loose.wrapped) && isObject(o) {
		loose.Sent, loose.Open, loose.Changes = encode(doc), false, nil
	}
	return loose, nil
}

// isObject reports whether a schema says by itself that it is for objects only,
// without anything that providers refuse at the root.
func isObject(o *object) bool {
	for _, name := range []string{"$ref", "anyOf", "oneOf", "allOf", "not", "enum", "const"} {
		if o.has(name) {
			return false
		}
	}
	return o.text("type") == "object"
}

// convert writes a schema by rules, as far as it goes.
func convert(doc any, refs map[*object]*object, r *rules) *Schema {
	c := &converter{rules: r, refs: refs, inside: map[*object]bool{}}
	root := c.node(doc, "", 0)
	s := &Schema{Changes: c.changes, Why: c.why}
	if !root.onlyObject() {
		root, s.wrapped = c.wrap(root), true
	}
	s.root = root
	form := any(root.sent)
	if r == rulesOf[Gemini] {
		form = geminiForm(root.sent)
	}
	if s.Sent = encode(form); c.over || len(s.Sent) > maxSent {
		s.Sent, s.Open, s.root, s.wrapped = json.RawMessage(`{"type":"object"}`), true, nil, false
		s.Why = "it is too large with its references followed"
	}
	if !r.strict && s.Why == "" {
		s.Why = "the provider is not told to keep to schemas"
	}
	s.Strict = s.Why == ""
	return s
}
