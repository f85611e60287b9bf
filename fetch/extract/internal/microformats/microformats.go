// Package microformats reads the elements with classes such as h-entry of a
// page, as the parsing specification of microformats2 (microformats.org) says,
// and the older hCard, hReview, hRecipe and hProduct in terms of it.
package microformats

import (
	"cmp"
	"embed"
	"strings"
	"sync"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/page"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
)

// Read returns the things that are the property of no other, in the order of
// the page. Types and properties lose their prefix: h-entry with p-name is a
// thing of the type "entry" with "name".
func Read(p *page.Page) []*graph.Entity {
	r := &reader{page: p}
	r.children(p.Doc, nil)
	return r.roots
}

type reader struct {
	page  *page.Page
	roots []*graph.Entity
}

// item is a thing whose element is being read.
type item struct {
	*graph.Entity
	// old holds the property classes of an older format, else nil.
	old map[string]property
	// texts, addresses and things say what kinds of properties there are; less
	// is implied then.
	texts, addresses, things bool
}

func (r *reader) children(n *html.Node, in *item) {
	for c := range r.page.Children(n) {
		class := classesOf(tree.AttrOr(c, "class"), in)
		if len(class.types) > 0 {
			r.thing(c, class, in)
			continue
		}
		for _, p := range class.properties {
			in.texts, in.addresses = in.texts || p.kind == 'p' || p.kind == 'e', in.addresses || p.kind == 'u'
			if v := r.value(c, p.kind); v.Text != "" {
				in.say(p.name, v)
			}
		}
		r.children(c, in)
	}
}

// thing reads an element that is a thing: the value of the properties that it
// is marked as, or else one of the children of the thing around it.
func (r *reader) thing(n *html.Node, c classes, in *item) {
	e := &graph.Entity{Source: graph.Microformats, Types: c.types, Element: n}
	inner := &item{Entity: e, old: c.old}
	r.children(n, inner)
	if c.old == nil && !inner.things {
		r.imply(n, inner)
	}
	if len(e.Fields) == 0 {
		return
	}
	if in == nil {
		if !isWriter(n) {
			r.roots = append(r.roots, e)
		}
		return
	}
	in.things = true
	v := graph.Value{Kind: graph.Thing, Entity: e, Element: n}
	if len(c.properties) == 0 {
		in.Add("children", v)
	}
	for _, p := range c.properties {
		in.say(p.name, v)
	}
}

// isWriter reports whether a card is that of who wrote an article or left a
// comment, of which nothing else is described: it is no thing that a page is
// about.
func isWriter(n *html.Node) bool {
	for class := range tree.Classes(n) {
		switch class {
		case "author", "comment-author", "post-author", "entry-author", "reviewer":
			return true
		}
	}
	return false
}

// property is a class that names one: 'p' a text, 'u' an address, 'd' a time,
// 'e' a text with markup.
type property struct {
	kind byte
	name string
}

// format is one of the older formats: its name in microformats2, and what its
// classes are there.
type format struct {
	name       string
	properties map[string]property
}

//go:embed lexicon
var files embed.FS

// formats are the older formats by the class of their root.
var formats = sync.OnceValue(func() map[string]format {
	all := map[string]format{}
	for _, e := range lexicon.Read(files, "formats") {
		class, name, _ := strings.Cut(e.Name, " ")
		f := format{name, map[string]property{}}
		for _, word := range e.Words {
			old, is, _ := strings.Cut(word, "=")
			f.properties[old] = property{is[0], is[2:]}
		}
		all[class] = f
	}
	return all
})

// classes are what the class attribute of an element says.
type classes struct {
	types      []string
	properties []property
	old        map[string]property
}

// classesOf reads the classes of microformats2, of which only names of lower-case
// letters count, for frameworks have classes that look alike (h-100, p-3), and
// those of an older format.
func classesOf(class string, in *item) (c classes) {
	for name := range strings.FieldsSeq(class) {
		if f, ok := formats()[name]; ok && c.old == nil {
			c.old, c.types = f.properties, append(c.types, f.name)
		}
		if in != nil && in.old != nil {
			if p, ok := in.old[name]; ok {
				c.properties = append(c.properties, p)
			}
			continue
		}
		prefix, name, ok := strings.Cut(name, "-")
		switch {
		case !ok:
		case prefix == "h" && roots[name]:
			c.types = append(c.types, name)
		case in != nil && (prefix == "p" || prefix == "u" || prefix == "e" || prefix == "dt") && isName(name):
			c.properties = append(c.properties, property{prefix[0], name})
		}
	}
	return c
}

// roots are the things of microformats2; others are the classes of styles.
var roots = map[string]bool{
	"adr": true, "card": true, "entry": true, "event": true, "feed": true, "geo": true, "item": true, "listing": true,
	"product": true, "recipe": true, "resume": true, "review": true, "review-aggregate": true, "cite": true, "app": true, "measure": true,
}

func isName(s string) bool {
	isOther := func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' }
	return s != "" && s[0] >= 'a' && s[len(s)-1] != '-' && !strings.ContainsFunc(s, isOther)
}

// meanings are what schema.org calls the properties that have another name, or one
// of more meanings, elsewhere; some of them in one kind of thing.
var meanings = map[string]string{
	"adr": "address", "bday": "birthDate", "average": "ratingValue", "best": "bestRating", "worst": "worstRating", "count": "reviewCount", "votes": "ratingCount",
	"card org": "worksFor", "card role": "jobTitle", "product identifier": "sku",
}

// say adds a value under the name that others have for the property.
func (in *item) say(name string, v graph.Value) {
	if v.Entity != nil && v.Entity.Is("review-aggregate") {
		name = "aggregateRating"
		v.Entity.Types = graph.AppendType(v.Entity.Types, "AggregateRating")
	}
	in.Add(cmp.Or(meanings[in.Types[0]+" "+name], meanings[name], name), v)
}
