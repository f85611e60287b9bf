package shape

import (
	"cmp"
	"slices"
	"strings"

	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/schema"
)

// prop is a property that is wanted.
type prop struct {
	name      string
	key       names.Name
	concepts  []string      // what it may be: by its name, else by its description
	described bool          // it is by its description
	told      names.Told    // what its description asks for, where its name says nothing
	label     names.Name    // another name that a page may have for it, by its description
	about     string        // its description, its own or that of its schema
	measure   names.Measure // what its numbers are in
	per       string        // for how much of it, or how long, a price is
	perhaps   bool          // that is only described: a price of which nothing is said will do
	sub       *schema.Outline
	required  bool
	vias      []via
	scores    map[string]int // of names on the page
	kind      int            // what its schema is of
}

// propOf returns a property that asks for a concept alone.
func propOf(concept string, sub *schema.Outline) *prop {
	of := []string{concept}
	return &prop{name: concept, key: names.Parse(concept), concepts: of, vias: viasOf(of), sub: sub, scores: map[string]int{}}
}

// via is the key of a field in whose things a concept may be.
type via struct{ key, concept string }

// viasOf returns the fields below which a property may be found.
func viasOf(concepts []string) []via {
	var all []via
	for _, c := range concepts[:min(len(concepts), 2)] {
		for _, name := range names.Vias(c) {
			all = append(all, via{strings.ToLower(name), c})
		}
	}
	return all
}

// What a schema is of, by the properties that stand together in it.
const (
	ofAnything = iota
	ofRecipe
	ofEvent
	ofJob
	ofProduct
)

// kindSets are the sets of concepts of which two say what a schema is of.
var kindSets = [...]string{ofRecipe: "ofRecipe", ofEvent: "ofEvent", ofJob: "ofJob", ofProduct: "ofProduct"}

// kindOf returns what properties that stand together are of.
func kindOf(props []*prop) int {
	for kind, set := range kindSets {
		n := 0
		for _, p := range props {
			if p.of(set) {
				n++
			}
		}
		if n > 1 {
			return kind
		}
	}
	return ofAnything
}

// read reads the name of a property and what is said of it.
func (p *prop) read() {
	p.scores = map[string]int{}
	p.key = names.Parse(p.name)
	for o, depth := p.sub, 0; o != nil && depth < 4; o, depth = o.Ref, depth+1 {
		p.about = cmp.Or(p.about, o.Description, o.Title)
	}
	p.concepts = p.key.Concepts
	if len(p.concepts) == 0 || p.is("itemListElement", "text", "identifier", "position") {
		p.told = names.Tell(p.about) // which says more than the name
		if p.told.Concepts != nil {
			p.concepts, p.described = p.told.Concepts, true
		}
		if p.told.Label != "" {
			p.label = names.Parse(p.told.Label)
		}
	}
	if family := p.titleOf(); len(p.concepts) > 0 && family != "" && family != "JobPosting" && family != "Question" {
		p.concepts = []string{"name", "headline"}
		if !p.described {
			p.key.Concepts = p.concepts
		}
	}
	if p.measure = names.MeasureOf(p.name); !p.measure.Known() {
		p.measure = names.DescribedMeasure(p.about)
	}
	if p.of("price") {
		if p.per = names.Per(p.name); p.per == "" && !names.IsPer(p.name) {
			p.per = names.Per(p.about)
			p.perhaps = !names.IsGoods(p.per)
		}
		if p.per != "" && p.measure.Currency == "" {
			p.measure.Unit = mention.Unit{} // that of what is paid for, and not of the price
		}
	}
	p.vias = viasOf(p.concepts)
}

// is reports whether a property is certainly one of the concepts.
func (p *prop) is(concepts ...string) bool {
	return len(p.concepts) > 0 && slices.Contains(concepts, p.concepts[0])
}

// Sets of concepts, of names of fields and of kinds of things, by their names.
var (
	sets = lexicon.Listed(files, "sets")
	isIn = lexicon.Is(files, "sets")
)

// of reports whether a property is certainly one of a set of concepts.
func (p *prop) of(set string) bool { return len(p.concepts) > 0 && isIn(set, p.concepts[0]) }
