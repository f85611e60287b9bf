package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/shorten"
)

// sections reads what stands under each heading: a field that the heading
// names, and the list of all sections.
func (r *reader) sections() {
	var heads []int
	for i := range r.all() {
		if r.headingLevel(i) > 0 {
			heads = append(heads, i)
		}
	}
	for k, h := range heads {
		part := r.nodes[h].part
		next := r.nodes[r.parts[part].node].end
		if k+1 < len(heads) {
			next = heads[k+1]
		}
		if (part == 0 || r.parts[part].title != h) && !r.nodes[h].is(isQuestion) && !r.nodes[h].named(atom.Legend) { // that of fields is read with them
			end := r.sectionEnd(heads, k)
			if r.nodes[h].level == 1 && next < end && r.nodes[next].level > 0 {
				end = next // what stands under other headings is not what this one names
			}
			r.section(h, end)
		}
		if part == 0 && !r.nodes[h].is(isAside) {
			r.listed(h, next)
		}
	}
}

// sectionEnd returns the node at which the section of a heading ends: the next
// heading of its part that is not below it, or the end of the part.
func (r *reader) sectionEnd(heads []int, k int) int {
	h := heads[k]
	end := r.nodes[r.parts[r.nodes[h].part].node].end
	level := r.headingLevel(h)
	for _, next := range heads[k+1:] {
		r.Meter.Step(1)
		if next >= end {
			break
		}
		if r.nodes[next].flags&isAside != r.nodes[h].flags&isAside || r.nodes[next].part == r.nodes[h].part && r.headingLevel(next) <= level {
			return next
		}
	}
	return end
}

// maxTexts is how many texts a section has at most.
const maxTexts = 500

// section adds the texts between a heading and a node, each paragraph and each
// item of a list as a value. Where most are items of lists, or a list comes first,
// the others are left out: they say something of the list, or of what is no part of
// it any more. What describes a thing is one value.
func (r *reader) section(h, end int) {
	name := mention.Label(r.textOf(h))
	if name == "" {
		return
	}
	texts, items := r.textsOf(h, end)
	if len(texts) > 0 && strings.HasSuffix(r.textOf(h), ":") && r.headingLevel(h) == underHeading {
		if other, _ := mention.SplitLabel(texts[0].value.Text); other != "" {
			return // a label without a value
		}
	}
	if items == 0 && len(texts) > 1 && is("description heading", strings.ToLower(name)) {
		texts = r.joined(texts)
	}
	if items > 1 && is("price label", strings.ToLower(name)) {
		return // a filter
	}
	onlyItems := items > 1 && (2*items >= len(texts) || texts[0].item) && r.nodes[h].level != 1
	short := is("fact heading", strings.ToLower(name)) // a label: what is a sentence is no value of it
	for _, t := range texts {
		isProse := len(t.value.Text) > 2*maxName || mention.EndsSentence(t.value.Text)
		if (t.item || !onlyItems) && (!short || !isProse) {
			r.add(r.nodes[h].part, name, t.value)
		}
	}
}

// joined returns paragraphs as one.
func (r *reader) joined(texts []sectionText) []sectionText {
	all := make([]string, len(texts))
	for i, t := range texts {
		all[i] = t.value.Text
	}
	texts[0].value.Text = shorten.Prefix(strings.Join(all, " "), r.o.MaxValueBytes)
	return texts[:1]
}

// sectionText is a paragraph, or an item of a list.
type sectionText struct {
	value graph.Value
	item  bool
}

// textsOf returns the texts between a heading and a node, and how many are
// items of lists.
func (r *reader) textsOf(h, end int) (texts []sectionText, items int) {
	for at := r.nodes[h].lineEnd; at < len(r.lines) && r.lines[at].first < end && len(texts) < maxTexts; {
		r.Meter.Step(1)
		first := r.lines[at].first
		n := &r.nodes[first]
		if n.part != r.nodes[h].part || n.is(inTable) || n.flags&isAside != r.nodes[h].flags&isAside {
			at++
			continue
		}
		to, item := r.unitEnd(at)
		v := r.textValue(r.lineOf(r.lines[at].from, r.lines[to-1].to), graph.Section, r.elementOf(first))
		v.Aside = n.is(isAside)
		texts = append(texts, sectionText{v, item})
		if at = to; item {
			items++
		}
	}
	return texts, items
}

