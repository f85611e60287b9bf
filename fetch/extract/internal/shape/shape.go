// Package shape fills a JSON Schema from what a page says.
//
// A schema is looked at as a view (view.go): the subschemas for one value are
// put together, with their names and descriptions read. A thing is looked for
// on the page that has the most of what the schema asks for (main.go). Each
// property is then searched for in that thing and its parts, and last on the page
// itself (search.go), the field that fits it best first (score.go). A value that
// only looks like what is asked for is left (doubt.go); another is brought into
// the type that is asked for (coerce.go) and checked against its part of the
// schema, and the next is tried where it does not pass. In the end the whole is
// checked (settle.go).
//
// Nothing is guessed: what no name leads to is left out, and so is what could
// mean two things.
package shape

import (
	"cmp"
	"context"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/errtypes"
	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/effort"
	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/schema"
)

// Options are the settings of [Fill].
type Options struct {
	// PageURL is the address of the page, or "".
	PageURL string
	// Language is the tag of the page's language, or "".
	Language string
	// Resolve makes an address absolute, "" if it is none. Required.
	Resolve func(string) string
	// Field is how the caller's users know the schema. Default "schema".
	Field string
	// MaxWork is how many steps filling may take, MaxDepth how deep the content may
	// nest, MaxItems how many items an array may get, and MaxMembers how many members
	// that the schema does not name, or pairs of a name and a value. Their defaults
	// are those of the options of package extract.
	MaxWork, MaxDepth, MaxItems, MaxMembers int
	// Shown returns the list of a concept that people see on the page, told by what it
	// looks like. Default there is none.
	Shown func(concept string) Shown
	// Amount parts an ingredient into how much of it there is, in which unit, and the
	// rest; what it does not say is "". Default it is not parted.
	Amount func(ingredient string) (amount, unit, rest string)
	// Body gives the text of the page's content and the element that holds it. It is
	// asked for once, when a property asks for the text of an article. Default there is none.
	Body func() (text string, in *html.Node, err error)
	// Itself gives what the page says of itself, decided among all who say it: its title,
	// who wrote it and when. It is asked for once. Default that is not decided.
	Itself func() *graph.Entity
}

func (o Options) withDefaults() Options {
	o.Field = cmp.Or(o.Field, "schema")
	o.MaxWork = cmp.Or(o.MaxWork, 3_000_000)
	o.MaxDepth = cmp.Or(o.MaxDepth, 16)
	o.MaxItems = cmp.Or(o.MaxItems, 2_000)
	o.MaxMembers = cmp.Or(o.MaxMembers, 200)
	return o
}

// Result is a filled schema.
type Result struct {
	// Content is a JSON object, its properties in the order of the schema.
	Content []byte
	// Unsatisfied are the JSON Pointers into the content of what the schema
	// wants and the page does not have, in the order of the places.
	Unsatisfied []string
	// Origins say of each scalar value in the content where it was found, in the
	// order of the content.
	Origins []Origin
	// Steps is how many steps the filling took.
	Steps int

	sh   *shaper
	node *node
	top  *schema.Outline
}

// Origin is where a value was found.
type Origin struct {
	// Pointer is the JSON Pointer of the value in the content.
	Pointer string
	// Entity and Name are the thing it was found in and the name it has there.
	Entity *graph.Entity
	Name   string
	// Value is what was found.
	Value graph.Value
}

// Fill fills the schema from the graph. Error kinds: Invalid, for a schema that
// asks for more than the page can be searched for; the cause of a context that
// ends is returned as it is.
func Fill(ctx context.Context, g *graph.Graph, s *schema.Schema, o Options) (*Result, error) {
	o = o.withDefaults()
	top, err := s.Outline()
	if err != nil {
		return nil, err
	}
	sh := &shaper{
		m: effort.NewMeter(ctx, "shape", o.MaxWork), schema: s, o: o,
		views: map[*schema.Outline]*view{}, names: map[string]*names.Name{}, indexes: map[*graph.Entity]*names.Index{},
		witnesses: map[[2]string]bool{},
	}
	var r *Result
	err = sh.m.Run(func() error {
		sh.survey(g)
		filled := sh.root(top)
		if sh.bodyErr != nil {
			return sh.bodyErr
		}
		r, err = sh.settle(filled, top)
		return err
	})
	if err != nil && ctx.Err() == nil && errtypes.KindOf(err) == errtypes.BadGateway {
		return nil, errtypes.Field(o.Field, "asks for more than a page can be searched for: it takes more than %d steps on this one", o.MaxWork)
	}
	return r, err
}

// shaper is one filling.
type shaper struct {
	m      *effort.Meter
	schema *schema.Schema
	o      Options
	views  map[*schema.Outline]*view
	names  map[string]*names.Name // of fields, as they are on the page
	things things
	title  string // of the schema: what is asked for

	// lenient is the list whose items may all miss something, while it is
	// searched for again: in the first search, one of them has all.
	lenient *prop

	around []*html.Node // the elements around the lists of a recipe, once they were asked for

	bodyErr   error
	witnesses map[[2]string]bool
	indexes   map[*graph.Entity]*names.Index
}

// name returns the name of a field, read once.
func (sh *shaper) name(text string) names.Name {
	if n := sh.names[text]; n != nil {
		return *n
	}
	sh.m.Step(nameSteps)
	n := names.Parse(text)
	sh.names[text] = &n
	return n
}

// root fills the schema of the whole.
func (sh *shaper) root(top *schema.Outline) *node {
	v := sh.view(top)
	sh.title = v.Title
	best := &node{kind: object}
	for _, v := range sh.variants(v) {
		if !v.may(typeObject) {
			continue
		}
		found := sh.fillObject(v, sh.mainScope(v))
		if found != nil && found.filled > best.filled && (best.filled == 0 || sh.passes(top, found) || !sh.passes(top, best)) {
			best = found
		}
	}
	if len(v.props) == 0 && len(best.members) == 0 {
		return cmp.Or(sh.rootOfPairs(top, v), best)
	}
	return best
}

// rootOfPairs fills a schema that names no members and whose title or
// description says that they are what the page says of its thing.
func (sh *shaper) rootOfPairs(top *schema.Outline, v *view) *node {
	p, s := &prop{name: v.Title, sub: top}, scope{}
	if p.read(); !wantsPairs(p) {
		return nil
	}
	for _, t := range sh.things.all {
		if t.primary && t.depth == 0 {
			s.entities = append(s.entities, t.entity)
		}
	}
	return sh.addPairs(nil, v, sh.pairs(p, s))
}

// passes checks a value against its part of the schema.
func (sh *shaper) passes(o *schema.Outline, n *node) bool {
	sh.m.Step(n.filled)
	taken, err := sh.schema.ValidatePart(o, n.plain(), validationSteps)
	sh.m.Step(taken)
	return err == nil
}

// validationSteps is how many steps one check may take.
const validationSteps = 200_000
