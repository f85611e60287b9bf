package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/internal/names"
)

// stateGroups are the lists of things in the state of scripts that may be what
// a list is asked for under another name: what they hold has more than a name
// and an address, or the list has a name that says nothing.
func (sh *shaper) stateGroups(p *prop, v *view) []candidate {
	var all []candidate
	for _, c := range sh.stateLists() {
		sh.m.Step(8)
		if !isOtherKind(p, c.field.Name) && sh.tells(v, c.field) {
			all = append(all, c)
		}
	}
	return all
}

// stateLists returns the lists of things in the state of scripts without those
// that belong around a page, such as its menu.
func (sh *shaper) stateLists() []candidate {
	if sh.things.lists != nil {
		return sh.things.lists
	}
	sh.things.lists = []candidate{}
	for i := range sh.things.all {
		e := sh.things.all[i].entity
		if e.Source != graph.State {
			continue
		}
		for j := range e.Fields {
			sh.m.Step(1)
			f := &e.Fields[j]
			if len(f.Values) > 1 && sh.isThings(f) && !sh.isAround(e.Place) && !sh.isAround(f.Name) {
				sh.things.lists = append(sh.things.lists, candidate{entity: e, field: f})
			}
		}
	}
	return sh.things.lists
}

// isThings reports whether a field holds things of which each has several
// values.
func (sh *shaper) isThings(f *graph.Field) bool {
	for i := range f.Values {
		sh.m.Step(1)
		if e := f.Values[i].Entity; f.Values[i].Kind != graph.Thing || e == nil || i < sample && len(e.Fields) < 2 {
			return false
		}
	}
	return true
}

// around are words in the names of what belongs around a page.
var around = wordSet("menu menus nav navigation navbar header footer sidebar breadcrumb breadcrumbs locale locales language languages currencies countries translations i18n " +
	"flags flag toggles experiments experiment features config configuration settings related recommended recommendation recommendations similar recent recently viewed upsell upsells " +
	"crosssell cross also facet facets filter filters sort sorts sortings aggregations social cart basket wishlist banner banners ads ad advertisement promo seo meta links stores tracking analytics variants options swatches images media")

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// isAround reports whether a place in the state, or a name, is that of something
// around the page.
func (sh *shaper) isAround(place string) bool {
	sh.m.Step(1 + len(place)/4)
	for part := range strings.SplitSeq(place, "/") {
		if slices.ContainsFunc(names.Words(part), func(w string) bool { return around[strings.ToLower(w)] }) {
			return true
		}
	}
	return false
}

// isOtherKind reports whether a list is named for another kind of things than
// a property: reviews where products are asked for.
func isOtherKind(p *prop, list string) bool {
	want, have := names.Families(p.name), names.Families(list)
	return len(want) > 0 && len(have) > 0 && !slices.ContainsFunc(have, func(f string) bool { return slices.Contains(want, f) })
}

// plainLists are names of lists that do not say what is in them.
var plainLists = wordSet("items item results result hits data list lists nodes edges entries records docs documents rows content collection elements objects values feed")

// tells reports whether the first things of a list have what a menu has not:
// more than a name, an address and a picture. Where no more is asked for, the
// list must be one of anything.
func (sh *shaper) tells(v *view, f *graph.Field) bool {
	asked, found := 0, 0
	for _, p := range v.props {
		if p.is(plainFacts...) {
			continue
		}
		asked++
		for i := range min(len(f.Values), sample) {
			if len(sh.searchIn(p, f.Values[i].Entity, 0)) > 0 {
				found++
			}
		}
	}
	if asked == 0 {
		return plainLists[strings.ToLower(f.Name)]
	}
	return 2*found >= min(len(f.Values), sample)
}

// plainFacts are what anything with a link has.
var plainFacts = []string{"name", "headline", "title", "url", "image", "thumbnailUrl", "description", "text", "identifier", "position", "category", "inLanguage"}
