// Package items makes of the items of a dataset what a caller asks for: first
// records ([Transform]), then a document of them ([Write]). It knows JSON as text:
// what is not changed comes out as it was pushed.
package items

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

// Transform is what is done with each item, in the order of its fields. The zero
// value does nothing.
type Transform struct {
	// SkipFailed leaves out items that have an errorInfo.
	SkipFailed bool
	// Unwind are fields, one after the other: of an array comes a record for each
	// element, of an object one record, with its members in place of the field.
	Unwind []string
	// Flatten are fields whose objects become members with names such as "a.b".
	Flatten []string
	// Fields are picked in this order; nil picks all. With the name of a field
	// that was unwound comes what was in it.
	Fields []string
	// Omit are fields that are left out.
	Omit []string
	// Output are the new names of Fields, one for each; nil keeps them.
	Output []string
	// SkipHidden leaves out fields whose name begins with "#".
	SkipHidden bool
	// SkipEmpty leaves out records without fields.
	SkipEmpty bool

	ranks             map[string]int // places among Fields; see prepare
	flattens, omitted map[string]bool
}

// Prepare is to be called before [Transform.Each]. It looks names up from then on:
// neither the callers' lists nor the pushers' items are short.
func (t *Transform) Prepare() {
	t.ranks, t.flattens, t.omitted = make(map[string]int, len(t.Fields)), setOf(t.Flatten), setOf(t.Omit)
	for i, name := range t.Fields {
		if _, ok := t.ranks[name]; !ok {
			t.ranks[name] = i
		}
	}
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// Field is a member of a record.
type Field struct {
	rawjson.Member
	from string // the field that it was unwound out of; "" for none
	rank int    // its place among Fields
}

// Nothing reports whether items come out as they are.
func (t *Transform) Nothing() bool {
	return !t.SkipFailed && !t.SkipHidden && !t.SkipEmpty && len(t.Unwind)+len(t.Flatten)+len(t.Fields)+len(t.Omit) == 0
}

// Each calls yield with the records of an item, which are good until it returns.
func (t *Transform) Each(item []byte, yield func([]Field) error) error {
	record := fieldsOf(item)
	if t.SkipFailed && slices.ContainsFunc(record, failed) {
		return nil
	}
	return t.unwind(t.Unwind, record, yield)
}

func fieldsOf(object []byte) []Field {
	members := rawjson.Members(make([]rawjson.Member, 0, 16), object)
	record := make([]Field, len(members))
	for i, m := range members {
		record[i].Member = m
	}
	return record
}

func failed(f Field) bool {
	if f.Name != "errorInfo" {
		return false
	}
	switch string(f.Value) {
	case "null", "false", `""`, "{}":
		return false
	}
	return true
}

// finish does what concerns one record.
func (t *Transform) finish(record []Field, yield func([]Field) error) error {
	if len(t.Flatten) > 0 {
		record = t.flatten(record)
	}
	if t.Fields != nil {
		record = t.pick(record)
	}
	if len(t.Omit) > 0 {
		record = slices.DeleteFunc(record, func(f Field) bool { return t.omitted[f.Name] })
	}
	if t.Output != nil {
		record = t.rename(record)
	}
	if t.SkipHidden {
		record = slices.DeleteFunc(record, func(f Field) bool { return strings.HasPrefix(f.Name, "#") })
	}
	if t.SkipEmpty && len(record) == 0 {
		return nil
	}
	return yield(record)
}

// flatten puts members of objects in the place of the object, however deep.
// Arrays, and objects without members, stay.
func (t *Transform) flatten(record []Field) []Field {
	var out []Field
	for _, f := range record {
		if t.flattens[f.Name] {
			out = flat(out, f)
		} else {
			out = append(out, f)
		}
	}
	return lastOfEach(out)
}

func flat(out []Field, f Field) []Field {
	if f.Value[0] != '{' || len(f.Value) == 2 {
		return append(out, f)
	}
	for _, m := range rawjson.Members(nil, f.Value) {
		below := f
		below.Name, below.Value = f.Name+"."+m.Name, m.Value
		out = flat(out, below)
	}
	return out
}

// lastOfEach leaves one field of each name: the last value, at the first place.
func lastOfEach(record []Field) []Field {
	index := make(map[string]int, len(record))
	out := record[:0]
	for _, f := range record {
		if i, ok := index[f.Name]; ok {
			out[i] = f
			continue
		}
		index[f.Name] = len(out)
		out = append(out, f)
	}
	return out
}

// pick takes fields in the order of t.Fields, each once.
func (t *Transform) pick(record []Field) []Field {
	out := record[:0]
	for _, f := range record {
		rank, named := t.ranks[f.Name]
		origin, unwound := t.ranks[f.from]
		unwound = unwound && f.from != ""
		switch {
		case named && unwound:
			rank = min(rank, origin)
		case unwound:
			rank = origin
		case !named:
			continue
		}
		f.rank = rank
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b Field) int { return a.rank - b.rank })
	return out
}

// rename gives fields their new names. What was unwound out of a field keeps its
// own. Of two fields that come to have one name the last counts.
func (t *Transform) rename(record []Field) []Field {
	for i, f := range record {
		if t.Fields[f.rank] == f.Name {
			record[i].Name = t.Output[f.rank]
		}
	}
	return lastOfEach(record)
}
