package tools

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// Models write a text where a list is meant, or "true" for true. What can only be
// meant in one way is taken.

// texts is a list of texts, or one of them.
type texts []string

func (t *texts) UnmarshalJSON(raw []byte) error {
	var one scalar
	if json.Unmarshal(raw, &one) == nil {
		*t = texts{string(one)}
		if strings.HasPrefix(strings.TrimSpace(string(one)), "[") { // a list, as a text
			var inner []scalar
			if json.Unmarshal([]byte(one), &inner) == nil {
				*t = fromScalars(inner)
			}
		}
		return nil
	}
	var many []scalar
	if err := json.Unmarshal(raw, &many); err != nil {
		return wrongType[texts](raw)
	}
	*t = fromScalars(many)
	return nil
}

func fromScalars(all []scalar) texts {
	out := make(texts, len(all))
	for i, s := range all {
		out[i] = string(s)
	}
	return out
}

// scalar is a text, or a number or truth value as one.
type scalar string

func (s *scalar) UnmarshalJSON(raw []byte) error {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return err
	}
	switch v := v.(type) {
	case string:
		*s = scalar(v)
	case float64, bool:
		*s = scalar(raw)
	default:
		return wrongType[scalar](raw)
	}
	return nil
}

// flag is a truth value, or its name.
type flag bool

func (f *flag) UnmarshalJSON(raw []byte) error {
	var s scalar
	if string(raw) == "null" {
		return nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return wrongType[flag](raw)
	}
	on, ok := truth(string(s))
	if !ok {
		return wrongType[flag](raw)
	}
	*f = flag(on)
	return nil
}

// truth reads words for on and off.
func truth(word string) (on, ok bool) {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "true", "on", "yes", "1", "checked", "check", "selected", "x":
		return true, true
	case "false", "off", "no", "0", "unchecked", "uncheck", "":
		return false, true
	}
	return false, false
}

// number is a number, or one as a text.
type number float64

func (n *number) UnmarshalJSON(raw []byte) error {
	var s scalar
	if string(raw) == "null" {
		return nil
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return wrongType[number](raw)
	}
	f, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(string(s)), "px"), 64)
	if err != nil {
		return wrongType[number](raw)
	}
	*n = number(f)
	return nil
}

// wrongType is the error that names the kind of value that was given.
func wrongType[T any](raw []byte) error {
	kinds := map[byte]string{'{': "object", '[': "list", '"': "text like this", 't': "bool", 'f': "bool", 'n': "null"}
	kind, ok := kinds[strings.TrimSpace(string(raw) + " ")[0]]
	if !ok {
		kind = "number"
	}
	return &json.UnmarshalTypeError{Value: kind, Type: reflect.TypeFor[T]()}
}

// modifiers reads names of keys that are held, as models write them.
func modifierNames(given texts) []string {
	var all []string
	for _, g := range given {
		all = append(all, strings.FieldsFunc(g, func(r rune) bool { return r == '+' || r == ',' || r == ' ' || r == '-' })...)
	}
	return all
}
