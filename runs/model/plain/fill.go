package plain

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/drover-go/drover/internal/pagedata"
	"github.com/drover-go/drover/internal/schema"
)

// shaped fills a schema from what has been read; missing says why there is
// nothing, if that is known.
func shaped(raw json.RawMessage, reads []reading) (result json.RawMessage, missing string) {
	f := newFiller(raw, reads)
	v, ok := f.fill(f.top, nil, source{reads: f.reads})
	if !ok || f.unsaid {
		return nil, f.missing
	}
	return encode(v), ""
}

// filler makes one value that may satisfy the schema.
type filler struct {
	schema *schema.Schema
	top    *schema.Outline
	reads  []reading // the latest first
	depth  int
	shapes map[*schema.Outline]shape
	// taken are the facts that are given away, and to whom.
	taken map[use]owner
	// lacking counts what was required and not found.
	lacking int
	missing string
	// unsaid says that more than one table would do: none is taken.
	unsaid bool
}

// use is a fact, or only the address or image of it.
type use struct {
	fact *fact
	kind string
}

// owner is the property that has a value. Properties of the same name at
// different levels may share one.
type owner struct {
	name  string
	depth int
}

func newFiller(raw json.RawMessage, reads []reading) *filler {
	f := &filler{shapes: map[*schema.Outline]shape{}, taken: map[use]owner{}}
	f.schema, f.top = outlineOf(raw)
	for _, r := range slices.Backward(reads) {
		r.want = r.want.forSchema(f.shapeOf(f.top))
		f.reads = append(f.reads, r.ready(true))
	}
	return f
}

// source is where a value is taken from: a row, or the pages as a whole; nowhere
// if what the task asks about is not there.
type source struct {
	reads []reading
	inRow bool
	// qualified says that properties have to be named after their object, too.
	qualified bool
}

// maxDepth bounds schemas that contain themselves.
const maxDepth = 12

func (f *filler) shapeOf(o *schema.Outline) shape {
	s, known := f.shapes[o]
	if !known {
		s = shapeOf(o)
		f.shapes[o] = s
	}
	return s
}

func (f *filler) fill(o *schema.Outline, names []string, src source) (v any, ok bool) {
	isNull := false
	f.depth++
	defer func() { f.depth-- }()
	if f.depth > maxDepth || o == nil {
		return nil, false
	}
	all, before := f.shapeOf(o).variants(), f.taken
	for _, s := range all {
		if len(all) > 1 {
			f.taken = maps.Clone(before)
		}
		if v, ok = f.fillAs(s, names, src); ok && v != nil {
			return v, true
		}
		f.taken, isNull = before, isNull || s.is("null")
	}
	return nil, isNull
}

func (f *filler) fillAs(s shape, names []string, src source) (v any, ok bool) {
	switch {
	case s.is("object"):
		v, ok = f.object(s, names, src)
	case s.is("array"):
		v, ok = f.array(s, names, src)
	}
	if !ok && s.isSingle() {
		v, ok = f.scalar(s, names, src)
	}
	return v, ok
}

// object fills what it can; ok is false if that is nothing. What is called
// exactly like a property is that one's, whatever comes first.
func (f *filler) object(s shape, names []string, src source) (v any, ok bool) {
	hasValues := slices.ContainsFunc(s.Properties, func(p property) bool { return f.shapeOf(p.Schema).isSingle() })
	if !src.inRow && len(src.reads) > 0 && hasValues {
		src = f.aboutOne(s, src)
	}
	found := map[string]any{}
	for _, p := range f.byFit(s, src) {
		inner := src
		inner.qualified = f.sharesNames(s, p)
		v, ok := f.fill(p.Schema, f.namesOf(p, names, src), inner)
		fits, required := ok && f.valid(p.Schema, v), slices.Contains(s.Required, p.Name)
		if required && !fits {
			f.lacking++
		}
		if fits || required && ok {
			found[p.Name] = v
		}
	}
	var out object
	for _, p := range s.Properties {
		if v, isFound := found[p.Name]; isFound {
			out.set(p.Name, v)
			ok = ok || v != nil
		}
	}
	return out, ok
}

// maxSteps is how many steps the check of one value may take.
const maxSteps = 200_000

