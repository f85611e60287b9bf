package visible

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/internal/names"
)

// classed is a short text that a class or id names.
type classed struct {
	node  int
	names []string
}

// maxClassed is the length of a text that a class can name, and of a line of a price
// list, in bytes.
const maxClassed = 200

// classes reads short texts whose class or id says what they are.
func (r *reader) classes() {
	found := r.classedTexts()
	ofEvents := slices.ContainsFunc(phrasesOf()["event class"], func(w string) bool { return r.tokens[w] != nil })
	for i, c := range found {
		n := &r.nodes[c.node]
		v := r.unstruckValue(c.node, graph.Class)
		isLabel := strings.HasSuffix(v.Text, ":") || r.firstIn(c.node+1, c.node, func(n *node) bool { return n.is(saysLabel) }) >= 0 // or one with its value
		v.Aside = v.Aside && (attr(n.el, "rel") == "" || !InArticle(n.el))                                                           // the foot of an article is its own
		for _, name := range c.names {
			if r.isAround(found[i+1:], c.node, name) {
				continue
			}
			if n.part > 0 && n.is(hasHeading) && n.lineEnd-n.line > 1 && strings.HasSuffix(name, "description") {
				continue // all that a card says, its title with it
			}
			if name == "price" && (slices.Contains(c.names, "old price") || r.priceName(c.node) == "") {
				continue // the names around it call it something else
			}
			if n.is(isStruck) || name == "price" && r.saysOld(c.node) {
				name = "old " + name
			}
			if n.part > 0 {
				name = r.ownName(n.part, name)
			}
			if n.part > 0 && (isAuthorName(name) || is("user name", name) && !r.has(n.part, "author")) {
				r.addAuthor(c.node, v)
			}
			if name == "product vendor" {
				name = "brand" // as the templates of shops have it
			}
			if ofEvents && n.part == 0 && !strings.Contains(name, " ") && r.around(c.node, maxFormDepth, r.isOccasion) >= 0 {
				name = "event " + name
			}
			if (n.part == 0 || !isAuthorName(name)) && !isLabel {
				r.put(n.part, name, v, name == "price" && n.part == 0 && r.priceName(c.node) == "old price") // where there is no other
			}
		}
	}
}

// isOccasion reports whether a class calls an element an event.
func (r *reader) isOccasion(n *node) bool {
	return r.tokens.first(n.el, func(k *token) bool { return is("event class", k.name) }) != nil
}

// ownName returns a name in an item without that of the item before it, where this is no
// kind of things that others know: the speaker of a slot is its "slot speaker".
func (r *reader) ownName(part int, name string) string {
	of := r.tokens.noun(r.nodes[r.parts[part].node].el)
	if own, ok := strings.CutPrefix(name, of+" "); ok && of != "" && len(names.Families(of)) == 0 {
		return own
	}
	return name
}

func (r *reader) classedTexts() []classed {
	var found []classed
	for i, n := range r.all() {
		lines := n.lineEnd - n.line
		if n.is(isText|inTable|isMember|hasItems|isCents) || n.from == n.to || n.to-n.from > maxClassed || lines > 3 || lines > 1 && n.named(atom.Ul, atom.Ol) {
			continue
		}
		if n.is(saysRemark) && n.is(hasWhole) && r.firstIn(i, i, func(n *node) bool { return n.named(atom.Form) }) >= 0 {
			continue // where one may write a comment
		}
		if n.is(isVeiled) && r.tokens.first(n.el, func(k *token) bool { return k.stock }) != nil {
			continue // another state than that of now
		}
		if all := r.tokens.names(n.el); len(all) > 0 {
			found = append(found, classed{i, all})
		}
	}
	return found
}

// unstruckValue returns the text of an element without what is crossed out in
// it.
func (r *reader) unstruckValue(i int, from graph.Source) graph.Value {
	v, n := r.value(i, from), &r.nodes[i]
	if !n.is(hasStruck) || n.is(isStruck) {
		return v
	}
	var kept strings.Builder
	at := n.from
	for c := i + 1; c < n.end; c++ {
		r.Meter.Step(1)
		if s := &r.nodes[c]; s.is(isStruck) && s.from < s.to {
			kept.WriteString(r.text[at:s.from])
			at, c = s.to, s.end-1
		}
	}
	kept.WriteString(r.text[at:n.to])
	v.Text = cmp.Or(page.Collapse(kept.String()), v.Text)
	return v
}

// lookInside is how many of the texts within an element are asked whether they
// are what it says to be.
const lookInside = 8

// isAround reports whether an element that a name calls something has another
// one in it that the same noun calls so: the box of a price and the price.
func (r *reader) isAround(within []classed, node int, name string) bool {
	noun := name[strings.LastIndexByte(name, ' ')+1:]
	one := strings.TrimSuffix(noun, "ies") + "y" // categories, each a category
	for n, c := range within {
		if c.node >= r.nodes[node].end || n >= lookInside {
			return false
		}
		for _, other := range c.names {
			if (strings.HasSuffix(other, noun) || strings.HasSuffix(other, one)) && !r.nodes[c.node].is(isStruck) {
				return true
			}
		}
	}
	return false
}
