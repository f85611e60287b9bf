package shape

import (
	"slices"
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// What a schema is of, by the properties that stand together in it: the place of
// an event, or of a job, is not that of any firm that the page names.
const (
	ofAnything = iota
	ofEvent
	ofJob
	ofProduct
)

// kindConcepts are the concepts that say what a schema is of.
var kindConcepts = map[int][]string{
	ofEvent:   {"startDate", "endDate", "doorTime", "performer", "organizer", "eventStatus", "eventAttendanceMode"},
	ofJob:     {"hiringOrganization", "employmentType", "baseSalary", "jobLocation", "jobLocationType", "validThrough", "salaryMin", "salaryMax", "qualifications", "responsibilities"},
	ofProduct: {"price", "sku", "gtin", "mpn", "availability"},
}

// kindOf returns what properties that stand together are of: it takes two that
// say so.
func kindOf(props []*prop) int {
	for _, kind := range [...]int{ofEvent, ofJob, ofProduct} {
		if countOf(props, kindConcepts[kind]) > 1 {
			return kind
		}
	}
	return ofAnything
}

// recipeConcepts are those of which two say that a schema is of a recipe.
var recipeConcepts = []string{"recipeIngredient", "recipeInstructions", "recipeYield", "prepTime", "cookTime"}

// countOf returns how many properties have one of the concepts.
func countOf(props []*prop, concepts []string) (n int) {
	for _, p := range props {
		if p.read(); p.is(concepts...) {
			n++
		}
	}
	return n
}

// tell says to each property of a view what its schema is of, once.
func (v *view) tell() {
	if v.told {
		return
	}
	v.told = true
	kind, recipe := kindOf(v.props), countOf(v.props, recipeConcepts) > 1
	for _, p := range v.props {
		p.kind, p.recipe = kind, recipe
	}
}

// isElsewhere reports whether a value is of something else than what the schema
// is of: the address of a firm for the place of an event, the brand that a firm
// has for that of a product, the price in an article.
func (sh *shaper) isElsewhere(p *prop, f found) bool {
	if isPage(f.entity) && (f.name == "rating" && p.is("reviewCount", "ratingCount") || f.name == "review count" && !p.is("reviewCount", "ratingCount")) {
		return true // how good it is, and how many said so
	}
	switch p.kind {
	case ofEvent, ofJob:
		return p.is("location", "jobLocation", "address") && sh.isOffice(p, f) || p.is("startDate", "endDate") && sh.isOfText(f)
	case ofProduct:
		return p.is("brand", "manufacturer") && f.entity.Is(firms...) || p.is("price", "availability") && f.value.Source == graph.Class && sh.isOfText(f)
	}
	return false
}

// firms are the types of those who have an address and a brand themselves.
var firms = []string{"Organization", "LocalBusiness", "Corporation", "Store", "OnlineStore", "Restaurant", "Hotel", "ProfessionalService", "NewsMediaOrganization", "NGO", "EducationalOrganization",
	"CollegeOrUniversity", "MedicalBusiness", "HomeAndConstructionBusiness", "MovingCompany", "WebSite", "Person", "Article", "NewsArticle", "BlogPosting", "Service", "GovernmentOrganization"}

// isOffice reports whether a place is where a firm is.
func (sh *shaper) isOffice(p *prop, f found) bool {
	if !isPage(f.entity) && f.entity.Source <= graph.Microformats {
		switch {
		case f.entity.Is("Event", "JobPosting", "PostalAddress", "Place"):
			return f.entity.Is("PostalAddress", "Place") && !sh.hasFamily("Event", "JobPosting", "Course")
		case f.entity.Is(firms...), slices.Contains(familiesOf(f.entity.Types), "Organization"):
			return true
		}
		return false
	}
	text := f.value.Text
	switch {
	case f.value.Kind != graph.Text:
		return false
	case strings.ContainsAny(text, "`={}<>*") || !strings.ContainsFunc(text, isLetter):
		return true // code, or how many places there are
	}
	if f.value.Source == graph.Label || f.value.Source == graph.Definition || f.value.Source == graph.Table {
		if p.is("address") && f.value.Source != graph.Label && !f.value.Aside {
			return false // a row of facts that says so
		}
		return f.value.Aside || sh.name(f.name).Is("address") && !sh.hasOccasion(p)
	}
	return isPage(f.entity) && !sh.saysKind(&kindsOfThings[occasionOf(p)], f.name) && !sh.hasOccasion(p)
}

func isLetter(c rune) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c > 0x7F }

func (sh *shaper) hasFamily(families ...string) bool {
	return slices.ContainsFunc(families, func(f string) bool { return len(sh.things.byFamily[f]) > 0 })
}

// hasOccasion reports whether the page has something else of what the schema is
// of.
func (sh *shaper) hasOccasion(p *prop) bool { return sh.hasWitness(occasionOf(p), p.concepts[0]) }

// occasionOf returns the kind of things that a schema of an event or of a job is
// of.
func occasionOf(p *prop) int {
	if p.kind == ofJob {
		return jobs
	}
	return events
}

// isOfText reports whether a value of the visible page stands on one that says,
// for machines, that it is a text: articles tell of prices, and threads of when
// they began.
func (sh *shaper) isOfText(f found) bool {
	return isPage(f.entity) && f.entity.Source == graph.Document && sh.hasFamily("Article", "DiscussionForumPosting") && !sh.hasFamily("Product", "Event", "Course", "Offer")
}
