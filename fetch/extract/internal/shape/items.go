package shape

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/names"
)

// sample is how many of the items of a group are looked at to choose it.
const sample = 6

// listOfItems makes a list of objects of the repeated items of the page (its
// cards, its rows) that have the most of what is asked for: at least two of the
// properties, or the only one, and all of them named so. Within a part of the
// page, such as one of a menu, they are the items of that.
func (sh *shaper) listOfItems(p *prop, v *view, s scope) *node {
	if v.Items == nil {
		return nil
	}
	var best candidate
	most, groups := 0, []candidate(nil)
	switch {
	case s.depth == 0:
		groups = sh.groups()
	case len(s.entities) > 0 && s.entities[0].Source >= graph.Item:
		groups = []candidate{{entity: s.entities[0], field: &graph.Field{Name: "items", Values: s.entities[0].Get("items")}}}
	}
	for _, iv := range sh.variants(sh.view(v.Items)) {
		for _, g := range groups {
			points := sh.groupPoints(p, iv, g.field)
			switch {
			case g.rank == shelfGroup && !slices.ContainsFunc(iv.props, sh.listsThings):
				continue
			case g.rank == aroundGroup:
				points = points * 2 / 3
			}
			if points > most && (s.depth > 0 || !sh.isOtherList(p, iv, g)) {
				best, most = g, points
			}
		}
	}
	if most == 0 {
		return nil
	}
	return sh.listOf(best, p, v, true)
}

// groups are the fields that hold several things: of the visible page, and of the
// state of scripts without those that belong around a page, such as its menu.
func (sh *shaper) groups() []candidate {
	if sh.things.groups != nil {
		return sh.things.groups
	}
	all := []candidate{}
	add := func(e *graph.Entity, isGroup func(*graph.Field) bool) {
		for i := range e.Fields {
			sh.m.Step(1)
			if f := &e.Fields[i]; len(f.Values) > 1 && isGroup(f) {
				all = append(all, candidate{entity: e, field: f})
			}
		}
	}
	for _, e := range sh.things.page {
		add(e, func(f *graph.Field) bool {
			return f.Name != "sections" && f.Name != "breadcrumbs" && !f.Values[0].Aside && severalItems(f)
		})
	}
	for _, t := range sh.things.all {
		if t.entity.Source == graph.State {
			add(t.entity, func(f *graph.Field) bool { return !sh.isAround(t.entity.Place + "/" + f.Name) })
		}
	}
	sh.rankGroups(all)
	sh.things.groups = all
	return all
}

// Ranks of groups.
const (
	ownGroup    = iota
	aroundGroup // what stands under a heading such as "Related", by whatever name
	shelfGroup  // of things that hold those of other groups: a heading with cards
)

// rankGroups ranks the groups of the visible page.
func (sh *shaper) rankGroups(all []candidate) {
	known := map[*graph.Entity]int{}
	for _, g := range all {
		if isPage(g.entity) {
			first := firstThings(g.field)[0]
			known[first] = max(known[first], ownGroup)
			if sh.isAround(g.field.Name) {
				known[first] = aroundGroup
			}
		}
	}
	for i, g := range all {
		if !isPage(g.entity) {
			continue
		}
		first, shelves := firstThings(g.field), 0
		for _, e := range first {
			if inner := e.Get("items"); len(inner) > 1 {
				if _, listed := known[inner[0].Entity]; listed {
					shelves++
				}
			}
		}
		if all[i].rank = known[first[0]]; 2*shelves > len(first) {
			all[i].rank = shelfGroup
		}
	}
}

// isShelf reports whether a field of the page has parts with the things of a list in them,
// and the things of a view are to have none.
func (sh *shaper) isShelf(f *graph.Field, v *view) bool {
	return v.Items != nil && !slices.ContainsFunc(sh.view(v.Items).props, sh.listsThings) &&
		slices.ContainsFunc(sh.groups(), func(g candidate) bool { return g.field == f && g.rank == shelfGroup })
}

// listsThings reports whether a property asks for a list of things, such as the dishes
// of a part of a menu.
func (sh *shaper) listsThings(p *prop) bool {
	items := sh.view(p.sub).Items
	return items != nil && len(sh.view(items).props) > 0
}

// severalItems reports whether a field holds several things of the visible page:
// the feeds that a page links to are no list of what it shows.
func severalItems(f *graph.Field) bool {
	n := 0
	for _, e := range thingsIn(f) {
		if e.Source >= graph.Table {
			n++
		}
	}
	return n > 1
}

// around are words in the names of what belongs around a page.
var around = lexicon.ByWord(files, "around")

// isAround reports whether a place in the state is that of something around the
// page.
func (sh *shaper) isAround(place string) bool {
	sh.m.Step(1 + len(place)/4)
	for part := range strings.SplitSeq(place, "/") {
		if slices.ContainsFunc(names.Words(part), func(w string) bool { return around()[w] != "" }) {
			return true
		}
	}
	return false
}

// groupPoints says how well the items of a group fit: how much the first of
// them have of what is asked for, then how much is known of them, and then how
// many there are. Where all may miss something, they have half of what is
// required. A title is enough in a list that is called what is asked for, and in one of
// articles of which two things are: lists lack much of what a caller hopes for.
func (sh *shaper) groupPoints(p *prop, v *view, f *graph.Field) int {
	first := firstThings(f)
	if len(v.props) == 0 || len(first) == 0 {
		return 0
	}
	found, enough, known := 0, 0, 0
	least, called := min(2, len(v.props)), sh.isCalled(p, f.Name, first[0])
	free := len(v.props) == 2 && sh.isGeneral(p) && slices.Contains(names.Families(p.name), "Article")
	for _, e := range first {
		n, missing := sh.has(v, e)
		found += n
		known += min(len(e.Fields), maxKnown)
		if (missing == 0 || sh.lenient == p && missing*2 <= len(v.Required)) && (n >= least || n == 1 && (called || free && len(e.Fields) > 2 && e.Get("price") == nil && sh.tellsMore(v, e)) && sh.hasTitle(v, e)) {
			enough++
		}
	}
	if enough*2 < len(first) {
		return 0
	}
	return found*100_000/len(first) + known*1000/len(first) + min(len(f.Values), 100)
}

