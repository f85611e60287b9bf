package visible

import (
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// breadcrumbs reads the path to the page, as links that lead there.
func (r *reader) breadcrumbs() {
	for i := 0; i < len(r.nodes); i++ {
		r.Meter.Step(1)
		if n := &r.nodes[i]; !n.is(isText) && n.from < n.to && n.is(saysCrumbs) {
			r.crumbs(i)
			n.flags |= hasItems
			i = n.end - 1
		}
	}
}

// maxCrumbs is how many steps a path has at most.
const maxCrumbs = 30

// crumbs adds each step: the links, and at the end where the page is.
func (r *reader) crumbs(i int) {
	n := &r.nodes[i]
	last, count := -1, 0
	for c := i; c < n.end; c++ {
		r.Meter.Step(1)
		t := &r.nodes[c]
		if !t.is(isText) || !hasWords(r.text[t.from:t.to]) {
			continue
		}
		if a := r.linkAround(c, i); a != last || a < 0 {
			if count++; count > maxCrumbs {
				return
			}
			r.crumb(c, a)
			last = a
		}
	}
}

func (r *reader) linkAround(c, top int) int {
	for up, n := r.nodes[c].up, 0; up > top && n < nearHeading; up, n = r.nodes[up].up, n+1 {
		if r.nodes[up].named(atom.A) {
			return up
		}
	}
	return -1
}

func (r *reader) crumb(text, link int) {
	if r.entities >= r.o.MaxEntities {
		return
	}
	at := text
	if link >= 0 {
		at = link
	}
	shown := strings.Trim(r.textOf(at), " /\\>»›|→•-")
	if shown == "" || len(shown) > maxClassed {
		return
	}
	e := &graph.Entity{Source: graph.Item, Element: r.elementOf(at)}
	v := r.thing(e, at)
	v.Element, v.Shown, v.Aside = e.Element, shown, false
	r.add(0, "breadcrumbs", v)
	part := r.newPart(e, at, 0)
	r.add(part, "title", r.textValue(shown, 0, e.Element))
	if link >= 0 {
		if u, ok := r.address(attr(r.nodes[link].el, "href"), "", 0, link); ok {
			u.Aside = false
			r.add(part, "url", u)
		}
	}
}
