package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

var errNoObject = errors.New("it must be a JSON object")

// object reads the members of an object in valid JSON, without what is in
// them. A key that occurs twice is an error. The values are parts of b.
func object(b []byte) (map[string]json.RawMessage, error) {
	b = bytes.TrimSpace(b)
	if len(b) == 0 || b[0] != '{' {
		return nil, errNoObject
	}
	fields := map[string]json.RawMessage{}
	for b = bytes.TrimLeft(b[1:], space); b[0] != '}'; {
		n := stringLen(b)
		var key string
		if err := json.Unmarshal(b[:n], &key); err != nil {
			return nil, err
		}
		if _, twice := fields[key]; twice {
			return nil, fmt.Errorf("the key %q occurs twice", key)
		}
		b = bytes.TrimLeft(bytes.TrimLeft(b[n:], space)[1:], space) // the colon
		n = valueLen(b)
		fields[key] = json.RawMessage(b[:n:n])
		b = bytes.TrimLeft(b[n:], space)
		if b[0] == ',' {
			b = bytes.TrimLeft(b[1:], space)
		}
	}
	return fields, nil
}

const space = " \t\r\n"

// valueLen is the length of the value that valid JSON begins with.
func valueLen(b []byte) int {
	switch b[0] {
	case '"':
		return stringLen(b)
	case '{', '[':
	default:
		if n := bytes.IndexAny(b, ",]} \t\r\n"); n >= 0 {
			return n
		}
		return len(b)
	}
	for i, at := 0, 0; ; i++ {
		switch b[i] {
		case '"':
			i += stringLen(b[i:]) - 1
		case '{', '[':
			at++
		case '}', ']':
			if at--; at == 0 {
				return i + 1
			}
		}
	}
}

// Params are the parameters of a command, read for a check.
type Params struct {
	fields  map[string]json.RawMessage
	changed bool
}

// ReadParams reads the parameters of a command; none are an empty object.
func ReadParams(raw json.RawMessage) (*Params, error) {
	if len(raw) == 0 {
		return &Params{fields: map[string]json.RawMessage{}}, nil
	}
	fields, err := object(raw)
	if err != nil {
		return nil, fmt.Errorf("params: %w", err)
	}
	return &Params{fields: fields}, nil
}

// Has reports whether the parameter is there and not null.
func (p *Params) Has(key string) bool {
	raw, ok := p.fields[key]
	return ok && string(raw) != "null"
}

// Text returns a parameter that must be a string; empty where it is missing.
func (p *Params) Text(key string) (s string, err error) {
	if p.Has(key) && json.Unmarshal(p.fields[key], &s) != nil {
		return "", fmt.Errorf("%s must be a string", key)
	}
	return s, nil
}

// Flag returns a parameter that must be a boolean; false where it is missing.
func (p *Params) Flag(key string) (b bool, err error) {
	if p.Has(key) && json.Unmarshal(p.fields[key], &b) != nil {
		return false, fmt.Errorf("%s must be a boolean", key)
	}
	return b, nil
}

// Decode reads a parameter into v, which is left alone where it is missing.
func (p *Params) Decode(key string, v any) error {
	if p.Has(key) && json.Unmarshal(p.fields[key], v) != nil {
		return fmt.Errorf("%s is not of the right type", key)
	}
	return nil
}

// Set gives a parameter a value.
func (p *Params) Set(key string, value any) {
	raw, _ := json.Marshal(value) // of strings, numbers and booleans
	p.fields[key], p.changed = raw, true
}

// Drop leaves a parameter out.
func (p *Params) Drop(key string) {
	if _, ok := p.fields[key]; ok {
		delete(p.fields, key)
		p.changed = true
	}
}

// encode returns the parameters, as they came if nothing was changed.
func (p *Params) encode(raw json.RawMessage) (json.RawMessage, error) {
	if !p.changed {
		return raw, nil
	}
	return json.Marshal(p.fields)
}
