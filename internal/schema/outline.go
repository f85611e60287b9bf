package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/drover-go/drover/errtypes"
)

// Outline is a subschema as those need to see it who make values for it. It
// says what to look for; whether a value will do is for [Schema.ValidatePart]
// to say. Outlines refer to each other in circles where the schema does.
type Outline struct {
	// At is the JSON Pointer of the subschema in the schema.
	At string
	// Never is true of the schema false.
	Never bool
	// Title and Description are its annotations.
	Title, Description string
	// Types are the values of "type", none if it is not there.
	Types []string
	// Enum are the values of "enum", or of "const" the only one.
	Enum []any
	// Format is the value of "format".
	Format string
	// Properties are in the order of the document.
	Properties []Property
	// Patterns are those in "patternProperties", in the order of the document,
	// and Additional is the schema in "additionalProperties", nil if that is no
	// object. Closed is true where no other member may be there.
	Patterns   []Pattern
	Additional *Outline
	Closed     bool
	// Conditional are the subschemas for the same value that hold only for some:
	// those of "then", "else", "dependentSchemas" and "dependencies".
	Conditional []*Outline
	// Required are the names in "required".
	Required []string
	// Prefix are the schemas of the first items, Items is that of the others,
	// nil if it is not there.
	Prefix []*Outline
	Items  *Outline
	// MaxItems is the largest number of items, -1 for any; Unique is that none comes twice.
	MaxItems int
	Unique   bool
	// Ref, AllOf, AnyOf and OneOf are subschemas for the same value.
	Ref                 *Outline
	AllOf, AnyOf, OneOf []*Outline

	location string
}

// Property is a member of "properties".
type Property struct {
	Name   string
	Schema *Outline
}

// Pattern is a member of "patternProperties".
type Pattern struct {
	// Match reports whether a name is meant. It counts no steps; a pattern that
	// takes too long matches nothing.
	Match  func(name string) bool
	Schema *Outline
}

// Outline returns the outline of the schema, made anew. Dynamic references are
// taken for what they refer to on their own.
func (s *Schema) Outline() (*Outline, error) {
	g, _, bad := s.load()
	if bad != nil {
		return nil, bad.of(s.o.Field)
	}
	l := outliner{doc: s.doc, patterns: s.patterns, known: map[*jsonschema.Schema]*Outline{}, order: namesInOrder(s.raw)}
	return l.outline(g.root), nil
}

type outliner struct {
	doc      any
	patterns map[string]*pattern
	known    map[*jsonschema.Schema]*Outline
	order    map[string][]string // of the members of an object, by its pointer
}

func (l outliner) outline(s *jsonschema.Schema) *Outline {
	if s == nil {
		return nil
	}
	if o := l.known[s]; o != nil {
		return o
	}
	o := &Outline{At: pointerOf(s.Location), Title: s.Title, Description: s.Description, Required: s.Required, MaxItems: -1, Unique: s.UniqueItems, location: s.Location}
	l.known[s] = o
	o.Never = s.Bool != nil && !*s.Bool
	if s.Types != nil {
		o.Types = s.Types.ToStrings()
	}
	o.Format = l.format(o.At)
	o.Enum = membersOf(s)
	if s.MaxItems != nil {
		o.MaxItems = *s.MaxItems
	}
	l.sameValue(o, s)
	l.parts(o, s)
	return o
}

// format looks for the keyword in the document: the library drops it where it
// is only a remark.
func (l outliner) format(at string) string {
	v, _ := lookup(l.doc, at)
	obj, _ := v.(map[string]any)
	name, _ := obj["format"].(string)
	return name
}

func membersOf(s *jsonschema.Schema) []any {
	if s.Const != nil {
		return []any{*s.Const}
	}
	if s.Enum != nil {
		return s.Enum.Values
	}
	return nil
}

// sameValue adds the subschemas for the same value.
func (l outliner) sameValue(o *Outline, s *jsonschema.Schema) {
	o.Ref = l.outline(s.Ref)
	if o.Ref == nil {
		o.Ref = l.outline(s.RecursiveRef)
	}
	if o.Ref == nil && s.DynamicRef != nil {
		o.Ref = l.outline(s.DynamicRef.Ref)
	}
	o.AllOf, o.AnyOf, o.OneOf = l.list(s.AllOf), l.list(s.AnyOf), l.list(s.OneOf)
	for _, sub := range []*jsonschema.Schema{s.Then, s.Else} {
		if sub != nil {
			o.Conditional = append(o.Conditional, l.outline(sub))
		}
	}
	for _, name := range l.order[o.At+"/dependentSchemas"] {
		if sub := s.DependentSchemas[name]; sub != nil {
			o.Conditional = append(o.Conditional, l.outline(sub))
		}
	}
	for _, name := range l.order[o.At+"/dependencies"] {
		if sub, ok := s.Dependencies[name].(*jsonschema.Schema); ok {
			o.Conditional = append(o.Conditional, l.outline(sub))
		}
	}
}

