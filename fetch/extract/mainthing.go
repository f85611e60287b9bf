package extract

import (
	"strings"

	"github.com/drover-go/drover/fetch/extract/internal/graph"
)

// webPages are the types of schema.org for pages that say little by
// themselves.
var webPages = []string{"WebPage", "ItemPage", "AboutPage", "ContactPage", "FAQPage", "QAPage", "CollectionPage", "ProfilePage", "SearchResultsPage", "MedicalWebPage", "CheckoutPage", "RealEstateListing"}

// about are the types of schema.org that a page may be about, the likeliest
// first: a recipe is told in an article, and an article shows a video.
var about = [][]string{
	{"Recipe", "HowTo", "JobPosting", "Event", "Course", "SoftwareApplication", "MobileApplication", "WebApplication", "Book", "Movie", "TVSeries", "TVEpisode", "MusicAlbum", "Dataset"},
	{"Article", "NewsArticle", "BlogPosting", "TechArticle", "ScholarlyArticle", "ReportageNewsArticle", "OpinionNewsArticle", "AnalysisNewsArticle", "ReviewNewsArticle", "AdvertiserContentArticle", "LiveBlogPosting", "Report", "SocialMediaPosting", "DiscussionForumPosting", "MedicalScholarlyArticle", "APIReference", "Review", "CreativeWork", "LearningResource", "Guide"},
	{"Product", "ProductGroup", "IndividualProduct", "ProductModel", "Vehicle", "Car", "Question"},
	{"VideoObject", "PodcastEpisode"},
	{"LocalBusiness", "Restaurant", "Hotel", "Place", "Service"},
}

// mainOf returns the thing that the page is about, or nil.
func (b *belief) mainOf(things []*graph.Entity) *graph.Entity {
	for _, v := range b.webPage.values("mainEntity") {
		if v.Entity != nil && isAbout(v.Entity) {
			return v.Entity
		}
	}
	for _, types := range about {
		var found []*graph.Entity
		for _, e := range things {
			b.page.Meter.Step(1)
			if e.Is(types...) {
				found = append(found, e)
			}
		}
		if main := b.one(found); main != nil {
			return main
		}
	}
	return nil
}

func isAbout(e *graph.Entity) bool {
	for _, types := range about {
		if e.Is(types...) {
			return true
		}
	}
	return false
}

// one returns the thing that names the page's address, or else the only one,
// as its first source has it.
func (b *belief) one(found []*graph.Entity) *graph.Entity {
	if len(found) == 0 {
		return nil
	}
	for _, e := range found {
		if b.namesPage(e) {
			return e
		}
	}
	for _, e := range found[1:] {
		if e.Source == found[0].Source {
			return nil
		}
	}
	return found[0]
}

// namesPage reports whether one of the addresses of a thing is the page's.
func (b *belief) namesPage(e *graph.Entity) bool {
	at := b.addresses()
	for _, ref := range []string{e.ID, addressIn(e.Get("url")), addressIn(e.Get("mainEntityOfPage"))} {
		if ref != "" && (sameAddress(ref, at[0]) || sameAddress(ref, at[1])) {
			return true
		}
	}
	return false
}

// addresses are those of the page: its own, and the one that it names.
func (b *belief) addresses() [2]string {
	own := ""
	if b.page.URL != nil {
		own = b.page.URL.String()
	}
	return [2]string{own, addressIn(b.meta.values("canonical"))}
}

// addressIn returns the first address among values, that of a thing too.
func addressIn(values []graph.Value) string {
	for _, v := range values {
		switch {
		case v.Kind == graph.URL:
			return v.Text
		case v.Entity == nil:
		case v.Entity.ID != "":
			return v.Entity.ID
		default:
			for _, name := range [...]string{"url", "contentUrl"} {
				for _, inner := range v.Entity.Get(name) {
					if inner.Kind == graph.URL {
						return inner.Text
					}
				}
			}
		}
	}
	return ""
}

// sameAddress compares addresses without their fragment, scheme and last slash.
func sameAddress(a, b string) bool {
	return a != "" && plainAddress(a) == plainAddress(b)
}

func plainAddress(s string) string {
	s, _, _ = strings.Cut(s, "#")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "https://"), "http://")
	return strings.TrimSuffix(strings.TrimPrefix(s, "www."), "/")
}

// firstOf returns the first thing of one of the types.
func firstOf(things []*graph.Entity, types ...string) *entity {
	for _, e := range things {
		if e.Is(types...) {
			return &entity{e}
		}
	}
	return nil
}
