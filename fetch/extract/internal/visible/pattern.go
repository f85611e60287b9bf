package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// maxPattern is the length of a text that is looked at for what it looks like,
// in bytes.
const maxPattern = 120

// patterns reads texts that need no label: amounts of money, dates, ratings,
// bylines, whether something can be bought.
func (r *reader) patterns() {
	for i := range r.nodes {
		r.pass(i)
		if r.nodes[i].named(atom.Time) {
			r.time(i)
		}
	}
	for i := range r.lines {
		r.pass(i)
		l := &r.lines[i]
		if !r.nodes[l.first].is(inTable) && l.to-l.from <= maxPattern {
			if parts := segments(r.text[l.from:l.to]); isMoney(parts[0]) {
				for _, part := range parts {
					r.looksLike(part, l.first)
				}
			} else {
				r.looksLike(r.text[l.from:l.to], l.first)
			}
			r.byline(r.text[l.from:l.to], l.first)
		}
	}
	for i := range r.nodes {
		r.pass(i)
		switch n := &r.nodes[i]; {
		case n.is(isText):
			r.textIn(i)
		case len(n.el.Attr) > 0:
			r.spoken(i)
		}
	}
}

// textIn looks at a text that is not a whole line.
func (r *reader) textIn(i int) {
	n := &r.nodes[i]
	if l := r.lines[n.line]; n.is(inTable) || n.to-n.from > maxPattern || l.from == n.from && l.to == n.to {
		return
	}
	if amount := r.amountAt(i); amount != "" {
		r.looksLike(amount, i)
	}
	r.looksLike(r.text[n.from:n.to], i)
	r.byline(r.text[n.from:n.to], i)
}

// maxOfAKind is how many values a part gets that only look like something.
const maxOfAKind = 20

// looksLike adds a text as what it looks like.
func (r *reader) looksLike(s string, i int) {
	n := &r.nodes[i]
	name, value, digits := "", s, hasDigit(s)
	switch {
	case digits && isMoney(s) && !strings.Contains(s, ":"):
		if opensOld(s) {
			r.amounts(s, i)
			return
		}
		if name = r.priceName(i); name == "" {
			return
		}
	case (digits || hasStars(s)) && r.ratings(s, i):
		return
	case digits && isRating(s):
		name = "rating"
	case digits && isReviewCount(s):
		name = "review count"
	case digits && isDate(s):
		name = "date"
		if isUpdate(s) {
			name = "updated"
		}
	case digits && saysLengthOrYield(s):
		name, value = lengthOrYield(s)
	case digits && r.amounts(s, i):
		return
	default:
		state := availability(s)
		if state != "" && !r.isOffAt(i) {
			r.addAvailability(i, state, s)
		}
		return
	}
	if len(r.parts[n.part].entity.Get(name)) >= maxOfAKind || n.part != 0 && (name == "price" || name == "date") && r.has(n.part, name) {
		return
	}
	r.addSeen(i, name, value)
}

func hasStars(s string) bool { return strings.Contains(s, "★") || strings.Contains(s, "⭐") }

func (r *reader) addAvailability(i int, state, shown string) {
	n := &r.nodes[i]
	if r.has(n.part, "availability") && n.part != 0 || len(r.parts[n.part].entity.Get("availability")) >= maxOfAKind {
		return
	}
	r.add(n.part, "availability", graph.Value{Text: state, Shown: shown, Source: graph.Class, Element: r.elementOf(i), Aside: n.is(isAside)})
}

// spoken looks at what an element says to those who do not see it: stars with
// a label.
func (r *reader) spoken(i int) {
	n := &r.nodes[i]
	for _, key := range [...]string{"aria-label", "title"} {
		if s := oneLine(strings.TrimSpace(attr(n.el, key))); s != "" && len(s) <= maxPattern && hasDigit(s) && !r.ratings(s, i) && isRating(s) {
			v := r.textValue(s, graph.Class, n.el)
			v.Aside = n.is(isAside)
			r.add(n.part, "rating", v)
		}
	}
}

// time reads a time element, whose name is what the words around it say.
func (r *reader) time(i int) {
	n := &r.nodes[i]
	shown, value := r.textOf(i), strings.TrimSpace(attr(n.el, "datetime"))
	if value == "" {
		value, shown = shown, ""
	}
	if value == "" || len(value) > maxPattern {
		return
	}
	v := graph.Value{Kind: graph.Time, Text: value, Shown: shown, Source: graph.Label, Element: n.el, Aside: n.is(isAside)}
	if n.from < n.to {
		l := r.lines[n.line]
		if isUpdate(r.text[max(l.from, n.from-40):n.from]) {
			r.add(n.part, "updated", v)
			return
		}
	}
	r.add(n.part, "date", v)
}

var updateWords = []string{"updat", "modif", "edited", "revised", "aktualis", "geändert", "mis à jour", "actualiz", "aggiornat", "bijgewerkt", "atualiz", "обновл"}

func isUpdate(s string) bool {
	s = strings.ToLower(s)
	for _, w := range updateWords {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