// valid reports whether a single value is what its schema allows. One that is
// optional is left out if not: the run need not fail for it. Objects and lists
// are for the whole schema to judge.
func (f *filler) valid(o *schema.Outline, v any) bool {
	switch v.(type) {
	case string, json.Number, bool:
		_, err := f.schema.ValidatePart(o, v, maxSteps)
		return err == nil
	}
	return true
}

// namesOf are what a property may be called. In an object that is a property
// itself it may be called after that.
func (f *filler) namesOf(p property, outer []string, src source) (all []string) {
	own := f.shapeOf(p.Schema).names(p.Name)
	if len(outer) == 0 || !src.qualified {
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
func (f *filler) sharesNames(s shape, p property) bool {
	has := func(props []property, name string) bool {
		return slices.ContainsFunc(props, func(q property) bool { return q.Name == name })
	}
	return slices.ContainsFunc(s.Properties, func(other property) bool {
		return other.Name != p.Name && slices.ContainsFunc(f.shapeOf(p.Schema).Properties, func(own property) bool { return has(f.shapeOf(other.Schema).Properties, own.Name) })
	})
}

// byFit orders the properties: those first whose name stands on the page letter
// by letter.
func (f *filler) byFit(s shape, src source) []property {
	fits := map[string]int{}
	for _, p := range s.Properties {
		for _, r := range src.reads {
			if all := r.choices(f.shapeOf(p.Schema).names(p.Name)); len(all) > 0 && all[0].rank < single {
				fits[p.Name] = max(fits[p.Name], all[0].score)
			}
		}
	}
	order := slices.Clone(s.Properties)
	slices.SortStableFunc(order, func(a, b property) int { return cmp.Compare(fits[b.Name], fits[a.Name]) })
	return order
}

// aboutOne is the row that an object is about, if the task names one.
func (f *filler) aboutOne(s shape, src source) source {
	for _, r := range f.reads {
		if !r.want.aboutRow() {
			continue
		}
		found, missing := r.subject(func(t *pagedata.Table) bool { return f.tableScore(r, t, s) > 0 })
		switch f.missing = cmp.Or(f.missing, missing); {
		case missing != "":
			src.reads = nil
		case found.row != nil:
			src.reads, src.inRow = []reading{r.in(found.table, found.row)}, true
		default:
			continue
		}
		break
	}
	return src
}

func (f *filler) scalar(s shape, names []string, src source) (v any, ok bool) {
	for _, r := range src.reads {
		if v, ok = f.take(r, src.names(names, r), s); ok {
			break
		}
	}
	return v, ok
}

// take takes the first fact of the names that is free and is of the right sort.
func (f *filler) take(r reading, names []string, s shape) (v any, ok bool) {
	who := owner{depth: f.depth}
	if len(names) > 0 {
		who.name = names[0]
	}
	for _, c := range r.choices(names) {
		kind := c.kind(names, s)
		u := use{c.fact, kind}
		other, taken := f.taken[u]
		if c.several || taken && (other.name != who.name || other.depth == who.depth) {
			continue
		}
		if v, ok := coerceIn(measureOf(names), c.label, onlyThe(c.cell, kind), s, r.data.Lang); ok {
			f.taken[u] = who
			return v, true
		}
	}
	return nil, false
}

// kind is which part of its cell a choice is, if it is not the text.
func (c choice) kind(names []string, s shape) string {
	isAddress := slices.Contains([]string{"uri", "url", "iri"}, s.Format)
	switch {
	case c.rank >= bare:
	case c.cell.Image != "" && hasSense(names, "image"):
		return "image"
	case c.cell.URL != "" && (isAddress || hasSense(names, "url")):
		return "link"
	}
	return ""
}

// hasSense reports whether one of the names has the sense.
func hasSense(names []string, sense string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(senses(n), sense) })
}

// names are those of a value; those of the whole are the task's.
func (src source) names(names []string, r reading) []string {
	if len(names) > 0 || src.inRow {
		return names
	}
	names = slices.Clip(r.want.names)
	for _, own := range r.want.own {
		if own == "title" {
			own = "page title"
		}
		names = append(names, own)
	}
	return names
}
