package dialect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// An object is a JSON object whose members keep their order: models write the
// members of a call in the order of the schema. Values are nil, bool,
// json.Number, string, []any and *object.
type object struct {
	names  []string
	values map[string]any
}

func newObject(pairs ...any) *object {
	o := &object{values: map[string]any{}}
	for i := 0; i < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func (o *object) get(name string) (any, bool) {
	v, ok := o.values[name]
	return v, ok
}

func (o *object) has(name string) bool {
	_, ok := o.values[name]
	return ok
}

func (o *object) set(name string, v any) {
	if _, ok := o.values[name]; !ok {
		o.names = append(o.names, name)
	}
	o.values[name] = v
}

func (o *object) drop(name string) {
	if _, ok := o.values[name]; ok {
		delete(o.values, name)
		o.names = slices.DeleteFunc(o.names, func(n string) bool { return n == name })
	}
}

func (o *object) clone() *object { return &object{slices.Clone(o.names), maps.Clone(o.values)} }

// text returns a member that is a string.
func (o *object) text(name string) string {
	s, _ := o.values[name].(string)
	return s
}

// list returns a member that is an array.
func (o *object) list(name string) []any {
	l, _ := o.values[name].([]any)
	return l
}

// child returns a member that is an object; nil if it is none.
func (o *object) child(name string) *object {
	c, _ := o.values[name].(*object)
	return c
}

var errDeep = errors.New("is nested too deep")

// decode reads one JSON value that is nested depth levels deep at most.
func decode(raw []byte, depth int) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	v, err := value(d, depth)
	if err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("has text behind its value")
	}
	return v, nil
}

func value(d *json.Decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := t.(json.Delim)
	if !ok {
		return t, nil
	}
	if depth == 0 {
		return nil, errDeep
	}
	if delim == '[' {
		list := []any{}
		for d.More() {
			v, err := value(d, depth-1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err = d.Token()
		return list, err
	}
	return members(d, depth)
}

func members(d *json.Decoder, depth int) (any, error) {
	o := newObject()
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := value(d, depth-1)
		if err != nil {
			return nil, err
		}
		o.set(name.(string), v)
	}
	_, err := d.Token()
	return o, err
}

// encode writes a value without white space, HTML left as it is.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	write(&b, v)
	return b.Bytes()
}

func write(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case *object:
		b.WriteByte('{')
		for i, name := range v.names {
			if i > 0 {
				b.WriteByte(',')
			}
			scalar(b, name)
			b.WriteByte(':')
			write(b, v.values[name])
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, item)
		}
		b.WriteByte(']')
	default:
		scalar(b, v)
	}
}

func scalar(b *bytes.Buffer, v any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("dialect: a scalar does not marshal: %v", err)) // it was read from JSON, or is a string, an int or a bool
	}
	b.Truncate(b.Len() - 1) // the line feed
}

// kind is the type of a value, as schemas name it; whole numbers are integers.
func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case *object:
		return "object"
	case json.Number:
		if whole(v) {
			return "integer"
		}
	}
	return "number"
}

// whole reports whether a number has no fraction. Those with an exponent, which
// may be of any size, are taken for whole where it is large.
func whole(n json.Number) bool {
	text := string(n)
	if !strings.ContainsAny(text, ".eE") {
		return true
	}
	f, _, err := big.ParseFloat(text, 10, 200, big.ToNearestEven)
	return err == nil && f.IsInt()
}