// others adds the subschemas for members that "properties" does not name.
func (l outliner) others(o *Outline, s *jsonschema.Schema) {
	byPlace := map[string]Pattern{}
	for expression, sub := range s.PatternProperties {
		if p := l.patterns[expression.String()]; p != nil { // always
			byPlace[pointerOf(sub.Location)] = Pattern{p.matchName, l.outline(sub)}
		}
	}
	for _, name := range l.order[o.At+"/patternProperties"] {
		if p, ok := byPlace[join(o.At+"/patternProperties", name)]; ok {
			o.Patterns = append(o.Patterns, p)
		}
	}
	switch more := s.AdditionalProperties.(type) {
	case bool:
		o.Closed = !more
	case *jsonschema.Schema:
		o.Additional = l.outline(more)
		o.Closed = o.Additional.Never
	}
}

// parts adds the subschemas for members and items.
func (l outliner) parts(o *Outline, s *jsonschema.Schema) {
	for _, name := range l.order[o.At+"/properties"] {
		if sub := s.Properties[name]; sub != nil {
			o.Properties = append(o.Properties, Property{name, l.outline(sub)})
		}
	}
	l.others(o, s)
	o.Prefix, o.Items = l.list(s.PrefixItems), l.outline(s.Items2020)
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		o.Items = l.outline(items)
	case []*jsonschema.Schema:
		o.Prefix = l.list(items)
		more, _ := s.AdditionalItems.(*jsonschema.Schema)
		o.Items = l.outline(more)
	}
}

func (l outliner) list(subs []*jsonschema.Schema) []*Outline {
	var all []*Outline
	for _, s := range subs {
		all = append(all, l.outline(s))
	}
	return all
}

// namesInOrder returns the names of the members of every object of a JSON text,
// by its JSON Pointer: decoding it into maps has lost their order.
func namesInOrder(raw json.RawMessage) map[string][]string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	order := map[string][]string{}
	readOrder(d, "", order)
	return order
}

func readOrder(d *json.Decoder, at string, order map[string][]string) {
	token, err := d.Token()
	if err != nil {
		return
	}
	switch token {
	case json.Delim('{'):
		for d.More() {
			name, _ := d.Token()
			text, _ := name.(string)
			order[at] = append(order[at], text)
			readOrder(d, join(at, text), order)
		}
	case json.Delim('['):
		for i := 0; d.More(); i++ {
			readOrder(d, joinIndex(at, i), order)
		}
	default:
		return
	}
	d.Token() // the end
}

// ValidatePart checks a value against a subschema, as [Schema.Validate] does
// against the whole, in at most so many steps, and returns how many it took.
func (s *Schema) ValidatePart(o *Outline, v any, steps int) (taken int, err error) {
	g := guard{o: s.o}
	if bad := g.visit(v, 0); bad != nil {
		return 1, bad.ofValue()
	}
	in := s.take()
	if in == nil {
		return 1, errtypes.New(errtypes.Internal, "a schema that was compiled before does not compile again")
	}
	defer s.give(in)
	part := in.part(o.location)
	if part == nil {
		return 1, errtypes.New(errtypes.Internal, "the schema has no part at %s", shortPointer(o.At))
	}
	err = in.runPart(part, v, g.deepest, steps)
	return max(steps-in.m.left, 1), s.judge(err)
}

// part finds a subschema by its location.
func (in *instance) part(location string) *jsonschema.Schema {
	i, found := slices.BinarySearchFunc(in.nodes, location, func(s *jsonschema.Schema, location string) int {
		return strings.Compare(s.Location, location)
	})
	if !found {
		return nil
	}
	return in.nodes[i]
}

// RawAt returns a subschema as JSON, its members in the order of their names;
// nil if it is in a metaschema.
func (s *Schema) RawAt(o *Outline) json.RawMessage {
	v, ok := lookup(s.doc, o.At)
	if !ok {
		return nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return raw
}
