package shape

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// kindOfThing is a kind of things with the concepts that only it has. What a
// page only seems to call so, by a class or a look, is believed where the page
// has something else of the kind: every page has a date, and few an event.
type kindOfThing struct {
	concepts []string
	// weak are the sources that need another witness; 0 stands for repeated items.
	weak []graph.Source
	// witnesses are the concepts that are one.
	witnesses []string
	families  []string
	// words are those of a class that say of which kind it is: "event-date".
	words []string
}

// The places of kinds in kindsOfThings that are asked for by name.
const (
	events  = 0
	recipes = 1
	jobs    = 2
)

var kindsOfThings = []kindOfThing{
	{[]string{"startDate", "endDate", "performer", "organizer"}, []graph.Source{graph.Class, 0},
		[]string{"location", "doorTime", "organizer", "performer", "startDate", "endDate"}, []string{"Event", "Course"}, []string{"event", "venue", "concert", "gig", "veranstaltung", "evenement", "evento"}},
	{[]string{"recipeInstructions", "totalTime", "recipeYield"}, []graph.Source{graph.Class, graph.Label},
		[]string{"recipeIngredient", "prepTime", "cookTime"}, []string{"Recipe", "HowTo"}, []string{"recipe", "rezept", "recette", "receta", "ricetta"}},
	{[]string{"hiringOrganization", "worksFor", "jobLocation", "location", "employmentType", "baseSalary"}, []graph.Source{graph.Class, 0},
		[]string{"baseSalary", "employmentType", "hiringOrganization", "worksFor", "qualifications", "responsibilities", "jobBenefits", "startDate", "doorTime"}, []string{"JobPosting", "Event", "Place"}, []string{"job", "vacancy", "event", "venue", "stelle", "emploi", "empleo"}},
	{[]string{"brand", "manufacturer"}, []graph.Source{graph.Class, 0},
		[]string{"price", "sku", "availability", "mpn", "gtin"}, []string{"Product", "Offer"}, []string{"product", "produkt", "produit", "producto", "prodotto"}},
}

// ownConcepts are those of what a page is about, and never of what stands
// beside it.
var ownConcepts = []string{"hiringOrganization", "worksFor", "jobLocation", "employmentType", "baseSalary", "validThrough", "brand", "manufacturer", "startDate", "endDate", "performer", "organizer",
	"recipeIngredient", "recipeInstructions", "recipeYield", "totalTime", "prepTime", "cookTime", "calories"}

// isDoubtful reports whether a value of the visible page only looks like what a
// property asks for.
func (sh *shaper) isDoubtful(p *prop, f found) bool {
	if f.entity == nil || len(p.concepts) == 0 {
		return false
	}
	if p.per != "" && !sh.isPer(p, f) {
		return true
	}
	if sh.isElsewhere(p, f) {
		return true
	}
	if p.is("startDate", "endDate") && sh.isAnyDate(f) {
		return !sh.hasWitness(events, p.concepts[0])
	}
	if f.entity.Source != graph.Document {
		return false
	}
	if sh.isToCome(p, f) {
		return true
	}
	if p.is(prices...) && f.value.Source == graph.Section && f.value.Aside || p.is("description", "alternativeHeadline") && isTagline(f.value.Element) {
		return true // a filter, and what the site says of itself
	}
	if p.is("text", "reviewBody", "description", "note", "review") && isRatingText(f.value) {
		return true
	}
	if (p.is(prices...) || p.is("quantity")) && isTyped(f.value.Element) {
		return true
	}
	if isOfOther(p, f.value) || f.value.Aside && p.is(ownConcepts...) || sh.isOnlyName(p, f) || isMisshapen(p, f.value) {
		return true
	}
	for i := range kindsOfThings {
		k := &kindsOfThings[i]
		if !p.is(k.concepts...) || !slices.Contains(k.weak, f.value.Source) || f.value.Source == 0 && f.value.Kind != graph.Thing {
			continue
		}
		if p.is("totalTime") && isClock(f.value.Text) {
			continue // "Time: 8:30 PM"
		}
		if !sh.saysKind(k, f.name) && !sh.hasWitness(i, p.concepts[0]) {
			return true
		}
	}
	return false
}

// isClock reports whether a text is a time of day, and not how long something
// takes.
func isClock(text string) bool {
	_, ok := mention.ParseClock(strings.TrimSpace(text))
	return ok && strings.ContainsAny(text, "mMhH")
}

// saleConcepts are what every thing that is sold has, and writtenConcepts what
// every text has: those of a related thing, or of a remark, are not the page's.
var (
	saleConcepts    = []string{"price", "lowPrice", "highPrice", "priceCurrency", "originalPrice", "availability", "aggregateRating", "ratingValue", "reviewCount", "ratingCount", "sku", "mpn", "gtin", "gtin13", "productID", "brand"}
	writtenConcepts = []string{"author", "creator", "datePublished", "dateCreated", "dateModified", "datePosted"}
)

// isOfOther reports whether a value of the visible page is one of another thing.
func isOfOther(p *prop, v graph.Value) bool {
	return v.Of == graph.Related && p.is(saleConcepts...) || v.Of != graph.Own && p.is(writtenConcepts...)
}

