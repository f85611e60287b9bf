package shape

import (
	"net/url"
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// hostNames are what the host of a page's address is asked for as. A "host" is
// also who receives guests, and a "site" where people work.
var (
	hostNames = map[string]bool{"hostname": true, "domain": true, "domainname": true, "sitehost": true, "sitedomain": true, "websitehost": true, "pagehost": true, "urlhost": true}
	mayBeHost = map[string]bool{"host": true, "site": true}
)

// host fills a property with the host of the page's address.
func (sh *shaper) host(p *prop, v *view, s scope) *node {
	if s.depth != 0 || s.outer != nil || !hostNames[p.key.Key] && !(mayBeHost[p.key.Key] && p.kind == ofAnything && !sh.hasFamily("Event", "JobPosting", "Podcast", "RealEstateListing")) {
		return nil
	}
	u, err := url.Parse(sh.o.PageURL)
	i := slices.IndexFunc(sh.things.page, func(e *graph.Entity) bool { return e.Source == graph.Document })
	if err != nil || u.Hostname() == "" || i < 0 {
		return nil
	}
	e := sh.things.page[i]
	text := strings.ToLower(u.Hostname())
	if p.key.Key != "hostname" {
		text = strings.TrimPrefix(text, "www.") // the site is known without it
	}
	val := graph.Value{Kind: graph.Text, Source: graph.Document, Text: text, Element: e.Element}
	return sh.scalar(&prop{name: p.name, key: p.key, sub: p.sub}, v, found{e, "address", val}, 0)
}
