package plain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/schema"
	"github.com/drover-go/drover/runs/internal/pagedata"
)

// shaped fills a schema from what has been read. Where several tables may be
// meant there are several results, the likeliest first; missing says why there
// is none, if that is known.
func shaped(schema json.RawMessage, reads []reading) (all []json.RawMessage, missing string) {
	for rank := range maxChoices {
		f := newFiller(schema, reads, rank)
		v, ok := f.fill(schema, nil, source{})
		if !ok {
			missing = cmp.Or(missing, f.missing)
		}
		if f.unsaid {
			return nil, missing
		}
		if !ok {
			continue
		}
		out := encode(v)
		if !slices.ContainsFunc(all, func(r json.RawMessage) bool { return bytes.Equal(r, out) }) {
			all = append(all, out)
		}
		if rank+1 >= f.tables {
			break
		}
	}
	return all, missing
}

// maxChoices is how many tables are tried for a list of objects.
const maxChoices = 3

// filler makes one value that may satisfy the schema.
type filler struct {
	schema json.RawMessage
	reads  []reading // the latest first
	rank   int
	tables int // how many tables there were to choose from, at most
	depth  int
	shapes map[string]shape
	// taken are the places on pages whose values are given away, and to whom.
	taken   map[place]owner
	columns map[columnKey]columnAt
	// checks are the compiled schemas of optional values.
	checks  map[string]*schema.Schema
	missing string
	// unsaid says that more than one table would do: none is taken.
	unsaid bool
}

// place is where a value stands.
type place struct {
	reading int
	table   *pagedata.Table // nil for what is in none
	at      int             // of a value or a column
	kind    placeKind
}

type placeKind uint8

const (
	valuePlace placeKind = iota
	cellPlace
	linkPlace
	imagePlace
	headingPlace
	titlePlace
	addressPlace
	textPlace
)

// owner is the property that has a value. Properties of the same name at
// different levels may share one.
type owner struct {
	name  string
	depth int
}

func newFiller(raw json.RawMessage, reads []reading, rank int) *filler {
	f := &filler{schema: raw, rank: rank, shapes: map[string]shape{}, taken: map[place]owner{}, columns: map[columnKey]columnAt{}, checks: map[string]*schema.Schema{}}
	for _, r := range slices.Backward(reads) {
		r.shaped = true
		r.want = r.want.forSchema(shapeOf(raw, raw))
		f.reads = append(f.reads, r)
	}
	return f
}

// source is where a value is taken from: a row, or the pages as a whole.
type source struct {
	reading int
	table   *pagedata.Table
	row     []pagedata.Cell
	// none says that what the task asks about is not there.
	none bool
	// qualified says that properties have to be named after their object, too.
	qualified bool
}

// maxDepth bounds schemas that contain themselves.
const maxDepth = 12

func (f *filler) shapeOf(raw json.RawMessage) shape {
	s, known := f.shapes[string(raw)]
	if !known {
		s = shapeOf(raw, f.schema)
		f.shapes[string(raw)] = s
	}
	return s
}

func (f *filler) fill(schema json.RawMessage, names []string, src source) (v any, ok bool) {
	if f.depth++; f.depth > maxDepth {
		f.depth--
		return nil, false
	}
	defer func() { f.depth-- }()
	s := f.shapeOf(schema)
	for _, choice := range s.choices {
		before := maps.Clone(f.taken)
		if v, ok := f.fill(choice, names, src); ok && v != nil {
			return v, true
		}
		f.taken = before
	}
	switch {
	case s.is("object"):
		v, ok = f.object(s, names, src)
	case s.is("array"):
		v, ok = f.array(s, names, src)
	}
	if !ok {
		v, ok = f.scalar(s, names, src)
	}
	if !ok && s.is("null") {
		return nil, true
	}
	return v, ok
}

// object fills what it can; ok is false if that is nothing. What is called
// exactly like a property is that one's, whatever comes first.
func (f *filler) object(s shape, names []string, src source) (v any, ok bool) {
	if src.table == nil && !src.none && f.hasValues(s) {
		src = f.aboutOne(s, src)
	}
	values := make([]any, len(s.props))
	found := make([]bool, len(s.props))
	for _, i := range f.byFit(s, src) {
		p, inner := s.props[i], src
		inner.qualified = f.shapeOf(p.schema).is("object") && f.sharesNames(s, i)
		values[i], found[i] = f.fill(p.schema, f.namesOf(p, names, src), inner)
		found[i] = found[i] && (slices.Contains(s.required, p.name) || f.valid(p.schema, values[i]))
	}
	var out object
	any := false
	for i, p := range s.props {
		if found[i] {
			out.set(p.name, values[i])
			any = any || values[i] != nil
		}
	}
	return out, any
}

