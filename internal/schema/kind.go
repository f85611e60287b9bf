package schema

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"
)

// kind is a set of JSON types, as the keyword "type" names them.
type kind uint8

const (
	kindNull kind = 1 << iota
	kindBoolean
	kindInteger
	kindNumber
	kindString
	kindArray
	kindObject
)

var kindNames = [...]string{"null", "boolean", "integer", "number", "string", "array", "object"}

func kindsOf(names []string) (set kind) {
	for i, name := range kindNames {
		for _, n := range names {
			if n == name {
				set |= 1 << i
			}
		}
	}
	return set
}

// kindOf returns the type of a decoded value; that of an integer is number.
func kindOf(v any) kind {
	switch v.(type) {
	case nil:
		return kindNull
	case bool:
		return kindBoolean
	case string:
		return kindString
	case []any:
		return kindArray
	case map[string]any:
		return kindObject
	}
	return kindNumber
}

// accepts reports whether v, of type k, is of one of the types in the set.
func (set kind) accepts(k kind, v any) bool {
	if set&k != 0 {
		return true
	}
	return k == kindNumber && set&kindInteger != 0 && toDecimal(numberText(v)).isInteger()
}

// String lists the set for a message: "string", "array or null".
func (set kind) String() string {
	names := make([]string, 0, bits.OnesCount8(uint8(set)))
	for i, name := range kindNames {
		if set&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " or ")
}

// numberText writes any Go number as JSON does.
func numberText(v any) string {
	switch v := v.(type) {
	case json.Number:
		return string(v)
	default:
		return fmt.Sprint(v)
	}
}
