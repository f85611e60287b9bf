package visible

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// labels reads values that have a label: elements of a label and a value that
// are repeated, lines such as "Price: 12", lines under a label, and phrases.
func (r *reader) labels() {
	for _, p := range r.pairs {
		label, value := r.pairOf(p)
		part := r.nodes[p].part
		if r.nodes[p].is(isMember) {
			part = r.parts[part].around
		}
		r.add(part, label, r.said(p, oneLine(value), graph.Label))
	}
	for i, s := range r.texts() {
		if first := r.lines[i].first; !r.nodes[first].is(inTable | isTerm) {
			r.labelled(i, s)
			r.phrases(first, s)
		}
	}
	r.offerWork()
	r.home()
	for i, n := range r.all() {
		if !n.is(isText) && len(n.el.Attr) > 0 {
			name, value := mention.SplitLabel(oneLine(attr(n.el, "aria-label")))
			r.add(n.part, name, r.said(i, value, graph.Label))
		}
	}
}

// labelled reads a line.
func (r *reader) labelled(at int, text string) {
	l := &r.lines[at]
	if len(text) > mention.MaxLabelled || r.isCode(l.first) {
		return
	}
	open, found := l.first, false // the element that the line begins with
	for up := r.nodes[open].up; up >= 0 && r.nodes[up].from == l.from && r.nodes[up].to < l.to; up = r.nodes[up].up {
		r.Meter.Step(1)
		open = up
	}
	for i := open; i <= l.last; i++ { // several elements with a label each
		r.Meter.Step(1)
		if n := &r.nodes[i]; !n.is(isText|isBlock) && n.from >= l.from && n.to <= l.to && n.to-n.from < l.to-l.from {
			name, value := mention.SplitLabel(r.text[n.from:n.to])
			if name == "" {
				name, value = r.lengthIn(i)
			}
			if name != "" {
				r.addLabelled(i, name, value)
				found, i = true, n.end-1
			}
		}
	}
	if found {
		return
	}
	if n := &r.nodes[open]; n.named(atom.B, atom.Strong, atom.Label) || n.is(saysLabel) {
		value := strings.TrimLeft(r.text[n.to:l.to], " :：-–—\u00A0")
		if name := mention.Label(r.text[n.from:n.to]); startsValue(value) && countWords(name) <= 5 && !n.is(hasLink) {
			value, text, _ = strings.Cut(value, " | ")
			r.addLabelled(l.first, name, value)
		}
	}
	for _, s := range mention.Parts(text) {
		if name, value := mention.SplitLabel(s); name != "" {
			r.addLabelled(l.first, name, value)
		}
	}
	r.above(at)
}

// lengthIn reads an element that is a label in an element of its own and a length of time:
// several of them may stand in one line.
func (r *reader) lengthIn(i int) (name, value string) {
	n := &r.nodes[i]
	label := i + 1
	if label >= n.end || !r.nodes[label].named(atom.B, atom.Strong, atom.Span, atom.Label) || r.nodes[label].from != n.from || n.to-n.from > maxPattern {
		return "", ""
	}
	value = strings.TrimSpace(r.text[r.nodes[label].to:n.to])
	if _, ok := mention.Duration(value); !ok || strings.IndexFunc(value, unicode.IsLetter) <= 0 {
		return "", ""
	}
	return mention.Label(r.text[n.from:r.nodes[label].to]), value
}

// isCode reports whether a text is that of a program: what it calls its fields says
// nothing of the page.
func (r *reader) isCode(i int) bool {
	return r.around(i, nearHeading, func(n *node) bool { return n.named(atom.Code) }) >= 0
}

// startsValue reports whether a text after a label without a colon can be its
// value: a sentence goes on in lower case or with a comma.
func startsValue(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return s != "" && !unicode.IsLower(c) && !strings.ContainsRune(",.);", c)
}

// easternPrices are labels of prices that are one word of several signs, with
// the name of what they are of.
var easternPrices = lexicon.ByWord(files, "eastern")

// addLabelled adds a value with a label that stands at node i.
func (r *reader) addLabelled(i int, name, value string) {
	if mention.IsAmountLabel(name) && strings.Contains(value, "%") && !mention.IsMoney(value) {
		name = "discount"
	}
	v := r.said(i, oneLine(value), graph.Label)
	r.add(r.nodes[i].part, name, v)
	if is("admission", strings.ToLower(name)) && mention.IsMoney(value) {
		r.add(r.nodes[i].part, "price", v)
	}
}