// namesOf are what a property may be called. In an object that is a property
// itself it may be called after that.
func (f *filler) namesOf(p property, outer []string, src source) []string {
	own := f.shapeOf(p.schema).names(p.name)
	if len(outer) == 0 {
		return own
	}
	var all []string
	if !src.qualified {
		all = own
	}
	for _, o := range outer {
		for _, n := range own {
			all = append(all, o+" "+n)
		}
	}
	return all
}

// sharesNames reports whether another object beside this one has a property of
// the same name: then "name" alone is neither the buyer's nor the seller's.
func (f *filler) sharesNames(s shape, at int) bool {
	for i, other := range s.props {
		if i == at || !f.shapeOf(other.schema).is("object") {
			continue
		}
		for _, p := range f.shapeOf(s.props[at].schema).props {
			if slices.ContainsFunc(f.shapeOf(other.schema).props, func(q property) bool { return q.name == p.name }) {
				return true
			}
		}
	}
	return false
}

// byFit orders the properties: those first whose name stands on the page letter
// by letter.
func (f *filler) byFit(s shape, src source) []int {
	order := make([]int, len(s.props))
	fits := make([]float64, len(s.props))
	for i, p := range s.props {
		order[i], fits[i] = i, f.fitOf(p, src)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fits[b], fits[a]) })
	return order
}

func (f *filler) fitOf(p property, src source) (best float64) {
	names := f.shapeOf(p.schema).names(p.name)
	if src.table != nil {
		return f.column(src, names).score
	}
	for _, r := range f.reads {
		best = max(best, r.value(names...).score)
	}
	return best
}

// hasValues reports whether an object has single values of its own.
func (f *filler) hasValues(s shape) bool {
	return slices.ContainsFunc(s.props, func(p property) bool {
		types := f.shapeOf(p.schema).types
		return len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return t != "object" && t != "array" && t != "null" })
	})
}

// aboutOne is the row that an object is about, if the task names one.
func (f *filler) aboutOne(s shape, src source) source {
	for i, r := range f.reads {
		if !r.want.aboutRow() {
			continue
		}
		found, missing := r.subject(func(t *pagedata.Table) bool { return f.tableScore(source{reading: i, table: t}, s) > 0 })
		switch {
		case missing != "":
			f.missing = cmp.Or(f.missing, missing)
			return source{none: true, qualified: src.qualified}
		case found.row != nil:
			return source{reading: i, table: found.table, row: found.row, qualified: src.qualified}
		}
	}
	return src
}

func (f *filler) scalar(s shape, names []string, src source) (v any, ok bool) {
	if slices.Equal(s.types, []string{"object"}) || slices.Equal(s.types, []string{"array"}) || src.none {
		return nil, false
	}
	if src.table != nil {
		return f.take(f.rowCells(s, names, src), names, s, f.reads[src.reading].data.Lang)
	}
	for i, r := range f.reads {
		if v, ok := f.take(f.pageCells(s, f.wantedNames(names, r), i), names, s, r.data.Lang); ok {
			return v, true
		}
	}
	return nil, false
}

// placed is a cell and where it stands.
type placed struct {
	cell  pagedata.Cell
	at    place
	asked asked
}

// asked is the measure that a value is asked for in, and the label that it
// stands under.
type asked struct {
	measure names.Measure
	label   string
}

// take takes the first cell that is free and is of the right sort.
func (f *filler) take(cells []placed, names []string, s shape, lang string) (v any, ok bool) {
	who := owner{depth: f.depth}
	if len(names) > 0 {
		who.name = names[0]
	}
	for _, c := range cells {
		if other, taken := f.taken[c.at]; taken && (other.name != who.name || other.depth == who.depth) {
			continue
		}
		if v, ok := c.coerce(s, lang); ok {
			f.taken[c.at] = who
			return v, true
		}
	}
	return nil, false
}

// wantedNames are the names of a value; the root's are those the task has.
func (f *filler) wantedNames(names []string, r reading) []string {
	if len(names) > 0 {
		return names
	}
	names = r.want.names()
	for _, own := range []struct {
		name string
		on   bool
	}{{"page title", r.want.title}, {"url", r.want.url}, {"heading", r.want.heading}, {"text", r.want.text}} {
		if own.on {
			names = append(names, own.name)
		}
	}
	return names
}