// isAnyDate reports whether a date is one of the page as a whole, by a name that
// says no more: that of a meta element, of a script, or of a time element
// without words.
func (sh *shaper) isAnyDate(f found) bool {
	if !anyDate[sh.name(f.name).Key] {
		return false
	}
	switch f.entity.Source {
	case graph.Meta, graph.State:
		return len(f.entity.Types) == 0
	case graph.Document:
		return f.value.Kind == graph.Time
	}
	return false
}

var anyDate = map[string]bool{"date": true, "datum": true, "fecha": true, "data": true, "time": true}

// isOnlyName reports whether a text of the visible page is no value but the name
// of what is wanted: the link "Locations" in an element of that class.
func (sh *shaper) isOnlyName(p *prop, f found) bool {
	if !p.is("hiringOrganization", "worksFor", "brand", "manufacturer", "employmentType", "location", "jobLocation", "author", "category") || f.value.Source != graph.Class || len(f.value.Text) > 30 || f.value.Kind != graph.Text {
		return false
	}
	n := sh.name(f.value.Text)
	return n.Is(p.concepts[0]) || n.Key != "" && n.Key == p.key.Key
}

// codes are the concepts whose values have a digit and no sentence, and names
// those whose values are a few words.
var (
	codes      = []string{"sku", "mpn", "gtin", "gtin13", "productID"}
	shortNames = []string{"hiringOrganization", "worksFor", "brand", "manufacturer", "employmentType"}
)

// isMisshapen reports whether a value of the visible page cannot be what is
// wanted by its form: a code without a digit, a name as long as a sentence.
func isMisshapen(p *prop, v graph.Value) bool {
	switch {
	case (p.is(codes...) || p.is(shortFacts...)) && isSentence(v):
		return true
	case p.is(codes...):
		return v.Kind == graph.Thing || len(v.Text) > 60 || !strings.ContainsAny(v.Text, "0123456789") && !mention.IsLetterCode(v.Text)
	case p.is(shortNames...):
		return len(v.Text) > 60
	}
	return false
}

// isTagline reports whether an element has a class for what a site says of
// itself on every page.
func isTagline(n *html.Node) bool {
	if n == nil {
		return false
	}
	class := strings.ToLower(tree.AttrOr(n, "class"))
	return strings.Contains(class, "site-desc") || strings.Contains(class, "tagline") || strings.Contains(class, "site_desc")
}

// shortFacts are the concepts whose values are a number or a few words, and no
// sentence that stands under a heading of their name.
var shortFacts = []string{"author", "creator", "brand", "manufacturer", "model", "color", "size", "ratingValue", "aggregateRating", "reviewRating", "reviewCount", "ratingCount", "price", "employmentType", "hiringOrganization", "publisher", "version", "numberOfPages", "isbn"}

// isSentence reports whether a text is a sentence: three words or more, with a
// full stop behind them.
func isSentence(v graph.Value) bool {
	text := strings.TrimSpace(v.Text)
	return v.Kind == graph.Text && v.Source != graph.Class && strings.HasSuffix(text, ".") && strings.Count(text, " ") > 1 && endsInWord().MatchString(text)
}

// endsInWord is a last word with a full stop, of a length that abbreviations do
// not have, or a number.
var endsInWord = lexicon.Pattern(`(?:\pL{4,}|\s\d+)[)"”»]?\.$`)

// saysKind reports whether a name says the kind of things that it is from.
func (sh *shaper) saysKind(k *kindOfThing, name string) bool {
	return slices.ContainsFunc(sh.name(name).Words, func(w string) bool { return slices.Contains(k.words, w) })
}

// hasWitness reports whether the page has something else of a kind of things,
// found once for each concept.
func (sh *shaper) hasWitness(kind int, concept string) bool {
	key := witnessKey{kind, concept}
	if known, ok := sh.witnesses[key]; ok {
		return known
	}
	k := &kindsOfThings[kind]
	has := slices.ContainsFunc(k.families, func(f string) bool { return len(sh.things.byFamily[f]) > 0 })
	if kind == recipes && !has && sh.o.Shown != nil {
		has = len(sh.o.Shown("recipeIngredient").Values) > 0
	}
	for _, e := range sh.things.page {
		for i := range e.Fields {
			sh.m.Step(1)
			has = has || sh.isWitness(k, concept, &e.Fields[i])
		}
	}
	sh.witnesses[key] = has
	return has
}

type witnessKey struct {
	kind    int
	concept string
}

// isWitness reports whether a field says another of the concepts in so many
// words: with a label, or under a heading.
func (sh *shaper) isWitness(k *kindOfThing, concept string, f *graph.Field) bool {
	if v := &f.Values[0]; v.Aside || v.Source == 0 {
		return false
	} else if v.Source == graph.Class && !sh.saysKind(k, f.Name) && concept != "brand" && concept != "manufacturer" && concept != "totalTime" && concept != "recipeInstructions" {
		return false
	}
	n := sh.name(f.Name)
	for _, c := range n.Concepts[:min(len(n.Concepts), 2)] {
		if c != concept && slices.Contains(k.witnesses, c) {
			return true
		}
	}
	return false
}

// mayBeDate reports whether a text that is no date that can be read may be one
// for people: "Spring 2026", "3 - 5 May 2026".
func mayBeDate(text string) bool {
	digits := 0
	for _, c := range text {
		if unicode.IsDigit(c) {
			digits++
		}
	}
	return digits >= 3 && len(text) > 4 && len(text) <= 80
}
