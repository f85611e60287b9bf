package shape

import (
	"net/url"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// derive finds what is said only as a part of something else: that a thing with
// a price is sold, the host of the page's address, a sum of times, the currency
// of a price.
func (sh *shaper) derive(p *prop, v *view, s scope) *node {
	if p.is("availability") {
		return sh.offered(p, v, s)
	}
	for _, from := range []func(*prop, *view, scope) *node{sh.host, sh.free, sh.wholeTime, sh.currencyBeside} {
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

var (
	// hostNames are what the host of a page's address is asked for as.
	hostNames = wordSet("hostname domain domainname sitehost sitedomain websitehost pagehost urlhost")
	// mayBeHost are names for it that also mean who receives guests, and where
	// people work.
	mayBeHost = wordSet("host site")
)

// host fills a property with the host of the page's address.
func (sh *shaper) host(p *prop, v *view, s scope) *node {
	if s.depth != 0 || s.outer != nil || !hostNames[p.key.Key] && (!mayBeHost[p.key.Key] || p.kind > ofRecipe || sh.hasFamily("Event", "JobPosting", "Podcast", "RealEstateListing")) {
		return nil
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
