package visible

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// forms reads the values of forms: what is chosen, and what can be.
func (r *reader) forms() {
	labels := r.fieldLabels()
	for i := range r.nodes {
		r.pass(i)
		switch n := &r.nodes[i]; {
		case n.named(atom.Select):
			r.selection(i, r.fieldName(i, labels))
		case n.named(atom.Input):
			r.input(i, labels)
		}
	}
}

// fieldLabels returns the node of each label by the id of its field.
func (r *reader) fieldLabels() map[string]int {
	labels := map[string]int{}
	for i := range r.nodes {
		if n := &r.nodes[i]; n.named(atom.Label) && n.from < n.to {
			if id := attr(n.el, "for"); id != "" {
				labels[id] = i
			}
		}
	}
	return labels
}

// labelOf returns the label of a field that leads to it or that it stands in,
// or -1.
func (r *reader) labelOf(i int, labels map[string]int) int {
	if id := attr(r.nodes[i].el, "id"); id != "" {
		if label, ok := labels[id]; ok {
			return label
		}
	}
	for up, n := r.nodes[i].up, 0; up >= 0 && n < 2; up, n = r.nodes[up].up, n+1 {
		if r.nodes[up].named(atom.Label) && r.nodes[up].from < r.nodes[up].to {
			return up
		}
	}
	return -1
}

// fieldName returns the name of a field: its label, or what it calls itself.
func (r *reader) fieldName(i int, labels map[string]int) string {
	el := r.nodes[i].el
	label := r.labelOf(i, labels)
	if label >= 0 && !r.isWithin(i, label) {
		if name := nameOf(r.textOf(label)); name != "" {
			return name
		}
	}
	if name := nameOf(attr(el, "aria-label")); name != "" {
		return name
	}
	if label >= 0 {
		return nameOf(r.textOf(label))
	}
	name := attr(el, "name")
	if strings.ContainsAny(name, "[]") {
		return ""
	}
	return nameOf(name)
}

// isWithin reports whether a node is within another one.
func (r *reader) isWithin(i, top int) bool { return top < i && i < r.nodes[top].end }

// maxChoices is how many options of a field are read.
const maxChoices = 100

// selection reads the options of a select element, of which its value is the
// one that the page has selected.
func (r *reader) selection(i int, name string) {
	if name == "" {
		return
	}
	n := &r.nodes[i]
	count := 0
	for o := range r.Meter.Below(n.el) {
		if o.DataAtom != atom.Option || count == maxChoices {
			continue
		}
		count++
		v := r.textValue(optionText(o), graph.Label, o)
		v.Aside = n.is(isAside)
		if _, chosen := lookup(o, "selected"); chosen {
			r.add(n.part, name, v)
		}
		if _, off := lookup(o, "disabled"); !off && attr(o, "value") != "" {
			r.add(n.part, choicesOf(name), v)
		}
	}
}

func lookup(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

func optionText(o *html.Node) string {
	if c := o.FirstChild; c != nil && c.Type == html.TextNode {
		return strings.Join(strings.Fields(strings.ToValidUTF8(cut(c.Data, 4*maxName), "\uFFFD")), " ")
	}
	return ""
}

// input reads a field that shows its value, or that is ticked.
func (r *reader) input(i int, labels map[string]int) {
	n, name := &r.nodes[i], r.fieldName(i, labels)
	switch strings.ToLower(attr(n.el, "type")) {
	case "radio", "checkbox":
		r.choice(i, name, r.labelOf(i, labels))
	case "", "text", "number", "date", "tel", "email", "url":
		if _, fixed := lookup(n.el, "readonly"); !fixed && isAmountField(n.el, name) {
			return // how many the reader wants
		}
		r.addField(i, name, attr(n.el, "value"))
	case "submit", "button":
		if state := availability(attr(n.el, "value")); state != "" {
			r.addAvailability(i, state, attr(n.el, "value"))
		}
	}
}

// isAmountField reports whether a field is for how many of a thing somebody
// orders: what stands in it says nothing of the thing.
func isAmountField(n *html.Node, label string) bool {
	if _, off := lookup(n, "disabled"); off {
		return false
	}
	return amountFields[strings.ToLower(label)] || amountFields[strings.ToLower(attr(n, "name"))]
}

var amountFields = setOf("qty quantity amount menge anzahl stückzahl quantité qté cantidad quantità qtà aantal quantidade qtde количество antal ilość množství")

func (r *reader) addField(i int, name, value string) {
	v := r.textValue(strings.Join(strings.Fields(cut(value, 4*maxName)), " "), graph.Label, r.nodes[i].el)
	v.Aside = r.nodes[i].is(isAside)
	r.add(r.nodes[i].part, name, v)
}
