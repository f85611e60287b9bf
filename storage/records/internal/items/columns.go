package items

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/drover-go/drover/storage/records/internal/rawjson"
)

// ErrNoColumns is a table of items without fields.
var ErrNoColumns = errors.New("items: there are no columns")

const (
	// maxColumns is how many columns a table has, the first in its order.
	maxColumns = 2000
	// maxColumnName is the longest name of one, in characters; fields with longer
	// ones are left out.
	maxColumnName = 200
)

// column is a column of a table: a field, or a value within one ("a/b", "a/0").
type column struct {
	rank int
	name string
}

func (c column) compare(o column) int {
	return cmp.Or(cmp.Compare(c.rank, o.rank), cmp.Compare(c.name, o.name))
}

// columns finds the columns that records have. It forgets what cannot be among
// the first, so that it does not grow with the number of names.
type columns struct{ all map[column]struct{} }

func (c *columns) add(col column) {
	if _, ok := c.all[col]; ok || utf8.RuneCountInString(col.name) > maxColumnName {
		return
	}
	if c.all[col] = struct{}{}; len(c.all) >= 2*maxColumns {
		for _, last := range c.sorted()[maxColumns:] {
			delete(c.all, last)
		}
	}
}

func (c *columns) sorted() []column {
	list := make([]column, 0, len(c.all))
	for col := range c.all {
		list = append(list, col)
	}
	slices.SortFunc(list, column.compare)
	return list
}

// table has the columns of a document's records, and puts each in a row of values.
type table struct {
	names []string
	index map[string]int
	row   [][]byte // nil for no value
	path  []byte
}

// table goes through all records to find the columns. Fields that are picked have
// a column even where no record has the field.
func (d *Document) table(src Source) (*table, error) {
	c := columns{all: map[column]struct{}{}}
	t := &table{index: map[string]int{}}
	ranked := make([]bool, len(d.Fields))
	err := d.records(src, func(record []Field) error {
		for _, f := range record {
			t.walk(f, func(name []byte, _ []byte) {
				if c.add(column{f.rank, string(name)}); f.rank < len(ranked) {
					ranked[f.rank] = true
				}
			})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for rank, there := range ranked {
		if name := d.outputName(rank); !there && !slices.Contains(d.Omit, d.Fields[rank]) {
			c.add(column{rank, name})
		}
	}
	t.take(c.sorted())
	if len(t.names) == 0 {
		return nil, ErrNoColumns
	}
	return t, nil
}

func (d *Document) outputName(rank int) string {
	if d.Output != nil {
		return d.Output[rank]
	}
	return d.Fields[rank]
}

// take makes the columns those of the table, each name once.
func (t *table) take(list []column) {
	for _, col := range list {
		if _, ok := t.index[col.name]; ok || len(t.names) == maxColumns {
			continue
		}
		t.index[col.name] = len(t.names)
		t.names = append(t.names, col.name)
	}
	t.row = make([][]byte, len(t.names))
}

// of is the row of a record, good until the next.
func (t *table) of(record []Field) [][]byte {
	clear(t.row)
	for _, f := range record {
		t.walk(f, func(name, value []byte) {
			if i, ok := t.index[string(name)]; ok {
				t.row[i] = value
			}
		})
	}
	return t.row
}

// walk calls each with the values within a field and the names of their columns.
func (t *table) walk(f Field, each func(name, value []byte)) {
	t.path = append(t.path[:0], f.Name...)
	t.within(f.Value, each)
}

func (t *table) within(value []byte, each func(name, value []byte)) {
	switch value[0] {
	case '{':
		for _, m := range rawjson.Members(nil, value) {
			t.below(m.Name, m.Value, each)
		}
	case '[':
		for i, e := range rawjson.Elements(nil, value) {
			t.below(strconv.Itoa(i), e, each)
		}
	default:
		each(t.path, value)
	}
}

// below goes one step down. A path that is too long has no columns.
func (t *table) below(name string, value []byte, each func(name, value []byte)) {
	length := len(t.path)
	if length > utf8.UTFMax*maxColumnName {
		return
	}
	t.path = append(append(t.path, '/'), name...)
	t.within(value, each)
	t.path = t.path[:length]
}
