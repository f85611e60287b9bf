package shape

import (
	"cmp"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
	"github.com/drover-go/drover/internal/names"
)

// derive finds what is said only as a part of something else: that a thing with
// a price is sold, the host of the page's address, a sum of times, the currency
// of a price.
func (sh *shaper) derive(p *prop, v *view, s scope) *node {
	if p.is("availability") {
		return sh.offered(p, v, s)
	}
	for _, from := range []func(*prop, *view, scope) *node{sh.host, sh.free, sh.wholeTime, sh.currencyBeside, sh.perUnit, sh.payPeriod, sh.titleVersion} {
		if n := from(p, v, s); n != nil {
			return n
		}
	}
	return nil
}

// currencyBeside finds the currency that an amount is in.
func (sh *shaper) currencyBeside(p *prop, v *view, s scope) *node {
	if !p.is("priceCurrency") {
		return nil
	}
	for _, source := range []string{"price", "baseSalary"} {
		for _, c := range sh.search(propOf(source, p.sub), s) {
			for _, value := range c.field.Values {
				if value.Kind == graph.Thing {
					continue
				}
				if n := sh.scalar(p, v, found{c.entity, c.field.Name, value}, 0); n != nil {
					return n
				}
			}
		}
	}
	return nil
}

// perUnit finds the price for a unit of what the page sells beside that of the whole.
func (sh *shaper) perUnit(p *prop, v *view, s scope) *node {
	if !p.is("price") || !names.IsGoods(p.per) || s.depth != 0 || s.outer != nil {
		return nil
	}
	for _, e := range sh.things.page {
		for _, value := range e.Get(graph.ShownPerUnit) {
			if n := sh.scalar(p, v, found{e, graph.ShownPerUnit, value}, 0); n != nil && !value.Aside && value.Of == graph.Own {
				return n
			}
		}
	}
	return nil
}

// payPeriod finds for how long a salary is that is said in words: "per year".
func (sh *shaper) payPeriod(p *prop, v *view, s scope) *node {
	if !p.is("salaryUnit") {
		return nil
	}
	for _, c := range sh.search(propOf("baseSalary", p.sub), s) {
		for _, value := range c.field.Values {
			f := found{c.entity, c.field.Name, value}
			if unit := periodOf(value.Text); value.Kind == graph.Text && unit != "" {
				return sh.scalar(p, v, f.saying(unit), 0)
			}
		}
	}
	return nil
}

// periodOf returns the time behind the first amount of a text that has one, or "": "£26,000 per
// annum, 5 days a week".
func periodOf(text string) (unit string) {
	for _, behind := range strings.FieldsFunc(text, func(c rune) bool { return c >= '0' && c <= '9' }) {
		words := names.Words(behind)
		for i, w := range words {
			for _, of := range [...]string{"hour", "day", "week", "month", "year"} {
				if isIn("per "+of, w) && (i == 0 || i == 1 && len(words[0]) <= 3 || i == len(words)-1 || isIn("per", words[i-1])) {
					unit = of // "an" is no year before "hour"
				}
			}
		}
		if unit != "" {
			break
		}
	}
	return unit
}

// versionText is the version of software in a title: "Tinker 3.2.0", "v2.1".
var versionText = lexicon.Pattern(`(?:^|\s)(?:[vV]?(\d+\.\d+\.\d{1,3}(?:-\w+)?)|[vV](\d+\.\d+))(?:[\s,;:)]|$)`)

// titleVersion finds the version of the software that a page is about in its heading.
func (sh *shaper) titleVersion(p *prop, v *view, s scope) *node {
	if !p.is("version") || s.depth != 0 || s.outer != nil || sh.things.document == nil {
		return nil
	}
	f := said(sh.things.document, "h1")
	if m := versionText().FindStringSubmatch(f.value.Text); m != nil && !mention.IsDate(m[1]) {
		return sh.scalar(p, v, f.saying(cmp.Or(m[1], m[2])), 0)
	}
	return nil
}

