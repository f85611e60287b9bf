package records

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"github.com/drover-go/drover/storage"
	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

const (
	// maxFields is how many fields of a dataset are told by name, and counted.
	maxFields = 2000
	// maxFieldName is the longest name of one that is, in bytes.
	maxFieldName = 200
)

// fields are those of the items of a push: the names that may be new, and what the
// values come to where the dataset has a schema.
type fields struct {
	known map[string]struct{} // in quotes, as written; not to be changed
	fresh map[string]string   // in quotes: the name
	stats map[string]FieldStatistics
}

func newFields(st row, known *knownFields) *fields {
	f := &fields{known: known.of(st.ID), fresh: map[string]string{}}
	if schemaOf(st.Schema).Fields != nil {
		f.stats = map[string]FieldStatistics{}
	}
	return f
}

// of looks at an item and reports whether it has a field that is not hidden.
func (f *fields) of(item []byte) (clean bool) {
	rawjson.Names(item, func(quoted []byte) {
		if quoted[1] != '#' {
			clean = true
		}
		if _, ok := f.known[string(quoted)]; ok || len(quoted) > maxFieldName+2 || len(f.fresh) >= maxFields {
			return
		}
		if _, ok := f.fresh[string(quoted)]; !ok {
			f.fresh[string(quoted)] = rawjson.Text(quoted)
		}
	})
	if f.stats != nil {
		f.count(item)
	}
	return clean
}

func (f *fields) count(item []byte) {
	for _, m := range rawjson.Members(nil, item) {
		s, ok := f.stats[m.Name]
		if ok || len(m.Name) <= maxFieldName && len(f.stats) < maxFields {
			s.add(m.Value)
			f.stats[m.Name] = s
		}
	}
}

func (s *FieldStatistics) add(value []byte) {
	size, ok := 0, true
	switch value[0] {
	case 'n':
		s.Nulls++
		return
	case 't', 'f':
		return
	case '"':
		size = len(utf16.Encode([]rune(rawjson.Text(value))))
	case '[':
		size = len(rawjson.Elements(nil, value))
	case '{':
		size = len(rawjson.Members(nil, value))
	default:
		var n float64
		if n, ok = rawjson.Number(value); ok {
			s.bound(n)
		}
		return
	}
	if s.bound(float64(size)); size == 0 {
		s.Empties++
	}
}

// bound widens the range.
func (s *FieldStatistics) bound(n float64) {
	if s.Min == nil || n < *s.Min {
		s.Min = &n
	}
	if s.Max == nil || n > *s.Max {
		s.Max = &n
	}
}

// write adds what is new to the rows.
func (f *fields) write(ctx context.Context, q storage.Querier, store int64) error {
	if len(f.fresh) > 0 {
		if err := insertFields(ctx, q, store, slices.Sorted(maps.Values(f.fresh))); err != nil {
			return err
		}
	}
	for name, s := range f.stats {
		if err := countField(ctx, q, store, name, s); err != nil {
			return err
		}
	}
	return nil
}

// knownFields remembers which fields of a dataset have a row, so that a push of
// what was pushed before asks for none.
type knownFields struct {
	mu sync.Mutex
	by map[string]map[string]struct{}
}

// maxKnown is how many datasets are remembered.
const maxKnown = 1000

func (k *knownFields) of(id string) map[string]struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.by[id]
}

// remember replaces the set, which others may be reading.
func (k *knownFields) remember(id string, fresh map[string]string) {
	if len(fresh) == 0 {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.by) >= maxKnown {
		clear(k.by)
	}
	all := maps.Clone(k.by[id])
	if all == nil {
		all = map[string]struct{}{}
	}
	for quoted := range fresh {
		if len(all) < 2*maxFields {
			all[strings.Clone(quoted)] = struct{}{}
		}
	}
	k.by[id] = all
}
