package shape

import (
	"slices"
	"strings"
	"unicode"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
	"github.com/drover-go/drover/fetch/internal/tree"
	"github.com/drover-go/drover/internal/lexicon"
	"github.com/drover-go/drover/internal/mention"
)

// doubt is a reason for which a value only looks like what a property asks for.
type doubt struct {
	of    string // the set of the concepts that it is about, "" for all
	page  bool   // only values of the visible page are doubted so
	holds func(sh *shaper, p *prop, f found) bool
}

// doubts are the reasons not to take a value.
var doubts = []doubt{
	{"price", false, func(sh *shaper, p *prop, f found) bool { return p.per != "" && !sh.isPer(p, f) }},
	{"", false, func(_ *shaper, p *prop, f found) bool { // how good it is, and how many said so
		counts := p.is("reviewCount", "ratingCount")
		if f.entity.Source == graph.Item && f.name == "review count" {
			return p.is("ratingValue", "aggregateRating", "reviewRating")
		}
		return isPage(f.entity) && (f.name == "rating" && counts || f.name == "review count" && !counts)
	}},
	{"decided", false, func(sh *shaper, p *prop, f found) bool { // who wrote a page, and when, was decided
		t, labelled := sh.things.of(f.entity), f.value.Source >= graph.Table && f.value.Source <= graph.Section
		if isIn("anyDate", p.key.Key) && sh.saysKind("event", f.name) {
			return false // "event-date"
		}
		return p.kind <= ofRecipe && sh.things.itself != nil && f.entity != sh.things.itself && !labelled && t.depth == 0 && !t.primary && (isPage(f.entity) || t.entity.Source <= graph.RDFa)
	}},
	{"occasion", false, func(sh *shaper, p *prop, f found) bool {
		return (p.kind == ofEvent || p.kind == ofJob) && sh.isOfText(f)
	}},
	{"worded", false, func(_ *shaper, _ *prop, f found) bool { return f.value.Kind == graph.Bool }}, // a setting
	{"occasion", false, (*shaper).isAnyDate},
	{"steps", false, func(_ *shaper, _ *prop, f found) bool { // a setting of a script
		return f.entity.Source == graph.State && f.value.Kind == graph.Text && !strings.Contains(f.value.Text, " ")
	}},
	{"offer", true, func(sh *shaper, p *prop, f found) bool {
		return p.kind == ofProduct && f.value.Source == graph.Class && sh.isOfText(f)
	}},
	{"whole", false, func(_ *shaper, _ *prop, f found) bool { // templates write 0 where nobody has said a time
		seconds, ok := mention.Duration(f.value.Text)
		return ok && seconds == 0
	}},
	{"yields", false, func(sh *shaper, _ *prop, f found) bool { // of what there are no words how many, or none
		text := strings.TrimSpace(f.value.Text)
		return f.value.Kind <= graph.Number && (strings.Trim(text, "0") == "" || sh.name(text).Is("recipeYield"))
	}},
	{"day", false, func(sh *shaper, p *prop, f found) bool { // no text was published or changed in the future
		at, ok := mention.ParseMoment(f.value.Text, sh.o.Language)
		labelled := isIn("anyDate", p.key.Key) && f.value.Source >= graph.Table && f.value.Source <= graph.Section
		return ok && !labelled && !at.MayBePast() && sh.isPublished(f)
	}},
	{"day", true, func(sh *shaper, p *prop, f found) bool { // when an event is
		return !isIn("anyDate", p.key.Key) && (isIn("anyDate", sh.name(f.name).Key) && sh.starts(f) || sh.saysKind("event", f.name))
	}},
	{"price", true, func(_ *shaper, _ *prop, f found) bool { return f.value.Source == graph.Section && f.value.Aside }}, // a filter
	{"amount", true, func(_ *shaper, _ *prop, f found) bool { return isTyped(f.value.Element) }},
	{"slogan", true, func(_ *shaper, _ *prop, f found) bool {
		return f.value.Element != nil && tagline().MatchString(tree.AttrOr(f.value.Element, "class"))
	}},
	{"email", true, func(_ *shaper, _ *prop, f found) bool { // what a form says of its field
		return f.value.Kind == graph.Text && !strings.ContainsAny(f.value.Text, "@[(")
	}},
	{"phone", true, func(_ *shaper, _ *prop, f found) bool {
		return f.value.Kind == graph.Text && !strings.ContainsAny(f.value.Text, "0123456789")
	}},
	{"prose", true, func(_ *shaper, _ *prop, f found) bool { return isRatingText(f.value) }},
	{"sold", true, func(_ *shaper, _ *prop, f found) bool { return f.value.Of == graph.Related }},
	{"written", true, func(_ *shaper, _ *prop, f found) bool { return f.value.Of != graph.Own }},
	{"own", true, func(sh *shaper, p *prop, f found) bool {
		return f.value.Aside && !(p.of("ofCard") && sh.isInCard(f.value.Element))
	}},
	{"place", false, (*shaper).isOffice},
	{"maker", false, func(_ *shaper, p *prop, f found) bool {
		return p.kind == ofProduct && !isPage(f.entity) && isFirm(f.entity)
	}},
	{"short", true, func(_ *shaper, _ *prop, f found) bool { return isSentence(f.value) }},
	{"", true, func(sh *shaper, _ *prop, f found) bool { // what a role means
		return isSentence(f.value) && sh.name(f.name).Is("jobTitle")
	}},
	{"code", true, func(_ *shaper, _ *prop, f found) bool {
		return f.value.Kind == graph.Thing || !mention.MayBeCode(f.value.Text)
	}},
	{"firmName", true, func(_ *shaper, _ *prop, f found) bool { return len(f.value.Text) > maxShortFact }},
	{"", true, (*shaper).isOfNoKind},
}