// host fills a property with the host of the page's address.
func (sh *shaper) host(p *prop, v *view, s scope) *node {
	if s.depth != 0 || s.outer != nil || !isIn("hostName", p.key.Key) && (!isIn("mayBeHost", p.key.Key) || p.kind > ofRecipe || sh.hasFamily("Event", "JobPosting", "Podcast", "RealEstateListing")) {
		return nil
	}
	for _, e := range sh.things.page {
		if name := said(e, "og:site_name"); name.entity != nil && p.key.Key == "site" && v.Format == "" {
			if n := sh.scalar(p, v, name, 0); n != nil {
				return n
			}
		}
	}
	u, err := url.Parse(sh.o.PageURL)
	i := slices.IndexFunc(sh.things.page, func(e *graph.Entity) bool { return e.Source == graph.Document })
	if err != nil || u.Hostname() == "" || i < 0 {
		return nil
	}
	e, text := sh.things.page[i], strings.ToLower(u.Hostname())
	if p.key.Key != "hostname" {
		text = strings.TrimPrefix(text, "www.") // the site is known without it
	}
	val := graph.Value{Kind: graph.Text, Source: graph.Document, Text: text, Element: e.Element}
	return sh.scalar(&prop{name: p.name, key: p.key, sub: p.sub}, v, found{e, "address", val}, 0)
}

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
	if !asked || !v.typed || v.Enum != nil || s.depth > 0 && s.outer == nil || len(sh.things.byFamily["Product"]) > 0 {
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
	return labelled && isIn("entry", n.Key) || n.Is("price") && (labelled || strings.Contains(strings.Join(names.Words(name), " "), "price"))
}

// maxReduction is how many times more than its price of now a thing cost; what
// is lower still is the price of something else.
const maxReduction = 10

// reduced returns the lower price that the page shows beside the one that was
// found, where the page says that this is the old one: what shops write for
// machines is at times the price before the sale.
func (sh *shaper) reduced(p *prop, v *view, s scope, n *node) *node {
	if !p.is("price") || s.depth != 0 || n.kind != scalar || n.from.entity == nil || isPage(n.from.entity) {
		return n
	}
	if shown := sh.thousands(p, v, n); shown != nil {
		return shown
	}
	was, old := sh.shownPrices(propOf("originalPrice", p.sub)), sh.number(textOf(n.value))
	isOld := func(number float64) bool {
		return slices.ContainsFunc(was, func(o shownPrice) bool { return o.number == number })
	}
	if !isOld(old) {
		return n
	}
	for _, now := range sh.shownPrices(p) {
		if now.number < old && old < now.number*maxReduction && !isOld(now.number) {
			if lower := sh.scalar(p, v, now.found, 0); lower != nil {
				return lower
			}
		}
	}
	return n
}

// inThousands is a number that is either one of thousands or has three decimals.
var inThousands = lexicon.Pattern(`^\d{1,3}[.,]\d{3}$`)

// thousands returns the price that the page shows where that which it says for
// machines has been read as one with three decimals, nil for any other: "1.299".
func (sh *shaper) thousands(p *prop, v *view, n *node) *node {
	if !inThousands().MatchString(n.from.value.Text) {
		return nil
	}
	for _, shown := range sh.shownPrices(p) {
		if shown.number == 1000*sh.number(textOf(n.value)) {
			return sh.scalar(p, v, shown.found, 0)
		}
	}
	return nil
}

// A shownPrice is what people see as a price of the page's own thing.
type shownPrice struct {
	found
	number float64
}

func (sh *shaper) shownPrices(p *prop) (all []shownPrice) {
	for _, c := range sh.search(p, scope{entities: sh.things.page}) {
		for _, v := range c.field.Values {
			if n := sh.number(v.Text); n > 0 && !v.Aside && v.Of != graph.Related {
				all = append(all, shownPrice{found{c.entity, c.field.Name, v}, n})
			}
		}
	}
	return all
}

// number returns the number in a text, or one that is none.
func (sh *shaper) number(text string) float64 {
	n, _ := mention.Number(text, sh.o.Language)
	f, err := strconv.ParseFloat(n, 64)
	if err != nil {
		return math.NaN()
	}
	return f
}
