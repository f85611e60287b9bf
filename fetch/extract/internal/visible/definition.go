package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// definitions reads definition lists: each term names the definitions after
// it, also where both stand in a div.
func (r *reader) definitions() {
	for i := range r.nodes {
		r.pass(i)
		if r.nodes[i].named(atom.Dl) && !r.nodes[i].is(inTable) {
			d := definition{reader: r, list: i}
			d.children(i, true)
		}
	}
}

// definition is where the reading of a list stands.
type definition struct {
	*reader
	list  int
	terms []int
	// defined says that the terms have had a definition: the next term begins
	// another group.
	defined bool
}

func (d *definition) children(i int, wrappers bool) {
	for c := i + 1; c < d.nodes[i].end; c = d.nodes[c].end {
		d.Meter.Step(1)
		switch n := &d.nodes[c]; {
		case n.named(atom.Dt):
			d.term(c)
		case n.named(atom.Dd):
			d.define(c)
		case wrappers && n.named(atom.Div, atom.Li):
			d.terms, d.defined = nil, false
			d.children(c, false)
		}
	}
}

func (d *definition) term(i int) {
	if d.defined {
		d.terms, d.defined = nil, false
	}
	d.terms = append(d.terms, i)
	d.nodes[i].flags |= isTaken
}

// maxTerms is how many terms may share their definitions.
const maxTerms = 8

func (d *definition) define(i int) {
	d.defined = true
	for _, t := range d.terms[:min(len(d.terms), maxTerms)] {
		n := &d.nodes[t]
		text := d.textOf(t)
		if strings.HasSuffix(text, "?") {
			d.question(t, i)
			continue
		}
		if items := d.listIn(i); len(items) > 1 {
			d.addItems(n.part, nameOf(text), items, graph.Definition)
			continue
		}
		d.add(n.part, nameOf(text), d.value(i, graph.Definition))
	}
	d.nodes[i].flags |= isTaken
}

// question adds a question and its answer as an entity.
func (r *reader) question(q, a int) {
	part := r.nodes[q].part
	if r.entities >= r.o.MaxEntities {
		return
	}
	e := &graph.Entity{Source: graph.Item, Element: r.elementOf(q)}
	v := r.thing(e, a)
	v.Shown = r.textOf(q)
	r.add(part, "questions", v)
	in := r.newPart(e, q, part)
	r.askAndAnswer(in, r.value(q, 0), r.textValue(strings.TrimSpace(r.text[r.nodes[a].from:r.nodes[a].to]), 0, r.elementOf(a)))
}

// askAndAnswer fills the entity of a question.
func (r *reader) askAndAnswer(part int, title, answer graph.Value) {
	title.Text, answer.Text = plainQuestion(title.Text), plainAnswer(answer.Text)
	r.add(part, "title", title)
	r.add(part, "text", answer)
	if strings.HasSuffix(title.Text, "?") || strings.HasSuffix(title.Text, "？") {
		r.add(part, "question", title)
		r.add(part, "answer", answer)
	}
}
