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
			r.priceTerms(&d)
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
	// count is how many definitions there are, and priced those that are amounts
	// of money, with what costs them.
	count  int
	priced []pricedTerm
}

func (d *definition) children(i int, wrappers bool) {
	for c := i + 1; c < d.nodes[i].end; c = d.nodes[c].end {
		d.Meter.Step(1)
		switch n := &d.nodes[c]; {
		case n.named(atom.Dt):
			if d.defined {
				d.terms, d.defined = nil, false
			}
			d.terms = append(d.terms, c)
			for in := c; in < n.end; in++ {
				d.nodes[in].flags |= isTerm
			}
		case n.named(atom.Dd):
			d.define(c)
		case wrappers && n.named(atom.Div, atom.Li):
			d.terms, d.defined = nil, false
			d.children(c, false)
		}
	}
}

// maxTerms is how many terms may share their definitions.
const maxTerms = 8

func (d *definition) define(i int) {
	d.defined = true
	d.count++
	if text := d.textOf(i); len(d.terms) == 1 && hasDigit(text) && isMoney(text) {
		if priced, ok := newPriced(d.textOf(d.terms[0]), text); ok {
			d.priced = append(d.priced, pricedTerm{priced, d.terms[0], i})
		}
	}
	n := &d.nodes[i]
	for _, t := range d.terms[:min(len(d.terms), maxTerms)] {
		text := d.textOf(t)
		if strings.HasSuffix(text, "?") {
			d.addQuestion(t, plainQuestion(text), plainAnswer(strings.TrimSpace(d.text[n.from:n.to])))
		} else if items := d.listIn(i); len(items) > 1 {
			d.addItems(d.nodes[t].part, nameOf(text), items, graph.Definition)
		} else {
			d.add(d.nodes[t].part, nameOf(text), d.value(i, graph.Definition))
		}
	}
}

// askAndAnswer fills the entity of a question.
func (r *reader) askAndAnswer(part, q int, answer graph.Value) {
	title := r.value(q, 0)
	title.Text, answer.Text = plainQuestion(title.Text), plainAnswer(answer.Text)
	r.add(part, "title", title)
	r.add(part, "text", answer)
	if strings.HasSuffix(title.Text, "?") || strings.HasSuffix(title.Text, "？") {
		r.add(part, "question", title)
		r.add(part, "answer", answer)
	}
}

// itemsOf returns the items of a list with words, or nil for one whose items
// are things of their own.
func (r *reader) itemsOf(list int) []int {
	var items []int
	for c := list + 1; c < r.nodes[list].end && len(items) < maxTexts; c = r.nodes[c].end {
		r.Meter.Step(1)
		n := &r.nodes[c]
		if !n.named(atom.Li) || n.is(isMember) {
			return nil
		}
		if n.from < n.to {
			items = append(items, c)
		}
	}
	return items
}

// listIn returns the items of the list that is all there is in node i, or nil.
func (r *reader) listIn(i int) []int {
	if in := r.unwrapped(i); r.nodes[in].named(atom.Ul, atom.Ol) {
		return r.itemsOf(in)
	}
	return nil
}

// listAt returns the items of the list that begins with a line, or nil.
func (r *reader) listAt(at int) []int {
	l := &r.lines[at]
	for i, n := r.nodes[l.first].up, 0; i >= 0 && n < 5 && r.nodes[i].from == l.from; i, n = r.nodes[i].up, n+1 {
		if r.nodes[i].named(atom.Ul, atom.Ol) {
			return r.itemsOf(i)
		}
	}
	return nil
}

// addItems adds each item of a list as a value of the part that the label is
// in.
func (r *reader) addItems(part int, name string, items []int, from graph.Source) {
	for _, i := range items {
		r.add(part, name, r.value(i, from))
	}
}
