package visible

import (
	"cmp"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/internal/mention"
)

// breadcrumbs reads the path to the page, as links that lead there.
func (r *reader) breadcrumbs() {
	seen := map[string]bool{} // trails, which may stand above the text and below it
	for i := 0; i < len(r.nodes); i++ {
		r.Meter.Step(1)
		if n := &r.nodes[i]; !n.is(isText) && n.from < n.to && n.to-n.from <= mention.MaxLabelled && n.is(saysCrumbs) && !n.named(atom.Body) { // a body says that it has some
			if trail := r.text[n.from:n.to]; !seen[trail] {
				seen[trail] = true
				r.crumbs(i)
			}
			n.flags |= hasItems
			i = n.end - 1
		}
	}
}

// maxCrumbs is how many steps a path has at most.
const maxCrumbs = 30

// crumbs adds each step: the links, and at the end where the page is.
func (r *reader) crumbs(i int) {
	last, count := -1, 0
	for c := i; c < r.nodes[i].end && count < maxCrumbs; c++ {
		r.Meter.Step(1)
		if t := &r.nodes[c]; !t.is(isText) || !hasWords(r.text[t.from:t.to]) || r.text[t.to-1] == ':' {
			continue
		}
		if count == 0 && r.around(c, 2, func(up *node) bool { return up.level > 1 }) >= 0 && r.around(c, nearHeading, func(up *node) bool { return up.named(atom.A) }) < 0 {
			continue // "You are here"
		}
		link := r.around(c, nearHeading, func(up *node) bool { return up.named(atom.A) })
		if link < 0 || link != last {
			r.crumb(cmp.Or(max(0, link), c))
			count++
		}
		last = link
	}
}

// crumb adds a step that is a text or a link.
func (r *reader) crumb(i int) {
	shown := strings.Trim(r.textOf(i), " /\\>»›|→•-")
	if r.entities >= r.o.MaxEntities || shown == "" || is("crumb class", strings.ToLower(shown)) || len(shown) > maxClassed {
		return
	}
	in, v := r.newThing(i, 0)
	v.Shown, v.Aside = shown, false
	r.add(0, "breadcrumbs", v)
	r.add(in, "title", r.textValue(shown, 0, v.Element))
	if u, ok := r.address(attr(v.Element, "href"), "", 0, i); ok && r.nodes[i].named(atom.A) {
		u.Aside = false
		r.add(in, "url", u)
	}
}
