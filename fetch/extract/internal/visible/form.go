package visible

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/shorten"
)

// labelsOfFields returns the labels of fields by the id of the field.
func (r *reader) labelsOfFields() map[string]int {
	labels := map[string]int{}
	for i, n := range r.all() {
		if n.named(atom.Label) && n.from < n.to {
			if id := attr(n.el, "for"); id != "" {
				labels[id] = i
			}
		}
	}
	return labels
}

// forms reads the values of forms: what is chosen, and what can be.
func (r *reader) forms() {
	labels := r.labelsOfFields()
	for i, n := range r.all() {
		switch {
		case n.named(atom.Select):
			r.selection(i, r.fieldName(i, r.labelOf(i, labels)))
		case n.named(atom.Input):
			r.input(i, r.labelOf(i, labels))
		}
	}
}

// labelOf returns the label of a field that leads to it or that it stands in,
// or -1.
func (r *reader) labelOf(i int, labels map[string]int) int {
	if label, ok := labels[attr(r.nodes[i].el, "id")]; ok {
		return label
	}
	return r.around(i, 2, func(up *node) bool { return up.named(atom.Label) && up.from < up.to })
}

// fieldName returns the name of a field: its label, or what it calls itself.
func (r *reader) fieldName(i, label int) string {
	name := ""
	if label >= 0 {
		name = mention.Label(r.textOf(label))
	}
	name = cmp.Or(name, mention.Label(attr(r.nodes[i].el, "aria-label")))
	if own := attr(r.nodes[i].el, "name"); name == "" && !strings.ContainsAny(own, "[]") {
		name = mention.Label(own)
	}
	return name
}

// maxChoices is how many options of a field are read.
const maxChoices = 100

// selection reads the options of a select element, of which its value is the
// one that the page has selected.
func (r *reader) selection(i int, name string) {
	count := 0
	for o := range r.Meter.Below(r.nodes[i].el) {
		if o.DataAtom != atom.Option || count == maxChoices {
			continue
		}
		count++
		_, chosen := tree.Attr(o, "selected")
		r.choice(i, name, strings.ToValidUTF8(tree.TextOf(o), "\uFFFD"), chosen, attr(o, "value") != "" && !isOff(o))
	}
}

// choice adds what is chosen in a field, and what can be: "sizes" for "size".
func (r *reader) choice(i int, field, text string, chosen, free bool) {
	text = strings.Join(strings.Fields(shorten.Prefix(text, 4*maxName)), " ")
	if chosen {
		r.addSaid(i, field, text, graph.Label)
	}
	if free && field != "" {
		r.addSaid(i, cmp.Or(nameOfAll()[strings.ToLower(field)], field+" options"), text, graph.Label)
	}
}

// nameOfAll has the names of several of what the fields of shops ask for.
var nameOfAll = lexicon.ByWord(files, "choices")

// input reads a field that shows its value, or that is ticked.
func (r *reader) input(i, label int) {
	el := r.nodes[i].el
	name, value := r.fieldName(i, label), attr(el, "value")
	switch kind := strings.ToLower(attr(el, "type")); kind {
	case "radio", "checkbox":
		_, on := tree.Attr(el, "checked")
		if group := r.legendOf(i); group == "" {
			r.choice(i, mention.Label(attr(el, "name")), name, on, false)
		} else {
			if label >= 0 {
				value = r.textOf(label)
			}
			r.choice(i, group, value, on, kind == "radio" && !isOff(el))
		}
	case "", "text", "number", "date", "tel", "email", "url":
		if _, fixed := tree.Attr(el, "readonly"); fixed || !is("amount field", strings.ToLower(name)) && !is("amount field", strings.ToLower(attr(el, "name"))) {
			r.choice(i, name, value, true, false) // and not how many the reader wants
		}
	}
}

// legendLevels is how many levels above a field its fieldset is.
const legendLevels = 5

// legendOf returns the name of the group that a button is in: a size, a colour.
func (r *reader) legendOf(i int) string {
	if set := r.around(i, legendLevels, func(up *node) bool { return up.named(atom.Fieldset) }); set >= 0 {
		if legend := r.firstIn(set, set, func(n *node) bool { return n.named(atom.Legend) }); legend >= 0 {
			return mention.Label(r.textOf(legend))
		}
	}
	return ""
}

// saidBy returns what an image says to those who do not see it, and what a field
// shows that is not a text in it.
func saidBy(n *html.Node) string {
	switch n.DataAtom {
	case atom.Img:
		return tree.AttrOr(n, "alt")
	case atom.Textarea:
		return tree.TextOf(n)
	case atom.Select:
		var chosen []string
		for o := range n.Descendants() {
			if _, ok := tree.Attr(o, "selected"); ok && o.DataAtom == atom.Option {
				chosen = append(chosen, page.Collapse(tree.TextOf(o)))
			}
		}
		return strings.Join(chosen, ", ")
	case atom.Input:
		switch strings.ToLower(tree.AttrOr(n, "type")) {
		case "password", "hidden", "submit", "button", "reset", "image", "file", "radio":
			return ""
		case "checkbox":
			if _, checked := tree.Attr(n, "checked"); checked {
				return "yes"
			}
			return "no"
		}
		return tree.AttrOr(n, "value")
	}
	return ""
}
