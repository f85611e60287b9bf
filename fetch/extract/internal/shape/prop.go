package shape

import (
	"slices"
	"strings"

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
	splits    []split
	scores    map[string]int // of names on the page
	kind      int            // what its schema is of
	recipe    bool           // its schema is of a recipe
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

// split is a name of two: authorName is the name of an author.
type split struct{ outer, inner names.Name }

// read reads the name of a property and what is said of it.
func (p *prop) read() {
	if p.scores != nil {
		return
	}
	p.scores = map[string]int{}
	p.key = names.Parse(p.name)
	for o, depth := p.sub, 0; o != nil && depth < 4; o, depth = o.Ref, depth+1 {
		p.about = first(p.about, o.Description)
		p.about = first(p.about, o.Title)
	}
	if p.about == "" && p.sub.Items != nil {
		p.about = p.sub.Items.Description
	}
	p.concepts = p.key.Concepts
	if p.saysLittle() {
		p.tell(names.Tell(p.about))
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
	if p.is(prices...) {
		if p.per = names.Per(p.name); p.per == "" && !names.IsPer(p.name) {
			p.per = names.Per(p.about)
			p.perhaps = !names.IsGoods(p.per)
		}
		if p.per != "" && p.measure.Currency == "" {
			p.measure.Unit = mention.Unit{} // that of what is paid for, and not of the price
		}
	}
	p.vias, p.splits = viasOf(p.concepts), splitsOf(p.key)
}

// tell takes what a description says where the name says nothing.
func (p *prop) tell(t names.Told) {
	p.told = t
	if t.Concepts != nil {
		p.concepts, p.described = t.Concepts, true
	}
	if t.Label != "" {
		p.label = names.Parse(t.Label)
	}
}

// saysLittle reports whether the name of a property says less than its
// description would.
func (p *prop) saysLittle() bool {
	return len(p.concepts) == 0 || p.is("itemListElement", "text", "identifier", "position")
}

// splitsOf returns the ways to read a name as two.
func splitsOf(n names.Name) []split {
	var all []split
	for i := 1; i < min(len(n.Words), 4); i++ {
		all = append(all, split{names.Parse(strings.Join(n.Words[:i], " ")), names.Parse(strings.Join(n.Words[i:], " "))})
	}
	return all
}

// is reports whether a property is certainly one of the concepts.
func (p *prop) is(concepts ...string) bool {
	return len(p.concepts) > 0 && slices.Contains(concepts, p.concepts[0])
}
