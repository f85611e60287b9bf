package visible

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
	"github.com/drover-go/drover/internal/shorten"
)

// isAuthorName reports whether a class calls something the author of an item.
func isAuthorName(name string) bool {
	return name == "author" || name == "byline" || strings.HasSuffix(name, " author") || name == "comment byline"
}

// maxPerson is the length of the name of somebody, in bytes.
const maxPerson = 60

// addAuthor adds the author of an item. Where more than the name stands in the
// element, such as "by" and a date, the name is its only link, or what is in bold.
func (r *reader) addAuthor(i int, v graph.Value) {
	found := -1
	for c, n := range r.near(i) {
		if c == i || !n.named(atom.A, atom.B, atom.Strong, atom.Cite) || n.from == n.to || n.to-n.from > maxPerson || found >= 0 && c < r.nodes[found].end {
			continue
		}
		if found >= 0 {
			found = -1
			break
		}
		found = c
	}
	if found >= 0 && hasWords(r.textOf(found)) && !strings.Contains(r.textOf(found), "@") && r.textOf(found) != v.Text {
		v.Text, v.Shown = r.textOf(found), v.Text
	}
	r.add(r.nodes[i].part, "author", v)
}

// role adds what somebody does after whom the page and an address to write to are named: the
// short line behind the name.
func (r *reader) role() {
	h, emails := r.heading, r.parts[0].entity.Get("email")
	if h < 0 || len(emails) == 0 || !people.IsFull(r.textOf(h)) {
		return
	}
	box, _, _ := strings.Cut(strings.ToLower(emails[0].Text), "@")
	isNamed := slices.ContainsFunc(names.Words(r.textOf(h)), func(w string) bool { return len(w) > 3 && strings.Contains(box, w) })
	if at := r.nodes[h].lineEnd; isNamed && at < len(r.lines) && r.areNear(h, r.lines[at].first) {
		if v := r.lineValue(at); len(v.Text) <= maxPerson && !strings.ContainsAny(v.Text, "0123456789@:.") && countWords(v.Text) < 7 && startsUpper(v.Text) {
			v.Source = graph.Label
			r.add(0, "job title", v)
		}
	}
}

// socialLink adds a link that is called by the name of a network to the
// profiles of whom the page is about. Links that share the page are none.
func (r *reader) socialLink(i int, v graph.Value) {
	el := r.nodes[i].el
	for _, name := range [...]string{v.Shown, attr(el, "aria-label"), attr(el, "title")} {
		if mention.IsSocial(name) && !mention.IsShareLink(shorten.Prefix(attr(el, "href"), 4*maxNames)) {
			v.Source = graph.Label
			r.add(r.nodes[i].part, "social links", v)
			return
		}
	}
}

// byline reads who wrote something, and when.
func (r *reader) byline(s string, i int) {
	all, behind := people.Byline(s)
	for _, clause := range behind {
		r.bylineDate(clause, i)
	}
	for _, name := range all {
		if mention.HasDigit(name) || countWords(name) > 5 || !startsUpper(name) {
			return
		}
	}
	if len(all) == 0 || r.isCode(i) {
		return
	}
	// as one text, and several of them one by one, too
	part, several := r.nodes[i].part, len(all) > 1
	r.addSaid(i, "author", strings.Join(all, ", "), graph.Label)
	if several && !r.has(part, "authors") {
		for _, name := range all {
			r.addSaid(i, "authors", name, graph.Label)
		}
	}
}

// creditOf returns who wrote something and when, where a text is no more than that, in
// any order, and something short besides: "14 May 2024 · Mara Lind · Walks".
func creditOf(s string) (who, when string) {
	if len(s) > maxPattern || !mention.HasYear(s) {
		return "", ""
	}
	clauses := people.Clauses(s)
	for at := 0; len(clauses) == 1 && at < len(s); at++ { // a comma, of which dates have some, too
		if a, b := strings.TrimSpace(s[:at]), strings.TrimSpace(s[at+1:]); s[at] == ',' && (mention.IsDate(a) || mention.IsDate(b)) {
			clauses = []string{a, b}
		}
	}
	for _, c := range clauses {
		switch name := names.WithoutBy(c); {
		case when == "" && mention.IsDate(c):
			when = c
		case who == "" && people.IsFull(name):
			who = name
		case len(c) > maxCredit:
			return "", ""
		}
	}
	if who == "" || when == "" {
		return "", ""
	}
	return who, when
}

// maxCredit is how long what stands beside who wrote something is at most, in bytes.
const maxCredit = 24

// isCredit reports whether a text is who wrote something and when.
func isCredit(s string) bool { who, _ := creditOf(s); return who != "" }

// credit adds who wrote an item and when.
func (r *reader) credit(s string, i int) {
	who, when := creditOf(s)
	if part := r.nodes[i].part; who != "" && part != 0 {
		if !r.has(part, "author") {
			r.addSaid(i, "author", who, graph.Label)
		}
		r.bylineDate(when, i)
	}
}

// teaser returns a paragraph of an item without the link behind it to more.
func (r *reader) teaser(i int) graph.Value {
	v, n := r.value(i, 0), &r.nodes[i]
	for _, c := range r.near(i) {
		if c.named(atom.A) && c.to == n.to && c.from > n.from && c.to-c.from <= maxCredit && mention.IsSentence(r.text[n.from:c.from]) {
			v.Text = r.lineOf(n.from, c.from)
		}
	}
	return v
}

func (r *reader) bylineDate(s string, i int) {
	if len(s) < maxMoney && mention.IsDate(s) {
		r.addSaid(i, dateName(s), s, graph.Class)
	}
}

// addSaid adds a text of node i to its part.
func (r *reader) addSaid(i int, name, text string, from graph.Source) {
	r.add(r.nodes[i].part, name, r.said(i, text, from))
}

// dateName returns the name of a date with such words around it.
func dateName(words string) string {
	if mention.SaysUpdated(words) {
		return "updated"
	}
	return "date"
}

// afterBy returns what stands behind "by" at the beginning of a text, or "".
func afterBy(s string) string {
	if rest := names.WithoutBy(s); len(rest) < len(s) {
		return rest
	}
	return ""
}

// makers reads who makes what a page sells where that stands beside its title:
// "by Acme". On other pages that is who wrote it.
func (r *reader) makers() {
	if r.titleNode < 0 || r.has(0, "brand") || !r.has(0, "price") {
		return
	}
	at := r.nodes[r.titleNode].lineEnd
	for i := max(0, at-3); i < min(len(r.lines), at+3); i++ {
		l := &r.lines[i]
		name := afterBy(r.text[l.from:l.to])
		if name == "" || mention.HasDigit(name) || countWords(name) > 3 || !startsUpper(name) || r.nodes[l.first].part != 0 || r.nodes[l.first].is(isAside) {
			continue
		}
		r.addLabelled(l.first, "brand", name)
		e := r.parts[0].entity
		if authors := e.Get("author"); len(authors) == 1 && authors[0].Text == name && !people.IsFull(name) {
			e.Remove("author")
		}
		return
	}
}