// tagline is in the classes of what a site says of itself on every page.
var tagline = lexicon.Pattern(`(?i)site[-_]desc|tagline`)

// maxShortFact is how long the name of a firm is at most, in bytes.
const maxShortFact = 60

// isSentence reports whether a value of the page is a sentence.
func isSentence(v graph.Value) bool {
	return v.Kind == graph.Text && v.Source != graph.Class && mention.IsSentence(v.Text)
}

// isDoubtful reports whether a value only looks like what a property asks for.
func (sh *shaper) isDoubtful(p *prop, f found) bool {
	return f.entity != nil && len(p.concepts) > 0 && slices.ContainsFunc(doubts, func(d doubt) bool {
		return (!d.page || f.entity.Source == graph.Document) && (d.of == "" || p.of(d.of)) && d.holds(sh, p, f)
	})
}

func isFirm(e *graph.Entity) bool {
	return slices.ContainsFunc(familiesOf(e.Types), func(family string) bool { return isIn("firm", family) })
}

// isOffice reports whether a place is where a firm is, and not that of the event
// or the job that a schema asks for.
func (sh *shaper) isOffice(p *prop, f found) bool {
	if p.kind != ofEvent && p.kind != ofJob {
		return false
	}
	occasion := "event"
	if p.kind == ofJob {
		occasion = "job"
	}
	switch text := f.value.Text; {
	case isPage(f.entity) && (strings.ContainsAny(text, "`={}<>*") || !strings.ContainsFunc(text, unicode.IsLetter) || isSentence(f.value)):
		return f.value.Kind == graph.Text // code, how many places there are, a sentence
	case isPage(f.entity):
		place := f.value.Source == graph.Label || f.value.Source == graph.Definition || f.value.Source == graph.Table // what is called so, and no mere address
		place = place && (!sh.name(f.name).Is("address") || p.is("address") && f.value.Source != graph.Label)
		return f.value.Kind == graph.Text && (f.value.Aside || !place && !sh.saysKind(occasion, f.name) && !sh.hasWitness(occasion, p.concepts[0]))
	case f.entity.Is("PostalAddress", "Place"):
		return !sh.hasFamily("Event", "JobPosting", "Course")
	}
	return f.entity.Source <= graph.State && isFirm(f.entity)
}

// isOfText reports whether a value of the visible page stands on one that says,
// for machines, that it is a text: articles tell of prices, and threads of when
// they began.
func (sh *shaper) isOfText(f found) bool {
	return f.entity.Source == graph.Document && sh.hasFamily("Article", "DiscussionForumPosting") && !sh.hasFamily("Product", "Event", "Course", "Offer")
}

