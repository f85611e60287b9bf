package schema

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Equality of JSON values (JSON Schema core, section 4.2.2): numbers by value,
// objects without order. Everything here pays for what it looks at.

// scalarKey is equal for equal nulls, booleans, strings and numbers, and not ok
// for arrays and objects.
func scalarKey(v any) (key string, ok bool) {
	switch v := v.(type) {
	case nil:
		return "null", true
	case bool:
		return strconv.FormatBool(v), true
	case string:
		return `"` + v, true
	case []any, map[string]any:
		return "", false
	}
	return toDecimal(numberText(v)).key(), true
}

func equal(a, b any, m *meter) bool {
	m.spend(1)
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && len(a) == len(b) && equalMembers(a, b, m)
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b) && equalItems(a, b, m)
	case string:
		b, ok := b.(string)
		return ok && a == b
	}
	switch k := kindOf(a); {
	case k != kindOf(b):
		return false
	case k == kindNumber:
		return equalNumbers(numberText(a), numberText(b), m)
	}
	return a == b
}

func equalNumbers(a, b string, m *meter) bool {
	m.spend(1 + (len(a)+len(b))/32)
	return a == b || toDecimal(a) == toDecimal(b)
}

func equalMembers(a, b map[string]any, m *meter) bool {
	for name, v := range a {
		w, ok := b[name]
		if !ok || !equal(v, w, m) {
			m.spend(1)
			return false
		}
	}
	return true
}

func equalItems(a, b []any, m *meter) bool {
	for i := range a {
		if !equal(a[i], b[i], m) {
			return false
		}
	}
	return true
}

// enumeration is the value of "enum", ready to be searched.
type enumeration struct {
	values  []any
	scalars map[string]bool
	nested  []any // arrays and objects, at most maxEnumObjects
}

func newEnumeration(values []any) *enumeration {
	e := &enumeration{values: values, scalars: map[string]bool{}}
	for _, v := range values {
		if key, ok := scalarKey(v); ok {
			e.scalars[key] = true
		} else {
			e.nested = append(e.nested, v)
		}
	}
	return e
}

func (e *enumeration) has(v any, m *meter) bool {
	if key, ok := scalarKey(v); ok {
		m.spend(len(key) / 64)
		return e.scalars[key]
	}
	return slices.ContainsFunc(e.nested, func(n any) bool { return equal(v, n, m) })
}

// shownMembers is how many members of an enum a message lists.
const shownMembers = 10

func (e *enumeration) message() string {
	var list []string
	for _, v := range e.values[:min(len(e.values), shownMembers)] {
		list = append(list, show(v))
	}
	if more := len(e.values) - len(list); more > 0 {
		list = append(list, "… ("+strconv.Itoa(more)+" more)")
	}
	return "must be one of " + strings.Join(list, ", ")
}

// show writes a value for a message.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case map[string]any:
		return "an object with " + strconv.Itoa(len(v)) + " members"
	case []any:
		return "an array of " + strconv.Itoa(len(v)) + " items"
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	}
	return shorten(numberText(v), quotedText)
}

// duplicates finds two equal items of arr. It compares canonical texts, in
// which equal values, and only they, are equal: a hash can be made to collide.
func duplicates(arr []any, m *meter) (i, j int, found bool) {
	first := make(map[string]int, len(arr))
	var text []byte
	for j, v := range arr {
		text = canonical(text[:0], v, m)
		if i, dup := first[string(text)]; dup {
			return i, j, true
		}
		first[string(text)] = j
	}
	return 0, 0, false
}

// canonical appends the text of v. Strings are preceded by their length, so no
// string can look like the end of one and the beginning of something else.
func canonical(text []byte, v any, m *meter) []byte {
	m.spend(1)
	switch v := v.(type) {
	case map[string]any:
		text = append(text, '{')
		for _, name := range sortedNames(v, m) {
			text = appendString(text, name, m)
			text = canonical(text, v[name], m)
		}
		return append(text, '}')
	case []any:
		text = append(text, '[')
		for _, item := range v {
			text = canonical(text, item, m)
		}
		return append(text, ']')
	case string:
		return appendString(text, v, m)
	}
	key, _ := scalarKey(v)
	m.spend(len(key) / 16)
	return append(append(text, key...), ',')
}

func appendString(text []byte, s string, m *meter) []byte {
	m.spend(len(s) / 64)
	text = strconv.AppendInt(append(text, '"'), int64(len(s)), 10)
	return append(append(text, ':'), s...)
}

// sortedNames returns the names of an object's members in order.
func sortedNames(obj map[string]any, m *meter) []string {
	m.spend(2 * len(obj))
	return slices.Sorted(maps.Keys(obj))
}
