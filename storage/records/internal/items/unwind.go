package items

import (
	"slices"

	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

// unwind goes depth first, so that there are never more records at a time than
// fields to unwind.
func (t *Transform) unwind(names []string, record []Field, yield func([]Field) error) error {
	if len(names) == 0 {
		return t.finish(record, yield)
	}
	at := slices.IndexFunc(record, func(f Field) bool { return f.Name == names[0] })
	if at < 0 {
		return t.unwind(names[1:], record, yield)
	}
	value := record[at].Value
	switch value[0] {
	case '{':
		return t.unwind(names[1:], merged(record, at, value), yield)
	case '[':
		return t.unwindArray(names, record, at, yield)
	}
	return t.unwind(names[1:], record, yield)
}

func (t *Transform) unwindArray(names []string, record []Field, at int, yield func([]Field) error) error {
	elements := rawjson.Elements(nil, record[at].Value)
	if len(elements) == 0 {
		return t.unwind(names[1:], slices.Delete(slices.Clone(record), at, at+1), yield)
	}
	for _, e := range elements {
		one := slices.Clone(record)
		if one[at].Value = e; e[0] == '{' {
			one = merged(record, at, e)
		}
		if err := t.unwind(names[1:], one, yield); err != nil {
			return err
		}
	}
	return nil
}

// merged is a record whose field at a place is replaced by the members of an
// object: those it has take the new value, the others come behind.
func merged(record []Field, at int, object []byte) []Field {
	from := record[at].Name
	out := slices.Delete(slices.Clone(record), at, at+1)
	index := indexOf(out)
	for _, f := range fieldsOf(object) {
		f.from = from
		if i, ok := index[f.Name]; ok {
			out[i] = f
			continue
		}
		index[f.Name] = len(out)
		out = append(out, f)
	}
	return out
}

func indexOf(record []Field) map[string]int {
	index := make(map[string]int, len(record))
	for i, f := range record {
		index[f.Name] = i
	}
	return index
}
