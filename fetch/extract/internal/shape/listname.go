package shape

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/extract/internal/people"
	"github.com/drover-go/drover/internal/names"
)

// generalLists are words for a list that do not say what is in it, or no more
// than that somebody sells or has written it.
var generalLists = wordSet("item result hit data list record row entry entries content element object value feed card product offer article post listing thing option good service price menu speisekarte " +
	"ergebnis ergebnisse eintrag eintraege eintrage liste listen produkt produkte artikel angebot angebote beitrag beitrage preis preise resultat produit offre element elemento producto resultado articulo oferta precio prodotto prodotti risultato risultati offerta offerte articolo articoli elementi producten resultaten prijzen")

// akin are words of which one says what a list under another holds.
var akin = []map[string]bool{
	wordSet("person people employee staff team member crew board colleague personnel leadership management mitarbeiter personal equipe equipo squadra personale medewerker"),
	wordSet("dish menu food meal starter main dessert drink soup salad pizza pasta sandwich breakfast lunch dinner gericht gerichte speise speisen speisekarte vorspeise vorspeisen hauptgericht hauptgerichte plat plats carte entree platos carta postre piatti piatto antipasti primi secondi dolci gerechten"),
}

// isOtherList reports whether a list of the visible page is one of other things
// than those that a property names: lines of words under a heading that does not
// name them, or things under a heading that names another kind.
func (sh *shaper) isOtherList(p *prop, iv *view, g candidate) bool {
	if g.entity.Source == graph.State || len(g.field.Values) == 0 || sh.isNamedSo(p, g) {
		return false
	}
	if !areBare(g.field) {
		return sh.isUnderOther(p, g)
	}
	return !sh.tellsMore(iv, g.field)
}

// isNamedSo reports whether a property has a general name, or one that is a word
// of what stands above or around a list, or means the same.
func (sh *shaper) isNamedSo(p *prop, g candidate) bool {
	words := names.Words(p.name)
	if len(words) == 0 || isGeneral(words[len(words)-1]) || sh.score(p, g.field.Name) >= names.Threshold {
		return true
	}
	if isAnyOf(akin[0], words[len(words)-1:]) {
		return arePeople(g.field) || isAnyOf(akin[0], names.Words(g.field.Name))
	}
	about := sh.wordsAbout(g)
	if names.Shared(words, about) {
		return true
	}
	for _, set := range akin {
		if isAnyOf(set, words) && isAnyOf(set, about) {
			return true
		}
	}
	families := kindsNamed(p.name)
	return slices.ContainsFunc(about, func(w string) bool {
		return slices.ContainsFunc(kindsNamed(w), func(f string) bool { return slices.Contains(families, f) })
	})
}

// kindsNamed are the kinds of things that a name, or the singular of it, means.
func kindsNamed(name string) []string {
	return slices.Concat(names.Families(name), names.Families(strings.TrimSuffix(name, "s")))
}

func isGeneral(word string) bool { return generalLists[word] || generalLists[singular(word)] }

// singular takes the plural off a word, roughly.
func singular(w string) string {
	if s, ok := strings.CutSuffix(w, "shes"); ok {
		return s + "sh"
	}
	return strings.TrimSuffix(w, "s")
}

func isAnyOf(set map[string]bool, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return set[w] || set[singular(w)] })
}

// wordsAbout returns the words of the headings and classes that the first thing
// of a list is found by, of the page's title and of its address.
func (sh *shaper) wordsAbout(g candidate) []string {
	things := firstThings(g.field)
	if len(things) == 0 {
		return nil
	}
	var words []string
	for _, e := range sh.things.page {
		for i := range e.Fields {
			f := &e.Fields[i]
			sh.m.Step(1 + len(f.Values)/8)
			switch {
			case f.Name == "h1" || f.Name == "title" && e.Source == graph.Document:
				words = append(words, names.Words(f.Values[0].Text)...)
			case f.Name != "sections" && holds(f, things[0]):
				words = append(words, names.Words(f.Name)...)
			}
		}
	}
	if u, err := url.Parse(sh.o.PageURL); err == nil {
		words = append(words, names.Words(u.Path)...)
	}
	return words
}

func holds(f *graph.Field, e *graph.Entity) bool {
	return slices.ContainsFunc(f.Values, func(v graph.Value) bool { return v.Entity == e })
}

// firstThings returns the first things that a field holds, without its texts.
func firstThings(f *graph.Field) []*graph.Entity {
	var all []*graph.Entity
	for i := range f.Values {
		if e := f.Values[i].Entity; e != nil && len(all) < sample {
			all = append(all, e)
		}
		if len(all) == sample {
			break
		}
	}
	return all
}

// most reports whether more than half of the first things of a list are so.
func most(f *graph.Field, is func(*graph.Entity) bool) bool {
	things, n := firstThings(f), 0
	for _, e := range things {
		if is(e) {
			n++
		}
	}
	return 2*n > len(things)
}