func (sh *shaper) hasFamily(families ...string) bool {
	return slices.ContainsFunc(families, func(f string) bool { return len(sh.things.byFamily[f]) > 0 })
}

// isAnyDate reports whether a date is one of the page as a whole, by a name that
// says no more: that of a meta element, of a script, or of a time element
// without words, on a page that has nothing else of an event.
func (sh *shaper) isAnyDate(p *prop, f found) bool {
	if !isIn("anyDate", sh.name(f.name).Key) {
		return false
	}
	switch f.entity.Source {
	case graph.Meta, graph.State:
		return len(f.entity.Types) == 0 && !sh.hasWitness("event", p.concepts[0])
	case graph.Document:
		return f.value.Kind == graph.Time && !sh.hasWitness("event", p.concepts[0])
	}
	return false
}

// isPublished reports whether a date is one on which a text, or the page, says that it was
// published or changed. Books and events are announced.
func (sh *shaper) isPublished(f found) bool {
	isText := func(family string) bool { return isIn("dated", family) }
	return f.entity.Source == graph.Document || sh.name(f.name).Is("datePublished", "dateModified") &&
		(f.entity.Source == graph.Meta || slices.ContainsFunc(familiesOf(f.entity.Types), isText))
}

// starts reports whether a date is one on which the page says that something starts.
func (sh *shaper) starts(f found) bool {
	at, ok := sh.moment(f.value)
	return ok && slices.ContainsFunc(f.entity.Get("start date"), func(v graph.Value) bool { return strings.HasPrefix(v.Text, at.Date) })
}

// isOfNoKind reports whether a value that a page only seems to call so, by a class
// or a look, has nothing beside it of the kind of things that it would be of: every
// page has a date, and few an event.
func (sh *shaper) isOfNoKind(p *prop, f found) bool {
	if _, clock := mention.ParseClock(strings.TrimSpace(f.value.Text)); clock && p.is("totalTime") && strings.ContainsAny(f.value.Text, "mMhH") {
		return false // "Time: 8:30 PM"
	}
	return slices.ContainsFunc([]string{"event", "recipe", "job", "product"}, func(kind string) bool {
		look := f.value.Source == 0 && f.value.Kind == graph.Thing // one of several items
		if kind == "recipe" {
			look = f.value.Source == graph.Label
		}
		return p.of(kind) && (look || f.value.Source == graph.Class) && !sh.saysKind(kind, f.name) && !sh.hasWitness(kind, p.concepts[0])
	})
}

// saysKind reports whether a name says the kind of things that it is from.
func (sh *shaper) saysKind(kind, name string) bool {
	return slices.ContainsFunc(sh.name(name).Words, func(w string) bool { return isIn(kind+"Word", w) })
}

// hasWitness reports whether the page has something else of a kind of things,
// found once for each concept.
func (sh *shaper) hasWitness(kind, concept string) bool {
	key := [2]string{kind, concept}
	if known, ok := sh.witnesses[key]; ok {
		return known
	}
	has := sh.hasFamily(sets()[kind+"Type"]...) || kind == "recipe" && sh.o.Shown != nil && len(sh.o.Shown("recipeIngredient").Values) > 0
	has = has || slices.ContainsFunc(sh.things.page, func(e *graph.Entity) bool {
		sh.m.Step(len(e.Fields))
		return slices.ContainsFunc(e.Fields, func(f graph.Field) bool { return sh.isWitness(kind, concept, &f) })
	})
	sh.witnesses[key] = has
	return has
}

// isWitness reports whether a field says another of the concepts in so many
// words: with a label, or under a heading.
func (sh *shaper) isWitness(kind, concept string, f *graph.Field) bool {
	v, n := &f.Values[0], sh.name(f.Name)
	byClass := isIn("byClass", concept) || sh.saysKind(kind, f.Name)
	return !v.Aside && v.Source != 0 && (v.Source != graph.Class || byClass) && slices.ContainsFunc(n.Concepts[:min(len(n.Concepts), 2)], func(c string) bool {
		return c != concept && isIn(kind+"Witness", c)
	})
}
