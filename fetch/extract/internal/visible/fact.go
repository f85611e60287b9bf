package visible

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/shorten"
)

// fact is what is known of an item: nodes, or -1.
type fact struct {
	// title is what names it best, by rank.
	title, rank int
	link        int
	// paragraphs from the first to the last.
	first, last int
	// line is the first one, and long the longest one.
	line, long int
	// short is the first paragraph of a few words, and body what calls itself the
	// text of the item.
	short, body int
}

// itemFacts gives every item its title, address and description.
func (r *reader) itemFacts() {
	facts := slices.Repeat([]fact{{-1, 0, -1, -1, -1, -1, -1, -1, -1}}, len(r.parts))
	for i, n := range r.all() {
		if n.part > 0 && !n.is(isText) && n.from < n.to {
			r.learn(&facts[n.part], i)
		}
	}
	for i, s := range r.texts() {
		f := &facts[r.nodes[r.lines[i].first].part]
		if f.line < 0 && hasWords(s) {
			f.line = i
		}
		if (f.long < 0 || len(s) > len(r.lineText(f.long))) && !isCredit(s) {
			f.long = i
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
	size, rank := n.to-n.from, 0
	switch level := r.headingLevel(i); {
	case level > 0 && level < underHeading, n.named(atom.Summary), r.isFold(n):
		rank = 4
	case n.is(saysTitle) && size <= maxClassed:
		rank = 3
	case n.named(atom.A) && hasWords(r.text[n.from:n.to]):
		rank = 2
	case n.named(atom.B, atom.Strong) && size <= maxClassed && n.lineEnd-n.line == 1:
		rank = 1
	}
	if rank > f.rank {
		f.title, f.rank = i, rank
	}
	switch {
	case n.named(atom.A) && f.link < 0 && rank > 0:
		f.link = i
	case n.named(atom.P) && size > 20 && (n.is(isMember) || isCredit(r.text[n.from:n.to])): // the item itself, or who wrote it
	case n.named(atom.P) && size > 20:
		if f.first < 0 {
			f.first = i
		}
		f.last = i
	case n.named(atom.P) && f.short < 0 && !n.is(hasLink):
		if s := r.text[n.from:n.to]; countWords(s) > 1 && !mention.HasDigit(s) && strings.ContainsAny(s[size-1:], ".!?") { // a sentence and no value
			f.short = i
		}
	case f.first >= 0 && !n.is(hasItems) && n.up == r.nodes[f.first].up && n.named(atom.Ul, atom.Ol, atom.Pre, atom.Blockquote, atom.Table):
		f.last = i
	}
	// of bodies in each other the innermost counts; one with a heading in it is all of the item
	if n.is(saysBody) && !n.is(isMember|hasHeading|inTable) && r.nodes[r.parts[n.part].node].from < n.from && (f.body < 0 || i < r.nodes[f.body].end) {
		f.body = i
	}
}

// lineValue returns a line as a value.
func (r *reader) lineValue(at int) graph.Value {
	return r.textValue(r.lineText(at), 0, r.elementOf(r.lines[at].first))
}

// tell writes the facts of an item down.
func (r *reader) tell(p int, f *fact) {
	item, title := r.parts[p].node, f.title
	r.parts[p].title = title
	var shown graph.Value
	switch {
	case title >= 0:
		shown = r.value(title, 0)
	case f.line >= 0 && len(r.lineText(f.line)) <= maxClassed:
		shown = r.lineValue(f.line)
	}
	r.add(p, "title", shown)
	r.addLink(p, r.linkOf(item, title, f))
	if title >= 0 && people.IsFull(shown.Text) && !r.has(p, "job title") {
		r.position(p, r.nodes[title].lineEnd)
	}
	r.describe(p, title, shown.Text, f)
	r.ask(p, title, shown.Text, f)
}

// addLink gives a part the address of a link, unless that is -1.
func (r *reader) addLink(p, a int) {
	if a < 0 || isContact(attr(r.nodes[a].el, "href")) {
		return
	}
	if v, ok := r.address(attr(r.nodes[a].el, "href"), shorten.Prefix(r.textOf(a), maxClassed), 0, a); ok {
		r.add(p, "url", v)
	}
}

// position adds what somebody does where it stands as a short line under the
// name, in a list that the heading above or the title of the page calls one of
// people who work together.
func (r *reader) position(p, at int) {
	item := &r.nodes[r.parts[p].node]
	for _, h := range [...]int{r.headingBefore(r.parts[p].node), r.titleNode} {
		if h < 0 || at >= item.lineEnd || !anyIs("team word", strings.Fields(strings.ToLower(shorten.Prefix(r.textOf(h), maxName)))) {
			continue
		}
		if v := r.lineValue(at); len(v.Text) <= maxPerson && !strings.ContainsAny(v.Text, "0123456789@:.") && countWords(v.Text) < 6 && startsUpper(v.Text) {
			r.add(p, "job title", v)
		}
	}
}

// linkOf returns the link of an item: the one in or around its title, the item
// itself, its first one, or one around an image.
func (r *reader) linkOf(item, title int, f *fact) int {
	isLink := func(n *node) bool { return n.named(atom.A) }
	if title >= 0 {
		if a := r.firstLink(title); a >= 0 {
			return a
		}
		if a := r.around(title, nearHeading-1, isLink); a >= item {
			return a
		}
	}
	if isLink(&r.nodes[item]) || f.link < 0 {
		for c, n := range r.near(item) {
			if isLink(n) {
				return c
			}
		}
	}
	return f.link
}

// describe adds the texts of an item: what calls itself so, and its first
// paragraph or longest line, and all paragraphs.
func (r *reader) describe(p, title int, shown string, f *fact) {
	if f.body >= 0 {
		n := &r.nodes[f.body]
		r.add(p, "text", r.textValue(r.text[n.from:n.to], 0, n.el))
	}
	var about graph.Value
	switch {
	case f.first >= 0:
		n := &r.nodes[f.first]
		r.add(p, "description", r.teaser(f.first))
		r.add(p, "text", r.textValue(r.text[n.from:max(n.from, r.nodes[f.last].to)], 0, n.el))
		return
	case f.short >= 0 && f.short != title && !strings.HasSuffix(shown, "?"):
		about = r.value(f.short, 0)
	case f.long >= 0:
		if about = r.lineValue(f.long); len(about.Text) < 40 && !mention.IsSentence(about.Text) || about.Text == shown {
			return
		}
	}
	r.add(p, "description", about)
	r.add(p, "text", about)
}

// ask adds of an item that is a question the answer.
func (r *reader) ask(p, title int, question string, f *fact) {
	item := &r.nodes[r.parts[p].node]
	end := item.to
	switch {
	case title >= 0:
		question, end = r.textOf(title), r.nodes[title].to
	case f.line >= 0:
		end = r.lines[f.line].to
	}
	if end < item.to && (strings.HasSuffix(question, "?") || title >= 0 && r.nodes[title].named(atom.Summary)) {
		r.add(p, "question", r.textValue(mention.Question(question), 0, item.el))
		r.add(p, "answer", r.textValue(mention.Answer(strings.TrimSpace(r.text[end:item.to])), 0, item.el))
	}
}
