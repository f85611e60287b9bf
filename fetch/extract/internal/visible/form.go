package visible

import (
	"cmp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
)

// forms reads the values of forms: what is chosen, and what can be.
func (r *reader) forms() {
	labels := map[string]int{}
	for i, n := range r.all() {
		if n.named(atom.Label) && n.from < n.to {
			if id := attr(n.el, "for"); id != "" {
				labels[id] = i
			}
		}
	}
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
		name = nameOf(r.textOf(label))
	}
	name = cmp.Or(name, nameOf(attr(r.nodes[i].el, "aria-label")))
	if own := attr(r.nodes[i].el, "name"); name == "" && !strings.ContainsAny(own, "[]") {
		name = nameOf(own)
	}
	return name
}

// maxChoices is how many options of a field are read.
const maxChoices = 100

// selection reads the options of a select element, of which its value is the
// one that the page has selected.
func (r *reader) selection(i int, name string) {
	if name == "" {
		return
	}
	count := 0
	for o := range r.Meter.Below(r.nodes[i].el) {
		if o.DataAtom != atom.Option || count == maxChoices {
			continue
		}
		count++
		text := ""
		if c := o.FirstChild; c != nil && c.Type == html.TextNode {
			text = strings.ToValidUTF8(c.Data, "\uFFFD")
		}
		_, chosen := tree.Attr(o, "selected")
		r.choice(i, name, text, chosen, attr(o, "value") != "" && !isOff(o))
	}
}

// choice adds what can be chosen in a field, and what is.
func (r *reader) choice(i int, field, text string, chosen, free bool) {
	text = strings.Join(strings.Fields(cut(text, 4*maxName)), " ")
	if chosen {
		r.addSaid(i, field, text, graph.Label)
	}
	if free {
		r.addSaid(i, choicesOf(field), text, graph.Label)
	}
}

// choicesOf returns the name of all that can be chosen in a field.
func choicesOf(field string) string {
	for _, many := range [...]string{"sizes", "colors", "materials", "styles", "flavors"} {
		if is(many, strings.ToLower(field)) {
			return many
		}
	}
	return field + " options"
}

// input reads a field that shows its value, or that is ticked.
func (r *reader) input(i, label int) {
	n := &r.nodes[i]
	name, value := r.fieldName(i, label), attr(n.el, "value")
	switch strings.ToLower(attr(n.el, "type")) {
	case "radio", "checkbox":
		r.button(i, label, name)
	case "", "text", "number", "date", "tel", "email", "url":
		if _, fixed := tree.Attr(n.el, "readonly"); fixed || !is("amount field", strings.ToLower(name)) && !is("amount field", strings.ToLower(attr(n.el, "name"))) {
			r.choice(i, name, value, true, false) // and not how many the reader wants
		}
	case "submit", "button":
		if state := availability(value); state != "" {
			r.addAvailability(i, state, value)
		}
	}
}

// legendLevels is how many levels above a field its fieldset is.
const legendLevels = 5

// button reads one of several buttons of which one is pressed: a size, a colour.
// What one can choose is what the label says, or what the button holds; its group
// is what the legend above says, or what the page calls the field.
func (r *reader) button(i, label int, name string) {
	n := &r.nodes[i]
	_, on := tree.Attr(n.el, "checked")
	legend := -1
	if set := r.around(i, legendLevels, func(up *node) bool { return up.named(atom.Fieldset) }); set >= 0 {
		legend = r.firstIn(set, set, func(n *node) bool { return n.named(atom.Legend) })
	}
	if legend < 0 {
		r.choice(i, nameOf(attr(n.el, "name")), name, on, false)
		return
	}
	text := attr(n.el, "value")
	if label >= 0 && len(r.textOf(label)) <= maxName {
		text = r.textOf(label)
	}
	if group := nameOf(r.textOf(legend)); group != "" {
		r.choice(i, group, text, on, !isOff(n.el) && strings.EqualFold(attr(n.el, "type"), "radio"))
	}
}
