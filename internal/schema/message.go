package schema

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	kinds "github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// messageOf says what an error of the library is about, in words that follow
// the name of the value. The native Type, Enum, Const, UniqueItems and Format
// come only from the metaschemas; elsewhere our own check reports them.
func messageOf(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kinds.Format:
		if f, ok := k.Err.(*failure); ok {
			return f.text()
		}
		return "is not a valid " + k.Want
	case *kinds.Type:
		return fmt.Sprintf("must be %s, but is %s", strings.Join(k.Want, " or "), k.Got)
	case *kinds.Enum:
		return newEnumeration(k.Want).message()
	case *kinds.Const:
		return "must be " + show(k.Want)
	case *kinds.FalseSchema:
		return "is not allowed"
	case *kinds.Not:
		return `must not match the schema in "not"`
	case *kinds.OneOf:
		return fmt.Sprintf("matches alternatives %d and %d, but must match exactly one", k.Subschemas[0], k.Subschemas[1])
	case *kinds.RefCycle:
		return "cannot be checked: the schema refers to itself"
	}
	return cmp.Or(objectMessage(k), arrayMessage(k), scalarMessage(k), "is not valid")
}

func objectMessage(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kinds.MinProperties:
		return fmt.Sprintf("must have at least %d properties, but has %d", k.Want, k.Got)
	case *kinds.MaxProperties:
		return fmt.Sprintf("must have at most %d properties, but has %d", k.Want, k.Got)
	case *kinds.Required:
		return "must have " + properties(k.Missing)
	case *kinds.AdditionalProperties:
		return "must not have " + properties(slices.Sorted(slices.Values(k.Properties)))
	case *kinds.Dependency:
		return fmt.Sprintf("must have %s because it has %s", properties(k.Missing), quote(k.Prop))
	case *kinds.DependentRequired:
		return fmt.Sprintf("must have %s because it has %s", properties(k.Missing), quote(k.Prop))
	case *kinds.PropertyNames:
		return "has the name " + quote(k.Property) + ", which is not allowed"
	}
	return ""
}

func arrayMessage(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kinds.MinItems:
		return fmt.Sprintf("must have at least %d items, but has %d", k.Want, k.Got)
	case *kinds.MaxItems:
		return fmt.Sprintf("must have at most %d items, but has %d", k.Want, k.Got)
	case *kinds.AdditionalItems:
		return fmt.Sprintf("has %d items too many", k.Count)
	case *kinds.UniqueItems:
		return fmt.Sprintf("must not have equal items, but items %d and %d are", k.Duplicates[0], k.Duplicates[1])
	case *kinds.Contains:
		return `has no item that matches "contains"`
	case *kinds.MinContains:
		return fmt.Sprintf(`must have at least %d items that match "contains", but has %d`, k.Want, len(k.Got))
	case *kinds.MaxContains:
		return fmt.Sprintf(`must have at most %d items that match "contains", but has %d`, k.Want, len(k.Got))
	}
	return ""
}

func scalarMessage(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kinds.MinLength:
		return fmt.Sprintf("must have at least %d characters, but has %d", k.Want, k.Got)
	case *kinds.MaxLength:
		return fmt.Sprintf("must have at most %d characters, but has %d", k.Want, k.Got)
	case *kinds.Pattern:
		return "does not match the pattern " + quote(k.Want)
	case *kinds.Minimum:
		return fmt.Sprintf("must be at least %s, but is %s", decimalText(k.Want), decimalText(k.Got))
	case *kinds.Maximum:
		return fmt.Sprintf("must be at most %s, but is %s", decimalText(k.Want), decimalText(k.Got))
	case *kinds.ExclusiveMinimum:
		return fmt.Sprintf("must be greater than %s, but is %s", decimalText(k.Want), decimalText(k.Got))
	case *kinds.ExclusiveMaximum:
		return fmt.Sprintf("must be less than %s, but is %s", decimalText(k.Want), decimalText(k.Got))
	case *kinds.MultipleOf:
		return fmt.Sprintf("must be a multiple of %s, but is %s", decimalText(k.Want), decimalText(k.Got))
	}
	return ""
}

// properties lists names: "the property a", "the properties a, b".
func properties(names []string) string {
	list := make([]string, 0, shownMembers)
	for _, n := range names[:min(len(names), shownMembers)] {
		list = append(list, quote(n))
	}
	if len(names) == 1 {
		return "the property " + list[0]
	}
	text := "the properties " + strings.Join(list, ", ")
	if more := len(names) - len(list); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// decimalText writes a fraction that was a decimal number.
func decimalText(r *big.Rat) string {
	if r.IsInt() {
		return shorten(r.Num().String(), quotedText)
	}
	f, _ := r.Float64()
	return fmt.Sprint(f)
}
