package schema

import (
	"encoding"
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"

	infer "github.com/google/jsonschema-go/jsonschema"

	"github.com/drover-go/drover/errtypes"
)

// For returns the schema (draft 2020-12) of what encoding/json reads and
// writes for T; [Infer] says how.
func For[T any]() (json.RawMessage, error) { return Infer(reflect.TypeFor[T]()) }

// Infer returns the schema (draft 2020-12) of what encoding/json reads and
// writes for a type. A struct is an object with the properties of its exported
// fields, under their JSON names, and no others; all but those tagged
// omitempty or omitzero are required. The tag "jsonschema" is the description
// of a property. Pointers, slices and maps may be null. A [time.Time] is a
// string of format date-time, a []byte one in base64; other types that encode
// themselves are a string (TextMarshaler) or anything (Marshaler).
//
// A type that has no schema, among them every type that refers to itself, is
// an error of kind Invalid that says which field is the reason.
func Infer(t reflect.Type) (json.RawMessage, error) {
	s := &survey{schemas: map[reflect.Type]*infer.Schema{
		reflect.TypeFor[time.Time]():   {Type: "string", Format: "date-time"},
		reflect.TypeFor[json.Number](): {Type: "number"},
		reflect.TypeFor[big.Int]():     {Type: "integer"},
	}}
	if err := s.visit(t, t.String()); err != nil {
		return nil, err
	}
	inferred, err := infer.ForType(t, &infer.ForOptions{TypeSchemas: s.schemas})
	if err != nil {
		return nil, noSchema(t.String(), "cannot be described").WithCause(err)
	}
	allowNilMaps(inferred)
	raw, err := json.Marshal(inferred)
	if err != nil {
		return nil, noSchema(t.String(), "cannot be described").WithCause(err)
	}
	if _, err := Compile(raw, Options{Field: t.String()}); err != nil {
		return nil, err
	}
	return raw, nil
}

func noSchema(path, format string, args ...any) *errtypes.Error {
	return errtypes.Field(path, format, args...)
}

// survey goes over a type before the library does: to find what the library
// would get wrong or explain badly, and to say what types look like that
// encode themselves.
type survey struct {
	schemas map[reflect.Type]*infer.Schema
	around  []reflect.Type
}

func (s *survey) visit(t reflect.Type, path string) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s.schemas[t] != nil || s.encodesItself(t) {
		return nil
	}
	if t.Name() != "" {
		if slices.Contains(s.around, t) {
			return noSchema(path, "refers back to type %s; write its schema by hand, with $ref", t)
		}
		s.around = append(s.around, t)
		defer func() { s.around = s.around[:len(s.around)-1] }()
	}
	switch t.Kind() {
	case reflect.Struct:
		return s.fields(t, path, map[string]bool{})
	case reflect.Slice, reflect.Array:
		return s.visit(t.Elem(), path+"[]")
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return noSchema(path, "is a map whose keys are not strings")
		}
		return s.visit(t.Elem(), path+"[]")
	case reflect.Func, reflect.Chan, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return noSchema(path, "is of type %s, which JSON does not have", t)
	}
	return nil
}

// anyType allows everything. An empty schema would, too, but the library makes
// "null" of it where it is behind a pointer.
var anyType = []string{"null", "boolean", "number", "string", "array", "object"}

// encodesItself notes the schema of a type that encoding/json does not look into.
func (s *survey) encodesItself(t reflect.Type) bool {
	either := func(i reflect.Type) bool { return t.Implements(i) || reflect.PointerTo(t).Implements(i) }
	switch {
	case t.Kind() == reflect.Interface:
		return false
	case either(reflect.TypeFor[json.Marshaler]()):
		s.schemas[t] = &infer.Schema{Types: anyType}
	case either(reflect.TypeFor[encoding.TextMarshaler]()):
		s.schemas[t] = &infer.Schema{Type: "string"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		s.schemas[t] = &infer.Schema{Types: []string{"null", "string"}, ContentEncoding: "base64"}
	default:
		return false
	}
	return true
}

// fields visits the fields of a struct and those of the structs embedded in
// it; names are the JSON names that are taken.
func (s *survey) fields(t reflect.Type, path string, names map[string]bool) error {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options := jsonName(f)
		at := path + "." + f.Name
		var err error
		switch {
		case name == "" || !f.IsExported() && !f.Anonymous:
			continue
		case f.Anonymous:
			err = s.embedded(f, at, names)
		default:
			err = s.field(f, name, options, at, names)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *survey) field(f reflect.StructField, name, options, at string, names map[string]bool) error {
	if slices.Contains(strings.Split(options, ","), "string") {
		return noSchema(at, `has the option "string", which is not supported`)
	}
	if names[name] {
		return noSchema(at, "has the JSON name %q of another field", name)
	}
	names[name] = true
	if tag, ok := f.Tag.Lookup("jsonschema"); ok {
		word, _, equals := strings.Cut(tag, "=")
		if tag == "" || equals && !strings.ContainsAny(word, " \t\n") {
			return noSchema(at, "has a jsonschema tag that is empty or begins with WORD=; it is the description")
		}
	}
	return s.visit(f.Type, at)
}

// embedded visits an embedded field, whose own fields count as the struct's.
func (s *survey) embedded(f reflect.StructField, at string, names map[string]bool) error {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case t.Kind() != reflect.Struct && !f.IsExported():
		return nil
	case t.Kind() != reflect.Struct || tag != "":
		return noSchema(at, "is embedded, but not as a part of the object; give it a field name")
	case s.encodesItself(t) || s.schemas[t] != nil:
		return noSchema(at, "is embedded and encodes itself; give it a field name")
	case slices.Contains(s.around, t):
		return noSchema(at, "refers back to type %s; write its schema by hand, with $ref", t)
	}
	s.around = append(s.around, t)
	defer func() { s.around = s.around[:len(s.around)-1] }()
	return s.fields(t, at, names)
}

// jsonName returns the name that encoding/json gives a field, "" for none.
func jsonName(f reflect.StructField) (name, options string) {
	tag := f.Tag.Get("json")
	if tag == "-" {
		return "", ""
	}
	name, options, _ = strings.Cut(tag, ",")
	if name == "" {
		name = f.Name
	}
	return name, options
}

// allowNilMaps lets maps be null, as slices may: encoding/json writes a nil
// one so. A map is what has a schema for all its members; a struct has "false".
func allowNilMaps(s *infer.Schema) {
	if s == nil {
		return
	}
	if s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Not == nil {
		s.Type, s.Types = "", []string{"null", "object"}
	}
	allowNilMaps(s.Items)
	allowNilMaps(s.AdditionalProperties)
	for _, p := range s.Properties {
		allowNilMaps(p)
	}
}