// unitEnd returns the line after those that belong together with a line: the
// lines of one item of a list.
func (r *reader) unitEnd(at int) (end int, item bool) {
	levels := 0
	i := r.around(r.lines[at].first, 5, func(up *node) bool {
		levels++
		return up.named(atom.Li, atom.Dd) || levels > 3 && up.named(atom.Ul, atom.Ol, atom.Div, atom.Section)
	})
	if i < 0 || !r.nodes[i].named(atom.Li, atom.Dd) {
		return at + 1, false
	}
	n := &r.nodes[i]
	if item = n.named(atom.Li); n.lineEnd-at > 12 || n.is(hasHeading|hasTable) {
		return at + 1, item
	}
	return max(at+1, n.lineEnd), item
}

// listed adds a section to the list of all, and to the questions if it is one.
func (r *reader) listed(h, end int) {
	from, to, title := r.nodes[h].to, len(r.text), r.value(h, 0)
	if r.nodes[h].is(isQuestion) {
		from, title = r.lines[r.nodes[h].line].to, r.lineValue(r.nodes[h].line)
	}
	if end < len(r.nodes) {
		to = r.nodes[end].from
	}
	if from >= to || r.entities >= r.o.MaxEntities || r.opensForm(h) && !mention.IsQuestion(title.Text) {
		return
	}
	text := strings.TrimSpace(shorten.Prefix(r.text[from:to], r.o.MaxValueBytes))
	if text == "" {
		return
	}
	in, v := r.newThing(h, 0)
	v.Entity.Source, v.Shown = graph.Section, title.Text
	r.add(0, "sections", v)
	for _, v := range r.under[h] {
		r.add(in, "items", v)
	}
	if at := r.nodes[h].lineEnd; len(r.under[h]) == 0 && at < len(r.lines) && r.lines[at].first < end {
		r.addItems(in, "items", r.listAt(at), 0)
	}
	answer := r.textValue(text, 0, v.Element)
	if r.nodes[h].level == 1 { // the question of a forum is not one of many
		r.add(in, "title", title)
		r.add(in, "text", answer)
		return
	}
	r.askAndAnswer(in, title, answer)
	if r.has(in, "question") {
		r.add(0, "questions", v)
	}
}

// opensForm reports whether what stands under a heading is a form: "Leave a reply".
func (r *reader) opensForm(h int) bool {
	at := r.nodes[h].lineEnd
	return at < len(r.lines) && r.around(r.lines[at].first, maxFormDepth, func(n *node) bool { return n.named(atom.Form) }) > h
}

// maxFormDepth is how many elements around a text are asked whether they are a form.
const maxFormDepth = 8

// questionLines marks the first text of lines that are questions before an
// answer, "Q: …" and "A: …", as headings of these.
func (r *reader) questionLines() {
	for at, s := range r.texts() {
		if at+1 == len(r.lines) || !mention.AsksAndAnswers(s, r.lineText(at+1)) {
			continue
		}
		first := r.lines[at].first
		if n := &r.nodes[first]; !n.is(inTable) && r.around(first, 2, func(up *node) bool { return up.named(atom.Dt) }) < 0 {
			n.flags |= isQuestion
		}
	}
}

// isFold reports whether an element is a question on a button that opens what
// stands behind it.
func (r *reader) isFold(n *node) bool {
	return r.text[n.to-1] == '?' && n.to-n.from <= mention.MaxLabelled && (n.named(atom.Button) || attr(n.el, "aria-expanded") != "")
}
