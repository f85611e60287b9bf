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
	var made any = json.Number("0")
	if p.is("isAccessibleForFree") {
		asked, made = v.may(typeBoolean), true
	} else if !p.is("price") || p.per != "" {
		return nil
	}
	if !asked || !v.typed || v.enum != nil || s.depth > 0 && s.outer == nil || len(sh.things.byFamily["Product"]) > 0 {
		return nil
	}
	f, ok := sh.freeText()
	if !ok || p.kind != ofEvent && !sh.hasFamily("Event") && (!sh.shows(p, "startDate", "doorTime", "location", "organizer") || sh.shows(p, "sku", "gtin", "mpn", "availability", "brand")) {
		return nil
	}
	if n := leaf(made, f); v.outline == nil || sh.passes(v.outline, n) {
		return n
	}
	return nil
}

// shows reports whether the page has one of some concepts.
func (sh *shaper) shows(p *prop, concepts ...string) bool {
	return slices.ContainsFunc(concepts, func(c string) bool { return len(sh.search(propOf(c, p.sub), scope{entities: sh.things.page})) > 0 })
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

// isEntry reports whether a name is that of the price of an event.
func (sh *shaper) isEntry(name string, source graph.Source) bool {
	n := sh.name(name)
	labelled := source >= graph.Table && source <= graph.Section
	return labelled && entries[n.Key] || n.Is("price") && (labelled || strings.Contains(strings.Join(names.Words(name), " "), "price"))
}

// entries are names of what one pays to get in.
var entries = wordSet("entry entrance admission admissionfee entryfee ticket tickets ticketprice eintritt eintrittspreis entree billet billets entrada entradas ingresso biglietti toegang fee fees")
