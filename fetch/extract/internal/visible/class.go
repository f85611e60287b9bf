package visible

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// classed is a short text that a class or id names.
type classed struct {
	node  int
	names []string
}

// maxClassed is the length of a text that a class can name, in bytes.
const maxClassed = 200

// maxNamesOfOne is how many names an element has at most.
const maxNamesOfOne = 3

// classes reads short texts whose class or id says what they are.
func (r *reader) classes() {
	found := r.classedTexts()
	for i, c := range found {
		n := &r.nodes[c.node]
		v := r.classValue(c.node)
		for _, name := range c.names {
			if r.isAround(found[i+1:], c.node, name) || r.isFiled(n.part, name) {
				continue
			}
			if name == "price" && (slices.Contains(c.names, "old price") || r.priceName(c.node) == "") {
				continue // the names around it call it something else
			}
			if n.is(isStruck) {
				name = "old " + name
			}
			if isAuthorName(name) && n.part > 0 {
				r.addAuthor(c.node, v)
				continue
			}
			if userNames[name] && n.part > 0 && !r.has(n.part, "author") {
				r.addAuthor(c.node, v)
			}
			if name == "price" && strings.Contains(v.Text, "/") {
				v = plainPrice(v)
			}
			if name == "product vendor" {
				name = "brand" // as the templates of shops have it
			}
			r.add(n.part, name, v)
		}
	}
}

// plainPrice returns a price without what it is for: "$5" of "$5/month".
func plainPrice(v graph.Value) graph.Value {
	if all := amountsIn(v.Text); len(all) == 1 && all[0].kind == anyAmount {
		v.Text, v.Shown = all[0].text, v.Text
	}
	return v
}

func (r *reader) classedTexts() []classed {
	var found []classed
	for i := range r.nodes {
		n := &r.nodes[i]
		r.Meter.Step(1)
		if n.is(isText|inTable|isMember|hasItems|isCents) || len(n.el.Attr) == 0 || n.from == n.to || n.to-n.from > maxClassed || n.lineEnd-n.line > 3 || n.lineEnd-n.line > 1 && n.named(atom.Ul, atom.Ol) {
			continue
		}
		if names := r.tokens.names(n.el); len(names) > 0 {
			found = append(found, classed{i, names})
		}
	}
	return found
}

// classValue returns the text of an element that a name calls something.
func (r *reader) classValue(i int) graph.Value { return r.unstruckValue(i, graph.Class) }

// unstruckValue returns the text of an element without what is crossed out in
// it.
func (r *reader) unstruckValue(i int, from graph.Source) graph.Value {
	v := r.value(i, from)
	if n := &r.nodes[i]; n.is(hasStruck) && !n.is(isStruck) {
		if text := r.unstruck(i); text != "" {
			v.Text = text
		}
	}
	return v
}

func (r *reader) unstruck(i int) string {
	var b strings.Builder
	for c := i + 1; c < r.nodes[i].end; c++ {
		r.Meter.Step(1)
		if n := &r.nodes[c]; n.is(isText) && !n.is(isStruck) {
			if b.Len() > 0 && n.from > 0 && (r.text[n.from-1] == ' ' || r.text[n.from-1] == '\n') {
				b.WriteByte(' ')
			}
			b.WriteString(oneLine(r.text[n.from:n.to]))
		}
	}
	return b.String()
}

// lookInside is how many of the texts within an element are asked whether they
// are what it says to be.
const lookInside = 8

// isAround reports whether an element that a name calls something has another
// one in it that the same noun calls so: the box of a price and the price.
func (r *reader) isAround(within []classed, node int, name string) bool {
	noun := name[strings.LastIndexByte(name, ' ')+1:]
	for n, c := range within {
		if c.node >= r.nodes[node].end || n >= lookInside {
			return false
		}
		for _, other := range c.names {
			if strings.HasSuffix(other, noun) && !r.nodes[c.node].is(isStruck) {
				return true
			}
		}
	}
	return false
}

// names returns the names that the classes, the id and the test marks of
// an element give it.
func (t tokens) names(n *html.Node) (names []string) {
	for k := range t.named(n) {
		if k.name != "" && !slices.Contains(names, k.name) {
			if names = append(names, k.name); len(names) == maxNamesOfOne {
				break
			}
		}
	}
	return names
}
