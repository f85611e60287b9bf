package shape

// types is a set of JSON types; none stands for any.
type types uint8

const (
	typeNull types = 1 << iota
	typeBoolean
	typeInteger
	typeNumber
	typeString
	typeArray
	typeObject
)

var typesByName = map[string]types{
	"null": typeNull, "boolean": typeBoolean, "integer": typeInteger, "number": typeNumber,
	"string": typeString, "array": typeArray, "object": typeObject,
}

const scalarTypes = typeBoolean | typeInteger | typeNumber | typeString

func (v *view) addTypes(list []string) {
	if len(list) == 0 {
		return
	}
	set := types(0)
	for _, name := range list {
		set |= typesByName[name]
		if !v.typed {
			v.order = append(v.order, typesByName[name])
		}
	}
	if set&typeNumber != 0 {
		set |= typeInteger
	}
	if v.typed {
		set &= v.types
	}
	v.types, v.typed = set, true
}

// may reports whether the value may be of one of the types.
func (v *view) may(t types) bool { return !v.never && (!v.typed || v.types&t != 0) }
