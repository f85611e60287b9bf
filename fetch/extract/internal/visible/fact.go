package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// fact is what is known of an item: nodes, or -1.
type fact struct {
	heading, titled, link, bold int
	// paragraphs from the first to the last.
	first, last int
	// line is the first one, and long the longest one.
	line, long int
	// short is the first paragraph of a few words.
	short int
}

// itemFacts gives every item its title, address and description.
func (r *reader) itemFacts() {
	facts := make([]fact, len(r.parts))
	for i := range facts {
		facts[i] = fact{-1, -1, -1, -1, -1, -1, -1, -1, -1}
	}
	for i := range r.nodes {
		r.pass(i)
		if n := &r.nodes[i]; n.part > 0 && n.part < len(facts) && !n.is(isText) && n.from < n.to {
			r.learn(&facts[n.part], i)
		}
	}
	for i := range r.lines {
		r.pass(i)
		if part := r.nodes[r.lines[i].first].part; part > 0 && part < len(facts) {
			r.learnLine(&facts[part], i)
		}
	}
	for p := 1; p < len(facts); p++ {
		if r.parts[p].entity.Source == graph.Item && r.nodes[r.parts[p].node].is(isMember) {
			r.tell(p, &facts[p])
		}
	}
}

func (r *reader) learn(f *fact, i int) {
	n := &r.nodes[i]
	switch {
	case f.heading < 0 && (r.headingLevel(i) > 0 && r.headingLevel(i) < underHeading || n.named(atom.Summary)):
		f.heading = i
	case n.named(atom.A) && f.link < 0 && hasWords(r.text[n.from:n.to]):
		f.link = i
	case n.named(atom.P) && n.to-n.from > 20:
		if f.first < 0 {
			f.first = i
		}
		f.last = i
	case n.named(atom.P) && f.short < 0 && !n.is(hasLink) && isShortSaying(r.text[n.from:n.to]):
		f.short = i
	case f.first >= 0 && !n.is(hasItems) && n.up == r.nodes[f.first].up && n.named(atom.Ul, atom.Ol, atom.Pre, atom.Blockquote, atom.Table):
		f.last = i
	case f.bold < 0 && n.named(atom.B, atom.Strong) && n.to-n.from <= maxClassed && n.lineEnd-n.line == 1:
		f.bold = i
	}
	if f.titled < 0 && n.to-n.from <= maxClassed && n.is(saysTitle) {
		f.titled = i
	}
}

// isShortSaying reports whether a short text is a sentence and no value: a few
// words without a number and with a full stop.
func isShortSaying(s string) bool {
	return countWords(s) > 1 && !hasDigit(s) && strings.ContainsAny(s[len(s)-1:], ".!?")
}

func (r *reader) learnLine(f *fact, at int) {
	l := &r.lines[at]
	if f.line < 0 && hasWords(r.text[l.from:l.to]) {
		f.line = at
	}
	if f.long < 0 || l.to-l.from > r.lines[f.long].to-r.lines[f.long].from {
		f.long = at
	}
}

// tell writes the facts of an item down.
func (r *reader) tell(p int, f *fact) {
	item := r.parts[p].node
	title := firstOf(f.heading, f.titled, f.link, f.bold)
	r.parts[p].title = title
	var shown graph.Value
	switch {
	case title >= 0:
		shown = r.value(title, 0)
	case f.line >= 0 && r.lines[f.line].to-r.lines[f.line].from <= maxClassed:
		l := r.lines[f.line]
		shown = r.textValue(r.text[l.from:l.to], 0, r.elementOf(l.first))
	}
	r.add(p, "title", shown)
	if a := r.linkOf(item, title, f); a >= 0 {
		if v, ok := r.address(attr(r.nodes[a].el, "href"), r.textOf(a), 0, a); ok {
			v.Shown = cut(v.Shown, maxClassed)
			r.add(p, "url", v)
		}
	}
	r.position(p, title)
	r.describe(p, title, shown.Text, f)
}

func firstOf(nodes ...int) int {
	for _, n := range nodes {
		if n >= 0 {
			return n
		}
	}
	return -1
}

// linkOf returns the link of an item: the one in or around its title, the item
// itself, or its first one.
func (r *reader) linkOf(item, title int, f *fact) int {
	if title >= 0 {
		if a := r.firstLink(title); a >= 0 {
			return a
		}
		for up, n := title, 0; up >= item && n < nearHeading; up, n = r.nodes[up].up, n+1 {
			if r.nodes[up].named(atom.A) {
				return up
			}
		}
	}
	if r.nodes[item].named(atom.A) {
		return item
	}
	if f.link >= 0 {
		return f.link
	}
	for c := item + 1; c < r.nodes[item].end && c < item+maxLook; c++ {
		if r.nodes[c].named(atom.A) { // one around an image
			return c
		}
	}
	return -1
}

// describe adds the texts of an item: its first paragraph or longest line, all
// paragraphs, and of a question the answer.
func (r *reader) describe(p, title int, shown string, f *fact) {
	item := &r.nodes[r.parts[p].node]
	switch {
	case f.first >= 0:
		r.add(p, "description", r.value(f.first, 0))
		from, to := r.nodes[f.first].from, r.nodes[f.last].to
		r.add(p, "text", r.textValue(r.text[from:max(from, to)], 0, r.nodes[f.first].el))
	case f.short >= 0 && f.short != title && !strings.HasSuffix(shown, "?"):
		r.add(p, "description", r.value(f.short, 0))
		r.add(p, "text", r.value(f.short, 0))
	case f.long >= 0:
		if l := r.lines[f.long]; l.to-l.from >= 40 && r.text[l.from:l.to] != shown {
			v := r.textValue(r.text[l.from:l.to], 0, r.elementOf(l.first))
			r.add(p, "description", v)
			r.add(p, "text", v)
		}
	}
	question, end := shown, item.to
	switch {
	case title >= 0:
		question, end = r.textOf(title), r.nodes[title].to
	case f.line >= 0:
		end = r.lines[f.line].to
	}
	if end >= item.to || title >= 0 && r.nodes[title].from > item.to {
		return
	}
	if strings.HasSuffix(question, "?") || title >= 0 && r.nodes[title].named(atom.Summary) {
		r.add(p, "question", r.textValue(plainQuestion(question), 0, item.el))
		r.add(p, "answer", r.textValue(plainAnswer(strings.TrimSpace(r.text[end:item.to])), 0, item.el))
	}
}
