package visible

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// choice reads one of several buttons of which one is pressed: a size, a colour.
// Its group is what the legend above says, or what the page calls the field.
func (r *reader) choice(i int, name string, label int) {
	el := r.nodes[i].el
	_, on := lookup(el, "checked")
	legend := r.legendOf(i)
	if legend < 0 {
		if on && name != "" {
			r.addField(i, nameOf(attr(el, "name")), name)
		}
		return
	}
	group, text := nameOf(r.textOf(legend)), r.choiceText(i, label)
	if group == "" || text == "" {
		return
	}
	if on {
		r.addField(i, group, text)
	}
	if _, off := lookup(el, "disabled"); !off && strings.EqualFold(attr(el, "type"), "radio") {
		r.addField(i, choicesOf(group), text)
	}
}

// choicesOf returns the name of all that can be chosen in a field.
func choicesOf(field string) string {
	if many := choiceNames[strings.ToLower(field)]; many != "" {
		return many
	}
	return field + " options"
}

// choiceNames are the names of several of what the fields of shops ask for.
var choiceNames = map[string]string{
	"size": "sizes", "größe": "sizes", "taille": "sizes", "talla": "sizes", "taglia": "sizes", "maat": "sizes", "tamanho": "sizes", "tamaño": "sizes",
	"color": "colors", "colour": "colors", "farbe": "colors", "couleur": "colors", "colore": "colors", "kleur": "colors", "cor": "colors",
	"material": "materials", "style": "styles", "flavour": "flavors", "flavor": "flavors",
}

// choiceText returns what one can choose: what the label says, also one right
// behind that leads nowhere, or what the field itself holds.
func (r *reader) choiceText(i, label int) string {
	n := &r.nodes[i]
	if next := n.end; label < 0 && next < len(r.nodes) && r.nodes[next].up == n.up && r.nodes[next].named(atom.Label) {
		label = next
	}
	if label >= 0 {
		if text := r.textOf(label); len(text) <= maxName {
			return text
		}
	}
	return cut(attr(n.el, "value"), maxName)
}

// legendLevels is how many levels above a field its fieldset is.
const legendLevels = 5

// legendOf returns the legend of the fieldset that a field is in, or -1.
func (r *reader) legendOf(i int) int {
	for up, n := r.nodes[i].up, 0; up >= 0 && n < legendLevels; up, n = r.nodes[up].up, n+1 {
		if !r.nodes[up].named(atom.Fieldset) {
			continue
		}
		for c := up + 1; c < r.nodes[up].end && c < up+legendLevels; c++ {
			if r.nodes[c].named(atom.Legend) {
				return c
			}
		}
		return -1
	}
	return -1
}

// isOverChoices reports whether a heading is the legend of fields to choose
// from: what stands under it is read as these.
func (r *reader) isOverChoices(h int) bool {
	n := &r.nodes[h]
	if !n.named(atom.Legend) || n.up < 0 || !r.nodes[n.up].named(atom.Fieldset) {
		return false
	}
	for c := n.end; c < r.nodes[n.up].end && c < n.end+maxLook; c++ {
		r.Meter.Step(1)
		if t := attr(r.nodes[c].el, "type"); r.nodes[c].named(atom.Input) && (t == "radio" || t == "checkbox") {
			return true
		}
	}
	return false
}