// above reads a line that is a label of what begins on the next one: it ends
// with a colon, or its class says so, or it is in bold above a list. A list gives
// each of its items.
func (r *reader) above(at int) {
	if at+1 >= len(r.lines) {
		return
	}
	l, next := &r.lines[at], &r.lines[at+1]
	text, value := r.lineText(at), r.lineText(at+1)
	up, name := r.nodes[l.first].up, mention.Label(text)
	isLabel := strings.HasSuffix(text, ":") || r.nodes[up].is(saysLabel)
	if !isLabel && (!r.nodes[up].named(atom.B, atom.Strong) || r.nodes[up].to < l.to) || name == "" || countWords(name) > 5 ||
		r.nodes[next.first].part != r.nodes[l.first].part || !r.areNear(l.first, next.first) {
		return
	}
	if items := r.listAt(at + 1); len(items) > 1 {
		if r.headingLevel(up) == 0 && r.around(up, nearHeading, func(n *node) bool { return n.level > 0 }) < 0 { // what stands under headings is read as a section
			r.addItems(r.nodes[l.first].part, name, items, graph.Label)
		}
		return
	}
	if other, _ := mention.SplitLabel(value); other != "" || r.around(next.first, 2, func(n *node) bool { return n.level > 0 || n.named(atom.Button, atom.Label, atom.Select) }) >= 0 {
		return // this one has no value
	}
	if isLabel && len(value) <= mention.MaxLabelled && !strings.HasSuffix(value, ":") && !r.nodes[r.nodes[next.first].up].is(saysLabel) {
		r.addLabelled(next.first, name, value)
	}
}

// areNear reports whether the second of two texts is at most two elements away
// from the first.
func (r *reader) areNear(a, b int) bool {
	for n := 0; n < 3 && a >= 0; n++ {
		if a = r.nodes[a].up; a >= 0 && r.nodes[a].end > b {
			return true
		}
	}
	return false
}

// isPair reports whether an element is made of a label and a value, each an
// element or a line.
func (r *reader) isPair(i int) bool {
	label, value := r.pairOf(i)
	return label != "" && value != ""
}

// pairOf returns the two texts of an element that are a label and a value, or "".
func (r *reader) pairOf(i int) (label, value string) {
	n := &r.nodes[i]
	if n.is(hasImage|hasTable|inTable) || n.to-n.from > mention.MaxLabelled {
		return "", ""
	}
	at := r.textsIn(r.unwrapped(i), 3)
	if n.is(hasHeading) {
		return r.headedPair(at)
	}
	if len(at) != 2 || r.nodes[at[0]].is(isText|hasLink) || r.nodes[at[1]].is(hasLink) && r.nodes[at[1]].named(atom.Ul, atom.Ol, atom.Nav) {
		return "", ""
	}
	first, second := r.textOf(at[0]), r.textOf(at[1])
	if countWords(second) <= 3 && isFigure(first, second) {
		return mention.Label(second), first // as people see figures above what they are of
	}
	label = mention.Label(first)
	value = strings.TrimLeft(second, ":： ")
	if countWords(label) > 5 || strings.Count(value, "\n") > 3 {
		return "", ""
	}
	return label, value
}

// headedPair returns a small heading that names something and the line below it, or "".
func (r *reader) headedPair(at []int) (label, value string) {
	if len(at) != 2 || r.nodes[at[0]].level < 3 || r.nodes[at[1]].is(hasHeading|hasLink|isText) {
		return "", ""
	}
	label, value = mention.Label(r.textOf(at[0])), r.textOf(at[1])
	if names.Parse(label).Concepts == nil || len(value) > maxPerson || strings.Contains(value, "\n") || mention.EndsSentence(value) ||
		mention.IsMoney(value) && !isCalled("money concept", label) || strings.Contains(strings.ToLower(value), strings.ToLower(label)) {
		return "", ""
	}
	return label, value
}

// isFigure reports whether a text is an amount of what a label says, and no more: money of a
// price, a number of rooms. Steps and chapters have numbers, too.
func isFigure(s, label string) bool {
	if len(s) > maxMoney || !mention.HasDigit(s) || mention.HasDigit(label) || countWords(s) > 2 {
		return false
	}
	return mention.IsMoney(s) && isCalled("money concept", label) || s[0] >= '0' && s[0] <= '9' && isCalled("number concept", label)
}

