package shape

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// fillArray fills a list: from the values of a field, from the entities whose
// kind has the name of the property, and last from the repeated items of the
// page.
func (sh *shaper) fillArray(p *prop, v *view, s scope) *node {
	if s.outer != nil {
		return nil
	}
	if n := sh.listOfPairs(p, v, s); n != nil && sh.passes(p.sub, n) {
		return n
	}
	n := sh.listFor(p, v, s)
	if n = sh.orShown(p, v, s, n); n != nil || v.items == nil || len(sh.view(v.items).need) == 0 {
		return n
	}
	around := sh.lenient
	sh.lenient = p
	defer func() { sh.lenient = around }()
	return sh.listFor(p, v, s)
}

// listFor makes a list of the best of the places where one may be.
func (sh *shaper) listFor(p *prop, v *view, s scope) *node {
	var best *node
	var unnamed []candidate
	for _, c := range sh.search(p, s) {
		if c.entity.Source == graph.Document && c.field.Name == "items" && s.depth == 0 {
			unnamed = append(unnamed, c) // any items that have no name
			continue
		}
		if c.entity.Source == graph.Document && (c.field.Name == "h1" || c.field.Name == "title") && !sh.newList(p, v).wantsScalars() {
			continue // what the page is called is no thing of a list
		}
		if sh.isCount(c.field.Name) {
			continue // of the reviews, and not they
		}
		n := sh.listOf(sh.united(p, c), p, v)
		if n == nil {
			continue
		}
		if sh.passes(p.sub, n) {
			return n
		}
		if best == nil {
			best = n
		}
	}
	if best == nil && s.depth == 0 {
		best = sh.listOfPage(p, v)
	}
	if best == nil && s.depth > 0 {
		best = sh.listOfShelf(p, v, s)
	}
	for i := 0; i < len(unnamed) && best == nil; i++ {
		if v.items == nil || !sh.isOtherList(p, sh.view(v.items), unnamed[i]) {
			best = sh.listOf(unnamed[i], p, v)
		}
	}
	return best
}

// isCount reports whether a name is that of how many there are.
func (sh *shaper) isCount(name string) bool {
	concepts := sh.name(name).Concepts
	return len(concepts) > 0 && strings.HasSuffix(concepts[0], "Count")
}

// listOfPage makes a list of what no field of the thing has the name of.
func (sh *shaper) listOfPage(p *prop, v *view) *node {
	for _, from := range []func(*prop, *view) *node{sh.listOfPosts, sh.listOfKind, sh.listOfItems, sh.listOfList, sh.listUnderHead} {
		if n := from(p, v); n != nil {
			return n
		}
	}
	return nil
}

// posts are names for the posts of a thread, the first and the answers to it.
var posts = map[string]bool{"posts": true, "messages": true, "thread": true, "beitrage": true, "nachrichten": true, "mensajes": true, "publicaciones": true, "messaggi": true, "berichten": true, "mensagens": true}

// listOfPosts makes a list of a thread that is described for machines: what it
// begins with, and what was answered.
func (sh *shaper) listOfPosts(p *prop, v *view) *node {
	if !posts[p.key.Key] {
		return nil
	}
	l := sh.newList(p, v)
	l.whole = true
	for _, e := range sh.things.byFamily["DiscussionForumPosting"] {
		l.value(found{e, "", graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element, Place: e.Place}})
		for _, comment := range e.Get("comment") {
			l.value(found{e, "comment", comment})
		}
	}
	return l.result()
}

// listOfList makes a list of objects of the first list of the page that is
// described for machines and is not the path to it.
func (sh *shaper) listOfList(p *prop, v *view) *node {
	if v.items == nil || !sh.view(v.items).may(typeObject) {
		return nil
	}
	for _, e := range sh.things.byFamily["ItemList"] {
		l := sh.newList(p, v)
		l.whole = true
		for _, item := range e.Get("itemListElement") {
			l.value(found{e, "itemListElement", item})
		}
		if n := l.result(); n != nil && len(n.items) > 1 {
			return n
		}
	}
	return nil
}

// listOfKind makes a list of the entities whose kind has the name of the
// property, or of its items: {"jobs": […]}.
func (sh *shaper) listOfKind(p *prop, v *view) *node {
	families := names.Families(p.name)
	if len(p.concepts) > 0 {
		families = append(families, names.Families(p.concepts[0])...)
	}
	if v.items != nil {
		families = append(families, names.Families(v.items.Title)...)
	}
	l := sh.newList(p, v)
	l.whole = true
	for _, family := range families {
		for _, e := range sh.things.byFamily[family] {
			if e.Is("BreadcrumbList") || listable[family] {
				l.value(found{e, "", graph.Value{Kind: graph.Thing, Entity: e, Element: e.Element, Place: e.Place}})
			}
		}
		if n := l.result(); n != nil {
			return n
		}
	}
	return nil
}

// listable are the kinds of things that are taken for their kind alone.
var listable = map[string]bool{
	"Product": true, "Recipe": true, "JobPosting": true, "Event": true, "Article": true, "Question": true, "Review": true, "Course": true, "Book": true,
	"Movie": true, "VideoObject": true, "RealEstateListing": true, "Person": true, "Organization": true, "Comment": true, "Offer": true, "SoftwareApplication": true,
	"HowToStep": true, "DiscussionForumPosting": true, "Podcast": true, "MusicRecording": true,
}