// areBare reports whether most of a list's things are words alone, without a
// link, a picture, a heading, or an element that says what is in it.
func areBare(f *graph.Field) bool {
	return most(f, func(e *graph.Entity) bool { return e.Source == graph.Item && isBare(e.Element) })
}

// maxLooked is how many nodes of a line are looked at.
const maxLooked = 64

func isBare(n *html.Node) bool {
	if n == nil || n.DataAtom == atom.A {
		return false
	}
	looked := 0
	for c := range n.Descendants() {
		if looked++; looked > maxLooked {
			return false
		}
		switch c.DataAtom {
		case atom.A, atom.Img, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return false
		}
		if len(classesOf(c)) > 0 {
			return false
		}
	}
	return len(classesOf(n)) == 0
}

func arePeople(f *graph.Field) bool {
	return most(f, func(e *graph.Entity) bool { return len(e.Get("title")) > 0 && people.IsFull(e.Get("title")[0].Text) })
}

// tellsMore reports whether the first things of a list have more of what is asked
// than what anything has: then they are of that kind.
func (sh *shaper) tellsMore(iv *view, f *graph.Field) bool {
	return most(f, func(e *graph.Entity) bool {
		return slices.ContainsFunc(iv.props, func(p *prop) bool {
			return !p.is(plainFacts...) && !p.is(prices...) && !p.is("priceCurrency") && len(sh.searchIn(p, e, 0)) > 0
		})
	})
}

// ownKinds are the kinds of things that are never another one: a book may stand
// among products, and no vacancy does.
var ownKinds = []string{"Event", "JobPosting", "Person", "Recipe", "Question", "Review", "Comment", "Course", "Article", "Product"}

// isUnderOther reports whether the heading above a list names another kind of
// things.
func (sh *shaper) isUnderOther(p *prop, g candidate) bool {
	want, have := names.Families(p.name), names.Families(g.field.Name)
	own := func(f string) bool { return slices.Contains(ownKinds, f) }
	return slices.ContainsFunc(want, own) && slices.ContainsFunc(have, own) && isOtherKind(p, g.field.Name)
}

// isHeadOf reports whether a name of several words is that of a kind of what a
// property asks for: "Hot drinks" are drinks.
func (sh *shaper) isHeadOf(p *prop, name string) bool {
	words, have := names.Words(p.name), names.Words(name)
	if len(words) != 1 || len(have) < 2 || len(have) > 4 || sh.isAround(name) || isGeneral(words[0]) || slices.ContainsFunc(have, func(w string) bool { return relating[w] }) {
		return false
	}
	return names.Shared(words, have[len(have)-1:]) || isAnyOf(akin[0], words) && isAnyOf(akin[0], have[len(have)-1:])
}

// relating are words behind which stands what a thing is for, and not what it is.
var relating = wordSet("of for to about with without in on from by no more other von fur uber mit ohne pour de sur sans para sobre con sin di per su senza da voor over met zonder join contact meet ask")

// listUnderHead makes a list of the items of the lists that stand under a heading
// that names a kind of what is asked for, in so many words: "Our team".
func (sh *shaper) listUnderHead(p *prop, v *view) *node {
	for _, e := range sh.things.page {
		for i := range e.Fields {
			f := &e.Fields[i]
			sh.m.Step(1)
			if f.Values[0].Source != graph.Section || f.Values[0].Aside || !sh.isHeadOf(p, f.Name) {
				continue
			}
			l := sh.newList(p, v)
			for _, value := range f.Values {
				if inListItem(value.Element) {
					l.value(found{e, f.Name, value})
				}
			}
			if n := l.result(); n != nil && len(n.items) > 1 {
				return n
			}
		}
	}
	return nil
}

func inListItem(n *html.Node) bool {
	for levels := 0; n != nil && levels < 4; n, levels = n.Parent, levels+1 {
		if n.DataAtom == atom.Li {
			return true
		}
	}
	return false
}

// headed returns those of the groups that stand under headings that name kinds
// of what is asked for, as one, if the best one holds them and others.
func (sh *shaper) headed(p *prop, best candidate, groups []candidate) candidate {
	under := &graph.Field{Name: best.field.Name}
	sh.m.Step(1 + len(best.field.Values)/8)
	all := make(map[*graph.Entity]bool, len(best.field.Values))
	for i := range best.field.Values {
		all[best.field.Values[i].Entity] = true
	}
	for _, g := range groups {
		sh.m.Step(1)
		if g.field != best.field && sh.isHeadOf(p, g.field.Name) && !slices.ContainsFunc(g.field.Values, func(v graph.Value) bool { return !all[v.Entity] }) {
			under.Values = append(under.Values, g.field.Values...)
		}
	}
	if len(under.Values) == 0 {
		return best
	}
	return candidate{entity: best.entity, field: under}
}