// isCalled reports whether a label names one of a list of concepts.
func isCalled(list, label string) bool {
	return slices.ContainsFunc(names.Parse(label).Concepts, func(c string) bool { return is(list, strings.ToLower(c)) })
}

// textsIn returns the children of a node that have words, up to a number.
func (r *reader) textsIn(i, most int) (at []int) {
	for c, n := range r.below(i) {
		if len(at) == most {
			break
		} else if n.from < n.to {
			at = append(at, c)
		}
	}
	return at
}

// unwrapped returns the innermost element that holds all words of node i.
func (r *reader) unwrapped(i int) int {
	for n := 0; n < 4; n++ {
		c := i + 1
		if c >= r.nodes[i].end || r.nodes[c].is(isText) || r.nodes[c].from != r.nodes[i].from || r.nodes[c].to != r.nodes[i].to {
			return i
		}
		i = c
	}
	return i
}

// saysLabel reports whether the first text of a pair says that it is a label,
// by a colon or its class.
func (r *reader) saysLabel(i int) bool {
	i = r.unwrapped(i)
	at := r.textsIn(i, 1)
	return len(at) > 0 && (strings.HasSuffix(r.textOf(at[0]), ":") || r.nodes[at[0]].is(saysLabel) ||
		r.nodes[at[0]].named(atom.B, atom.Strong, atom.Label) && r.nodes[i].lineEnd-r.nodes[i].line == 1)
}

// definitions reads definition lists: each term names the definitions after
// it, also where both stand in a div.
func (r *reader) definitions() {
	for i := range r.nodes {
		r.pass(i)
		if r.nodes[i].named(atom.Dl) && !r.nodes[i].is(inTable) {
			d := definition{reader: r, define: r.define}
			d.children(i)
		}
	}
}

// definition is where the reading of a list stands.
type definition struct {
	*reader
	// define is told of each definition of these terms.
	define func(terms []int, i int)
	terms  []int
	// defined says that the terms have had a definition: the next term begins
	// another group.
	defined bool
}

func (d *definition) children(i int) {
	for c := i + 1; c < d.nodes[i].end; c = d.nodes[c].end {
		d.Meter.Step(1)
		switch n := &d.nodes[c]; {
		case n.named(atom.Dt):
			if d.defined {
				d.terms, d.defined = nil, false
			}
			d.terms = append(d.terms, c)
			for in := c; in < n.end && !d.nodes[in].is(isTerm); in++ {
				d.nodes[in].flags |= isTerm
			}
		case n.named(atom.Dd):
			d.defined = true
			d.define(d.terms[:min(len(d.terms), maxTerms)], c)
		case n.named(atom.Div, atom.Li):
			d.terms, d.defined = nil, false
			d.children(c)
		}
	}
}

// maxTerms is how many terms may share their definitions.
const maxTerms = 8

func (r *reader) define(terms []int, i int) {
	n := &r.nodes[i]
	for _, t := range terms {
		text := r.textOf(t)
		if strings.HasSuffix(text, "?") && r.entities < r.o.MaxEntities {
			in, v := r.newThing(t, r.nodes[t].part)
			v.Shown = text
			r.add(r.nodes[t].part, "questions", v)
			r.askAndAnswer(in, r.value(t, 0), r.textValue(strings.TrimSpace(r.text[n.from:n.to]), 0, v.Element))
		} else if items := r.listIn(i); len(items) > 1 {
			r.addItems(r.nodes[t].part, mention.Label(text), items, graph.Definition)
		} else {
			r.add(r.nodes[t].part, mention.Label(text), r.value(i, graph.Definition))
		}
	}
}

// askAndAnswer fills the entity of a question.
func (r *reader) askAndAnswer(part int, title, answer graph.Value) {
	title.Text, answer.Text = mention.Question(title.Text), mention.Answer(answer.Text)
	r.add(part, "title", title)
	r.add(part, "text", answer)
	if mention.IsQuestion(title.Text) {
		r.add(part, "question", title)
		r.add(part, "answer", answer)
	}
}

// itemsOf returns the items of a list with words, or nil for one whose items
// are things of their own.
func (r *reader) itemsOf(list int) []int {
	var items []int
	for c, n := range r.below(list) {
		if !n.named(atom.Li) || n.is(isMember) {
			return nil
		}
		if n.from < n.to && len(items) < maxTexts {
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
