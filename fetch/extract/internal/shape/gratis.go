package shape

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// free finds that one pays nothing for an event: a price of 0, or that it is
// free. Of a product the word says something else: that one gets it with another.
func (sh *shaper) free(p *prop, v *view, s scope) *node {
	asked := v.may(typeNumber) || v.may(typeInteger)
	if p.is("isAccessibleForFree") {
		asked = v.may(typeBoolean)
	} else if !p.is("price") || p.per != "" {
		return nil
	}
	if !asked || !v.typed || v.enum != nil || s.depth > 0 && s.outer == nil || len(sh.things.byFamily["Product"]) > 0 {
		return nil
	}
	f, ok := sh.freeText()
	if !ok || !sh.isOuting(p) {
		return nil
	}
	var made any = json.Number("0")
	if p.is("isAccessibleForFree") {
		made = true
	}
	if n := leaf(made, f); v.outline == nil || sh.passes(v.outline, n) {
		return n
	}
	return nil
}

// freeText is the text of the page that says that its own thing is free.
func (sh *shaper) freeText() (found, bool) {
	for _, e := range sh.things.page {
		for i := range e.Fields {
			f := &e.Fields[i]
			sh.m.Step(1)
			if val := f.Values[0]; val.Kind == graph.Text && !val.Aside && val.Of == graph.Own && mention.SaysFree(val.Text) && sh.isEntry(f.Name, sourceOf(e, &val)) {
				return found{e, f.Name, val}, true
			}
		}
	}
	return found{}, false
}

// isOuting reports whether what the page is about is an event or something that
// one gets into.
func (sh *shaper) isOuting(p *prop) bool {
	if sh.hasFamily("Event") || p.kind == ofEvent {
		return true
	}
	outing, sold := false, false
	for _, e := range sh.things.page {
		for i := range e.Fields {
			f := &e.Fields[i]
			sh.m.Step(1)
			source := sourceOf(e, &f.Values[0])
			name := sh.name(f.Name)
			sold = sold || name.Is("sku", "gtin", "mpn", "availability", "brand") && source != graph.Class
			outing = outing || (name.Is("doorTime", "location", "organizer") || slices.Contains(name.Concepts, "startDate") || entries[name.Key]) && source >= graph.Table && source <= graph.Label
		}
	}
	return outing && !sold
}

// isEntry reports whether a name is that of the price of an event.
func (sh *shaper) isEntry(name string, source graph.Source) bool {
	n := sh.name(name)
	switch source {
	case graph.Table, graph.Definition, graph.Label, graph.Section:
		return n.Is("price") || entries[n.Key]
	}
	return n.Is("price") && strings.Contains(strings.Join(names.Words(name), " "), "price")
}

// entries are names of what one pays to get in.
var entries = wordSet("entry entrance admission admissionfee entryfee ticket tickets ticketprice eintritt eintrittspreis entree billet billets entrada entradas ingresso biglietti toegang fee fees")