// isCalled reports whether a list is called what a property asks for, or that asks for
// any list.
func (sh *shaper) isCalled(p *prop, name string, first *graph.Entity) bool {
	want := names.Families(p.name)
	switch {
	case isIn("anyList", p.key.Key),
		slices.Contains(want, "Article") && first.Element != nil && tree.Is(first.Element, atom.Article):
		return true
	case isIn("anyList", strings.ToLower(name)):
		return false
	}
	return sh.score(p, name) >= names.Near || slices.ContainsFunc(names.Families(name), func(f string) bool { return slices.Contains(want, f) })
}

// maxKnown is how many fields of an item are counted.
const maxKnown = 4

// hasTitle reports whether a thing with more than a title has the one that is asked for.
func (sh *shaper) hasTitle(v *view, e *graph.Entity) bool {
	return len(e.Fields) > 1 && slices.ContainsFunc(v.props, func(p *prop) bool { return p.key.IsTitle() && len(sh.searchIn(p, e, 0)) > 0 })
}

// firstThings are the first of the things that a field holds.
func firstThings(f *graph.Field) []*graph.Entity {
	all := thingsIn(f)
	return all[:min(len(all), sample)]
}

// has counts the properties that an entity has, and those that it misses
// although they are required.
func (sh *shaper) has(v *view, e *graph.Entity) (n, missing int) {
	for _, p := range v.props {
		switch {
		case len(sh.searchIn(p, e, 0)) > 0, e.Source == graph.Item && e.Get("items") != nil && sh.listsThings(p):
			n++
		case p.required:
			missing++
		}
	}
	return n, missing
}

// generalLists are words for a list that do not say what is in it, or no more
// than that somebody sells or has written it.
var generalLists = lexicon.ByWord(files, "general")

// isGeneral reports whether a property asks for a list by such a word.
func (sh *shaper) isGeneral(p *prop) bool {
	words := names.Words(p.name)
	return len(words) > 0 && (generalLists()[words[len(words)-1]] != "" || generalLists()[strings.TrimSuffix(words[len(words)-1], "s")] != "")
}

// isOtherList reports whether a list of the visible page is one of lines of
// words under a heading that does not name what a property asks for, and that
// have no more of it than anything has, or whether it is named for another kind
// of things, as one in the state of scripts may be.
func (sh *shaper) isOtherList(p *prop, iv *view, g candidate) bool {
	words := names.Words(p.name)
	if g.entity.Source == graph.State {
		return isOtherKind(names.Families(p.name), names.Families(g.field.Name)) || !sh.tells(iv, g.field)
	}
	if len(words) == 0 {
		return false
	}
	if sh.isGeneral(p) {
		return false
	}
	if slices.ContainsFunc(append(names.Words(g.field.Name), g.field.Name), func(name string) bool { return sh.score(p, name) >= names.Threshold }) {
		return false
	}
	if p.is("breadcrumb") {
		return true // only what is called so leads to a page
	}
	if want, have := names.Families(p.name), names.Families(g.field.Name); !(isIn("anyList", strings.ToLower(g.field.Name)) && slices.Contains(want, "Article")) && isOtherKind(want, have) && slices.ContainsFunc(have, func(f string) bool { return isIn("apart", f) }) {
		return true
	}
	bare, priced, first := 0, 0, firstThings(g.field)
	for _, e := range first {
		if e.Get("price") != nil {
			priced++
		}
		if e.Source == graph.Item && !sh.tellsMore(iv, e) {
			bare++
		}
	}
	isFree := slices.ContainsFunc(names.Families(p.name), func(f string) bool { return isIn("unpriced", f) })
	return 2*bare > len(first) || isFree && 2*priced > len(first)
}

// isOtherKind reports whether things of some kinds are of none of others.
func isOtherKind(want, have []string) bool {
	return len(want) > 0 && len(have) > 0 && !slices.ContainsFunc(have, func(f string) bool { return slices.Contains(want, f) })
}

// tells reports whether the first things of a list of scripts have what a menu
// has not: more than a name, an address and a picture. Where no more is asked
// for, the list must be one of anything.
func (sh *shaper) tells(v *view, f *graph.Field) bool {
	asked, found, first := 0, 0, firstThings(f)
	for _, p := range v.props {
		if p.of("plain") && !p.is("price") {
			continue
		}
		asked++
		for _, e := range first {
			if len(sh.searchIn(p, e, 0)) > 0 {
				found++
			}
		}
	}
	return asked == 0 && generalLists()[strings.TrimSuffix(strings.ToLower(f.Name), "s")] != "" || asked > 0 && 2*found >= len(first)
}

// tellsMore reports whether a thing is more than a line of words: it has a link, a
// picture, or things in it, or more of what is asked than what anything has.
func (sh *shaper) tellsMore(iv *view, e *graph.Entity) bool {
	return slices.ContainsFunc([]string{"url", "image", "items"}, func(name string) bool { return e.Get(name) != nil }) ||
		slices.ContainsFunc(iv.props, func(p *prop) bool { return !p.of("plain") && len(sh.searchIn(p, e, 0)) > 0 })
}
