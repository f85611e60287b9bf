package plain

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/internal/schema"
)

// object is a JSON object that keeps its order.
type object []member

type member struct {
	name  string
	value any
}

// at is the member of a name; nil for none.
func (o object) at(name string) *member {
	if i := slices.IndexFunc(o, func(m member) bool { return m.name == name }); i >= 0 {
		return &o[i]
	}
	return nil
}

func (o *object) set(name string, value any) {
	if m := o.at(name); m != nil {
		m.value = value
		return
	}
	*o = append(*o, member{name, value})
}

// add keeps values of the same name beside each other.
func (o *object) add(name string, value any) {
	m := o.at(name)
	if m == nil {
		*o = append(*o, member{name, value})
		return
	}
	if list, ok := m.value.([]any); ok {
		m.value = append(list, value)
	} else if s, ok := value.(string); !ok || m.value != any(s) {
		m.value = []any{m.value, value}
	}
}

// as makes of the texts in an object what a schema wants of each; those that
// are nothing like it are left out.
func (o object) as(want *schema.Outline) (out object) {
	if want == nil {
		return o
	}
	s := shapeOf(want)
	for _, m := range o {
		text, isText := m.value.(string)
		if v, ok := coerce(pagedata.Cell{Text: text}, s, ""); isText && ok {
			out.set(m.name, v)
		} else if !isText && (!s.Typed || s.is("object") || s.is("array") || len(s.types) == 0) {
			out.set(m.name, m.value)
		}
	}
	return out
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(m.name))
		b.WriteByte(':')
		b.Write(encode(m.value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func encode(v any) json.RawMessage {
	raw, err := pagedata.Marshal(v)
	if err != nil {
		return json.RawMessage("null")
	}
	return raw
}
