package visible

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/shorten"
)

// media reads the links and images of the page, and of each item its first
// ones.
func (r *reader) media() {
	for i, n := range r.all() {
		switch {
		case n.named(atom.A):
			r.link(i)
		case n.named(atom.Img):
			r.image(i)
		case n.named(atom.Figcaption) && n.part != 0 && !r.has(n.part, "caption"):
			r.add(n.part, "caption", r.value(i, 0))
		case n.named(atom.Address) && n.from < n.to:
			r.add(n.part, "address", r.value(i, 0))
		}
	}
	for _, name := range [...]string{"email", "telephone"} { // the only one of the page is its own, though it stands in a card
		if v := r.contacts[name]; v.Text != "" && !r.has(0, name) {
			r.add(0, name, v)
		}
	}
}

// isContact reports whether an address is no place of the web.
func isContact(href string) bool {
	scheme, _, _ := strings.Cut(strings.TrimSpace(href), ":")
	return strings.EqualFold(scheme, "mailto") || strings.EqualFold(scheme, "tel")
}

func (r *reader) link(i int) {
	href := strings.TrimSpace(attr(r.nodes[i].el, "href"))
	switch scheme, rest, _ := strings.Cut(href, ":"); {
	case strings.EqualFold(scheme, "mailto"):
		r.contact(i, "email", rest)
		return
	case strings.EqualFold(scheme, "tel"):
		r.contact(i, "telephone", rest)
		return
	}
	shown := r.textOf(i)
	if shown == "" {
		shown = r.altIn(i)
	}
	if v, ok := r.address(href, shown, graph.Document, i); ok && shown != "" {
		r.socialLink(i, v)
		r.add(0, "links", v)
	}
}

// contact adds an address that is no place of the web.
func (r *reader) contact(i int, name, value string) {
	value, _, _ = strings.Cut(value, "?")
	if len(value) <= maxClassed {
		v := r.value(i, graph.Label)
		if plain, err := url.PathUnescape(value); err == nil {
			value = plain
		}
		if value = strings.TrimSpace(value); value != v.Text {
			v.Text, v.Shown = value, v.Text
		}
		r.add(r.nodes[i].part, name, v)
		if other, known := r.contacts[name]; known && other.Text != v.Text || r.isOfPerson(r.nodes[i].part) || name == "telephone" && !isNumber(value) {
			v = graph.Value{}
		}
		r.contacts[name] = v
	}
}

// isOfPerson reports whether a part has somebody for a title.
func (r *reader) isOfPerson(part int) bool {
	return part > 0 && r.parts[part].title >= 0 && people.IsFull(r.textOf(r.parts[part].title))
}

// isNumber reports whether a text may be the number of a telephone.
func isNumber(s string) bool { return len(s) > 4 && strings.Trim(s, "+0123456789 ()-./") == "" }

func (r *reader) image(i int) {
	n := &r.nodes[i]
	v, ok := r.imageValue(i)
	if !ok {
		return
	}
	v.Source = graph.Document
	if n.part == 0 && n.is(isAside) && isLogo(n.el) {
		r.add(0, "logo", v)
		return
	}
	r.add(0, "images", v)
	if n.part != 0 && !r.has(n.part, "image") {
		v.Source = 0
		r.add(n.part, "image", v)
		if item := &r.nodes[r.parts[n.part].node]; item.named(atom.Figure) && item.is(isMember) && !r.has(n.part, "url") {
			r.add(n.part, "url", v)
		}
	}
}

// isLogo reports whether an image says that it is the sign of the site.
func isLogo(n *html.Node) bool {
	for _, key := range [...]string{"src", "class", "id", "alt"} {
		if strings.Contains(strings.ToLower(shorten.Prefix(attr(n, key), maxNames)), "logo") {
			return true
		}
	}
	return false
}

// imageValue returns the address of an image and what it shows.
func (r *reader) imageValue(i int) (graph.Value, bool) {
	n := &r.nodes[i]
	return r.address(page.ImageAddress(n.el), oneLine(strings.TrimSpace(shorten.Prefix(attr(n.el, "alt"), r.o.MaxValueBytes))), 0, i)
}
